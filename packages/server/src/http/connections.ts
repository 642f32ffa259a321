import type { Socket } from 'node:net';
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
  app.addHook('preParsing', async ({ principal, raw }) => {
    if (principal !== null) unauthenticated.delete(raw.socket);
  });
}
