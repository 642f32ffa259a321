import type { Socket } from 'node:net';
import type { Intake } from '../config.js';
import type { ResponseClass } from './answer-policy.js';
import type { Http } from './types.js';

/**
 * Limits the number of open connections. Connections without a valid key may use half of them; beyond
 * that the oldest one is closed, so that idle or slow connections cannot block others.
 */
export function limitConnections(app: Http, max: number): void {
  const { server } = app;
  server.maxConnections = max;
  const unauthenticated = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unauthenticated.add(socket);
    socket.once('close', () => unauthenticated.delete(socket));
    const [oldest] = unauthenticated;
    if (unauthenticated.size > max / 2) oldest?.destroy();
  });
  app.addHook('preParsing', ({ principal, raw }, _reply, _payload, done) => {
    if (principal !== null) unauthenticated.delete(raw.socket);
    done();
  });
}

/** How often connections are checked for timeouts. */
const CHECKS_MS = 1000;

/** The class of responses, and timeouts for receiving requests. Responses have no timeout. */
export function serverOptions({ requestSeconds }: Intake, ServerResponse: ResponseClass) {
  const requestTimeout = requestSeconds * 1000;
  return {
    requestTimeout,
    http: {
      ServerResponse,
      requestTimeout,
      headersTimeout: requestTimeout / 4,
      connectionsCheckingInterval: CHECKS_MS,
      // A hook refuses requests without Host, with an error in the envelope.
      requireHostHeader: false,
    },
  };
}
