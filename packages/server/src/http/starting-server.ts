import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { unavailable } from '@decision-ledger/contract/errors';
import { governedResponse } from './answer-policy.js';
import { errorBody } from './errors.js';
import { rawAnswers } from './raw-answers.js';

/** Answers on the address of the service while its database starts. */
export interface StartingServer {
  /** Says why the service is not ready. From the first call on, it listens. */
  say(reason: string): void;
  /** Leaves the address to the service. */
  close(): Promise<void>;
}

const ALIVE = /^(\/api\/v1)?\/healthz(\?|$)/;
const RETRY_SECONDS = 5;

/** @param nextRequestId for the header of each answer */
export function startingServer(
  { host, port }: { readonly host: string; readonly port: number },
  nextRequestId: () => string,
): StartingServer {
  let reason = '';
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    const isAlive = ALIVE.test(request.url ?? '');
    const error = unavailable(`the service is starting: ${reason}`, RETRY_SECONDS);
    response.writeHead(isAlive ? 200 : error.status, {
      ...(!isAlive && error.headers),
      'content-type': 'application/json; charset=utf-8',
    });
    response.end(JSON.stringify(isAlive ? { status: 'ok' } : errorBody(error)));
  };
  const Response = governedResponse({ nextRequestId, isStopping: () => true });
  const server = createServer({ ServerResponse: Response }, answer);
  server.on('clientError', rawAnswers(nextRequestId).onClientError);
  // Another program has the address: the service says so when it is ready to listen.
  server.on('error', () => undefined);
  let isOpen = false;
  return {
    say(given) {
      reason = given;
      // Nobody can know an address that is chosen later.
      if (isOpen || port === 0) return;
      isOpen = true;
      server.listen({ host, port });
    },
    async close() {
      if (!server.listening) return;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
