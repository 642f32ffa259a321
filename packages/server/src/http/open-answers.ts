import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The requests of each connection that are not answered yet. Those that ask for an upgrade are not among them. */
export interface OpenAnswers {
  countOn(socket: Duplex): number;
  /** The answer to the last request of a connection. */
  lastOn(socket: Duplex): ServerResponse | undefined;
}

export function watchAnswers(server: Server): OpenAnswers {
  const counts = new WeakMap<Duplex, number>();
  const last = new WeakMap<Duplex, ServerResponse>();
  const countOn = (socket: Duplex) => counts.get(socket) ?? 0;
  for (const event of ['request', 'checkExpectation'] as const) {
    server.prependListener(event, ({ socket }: IncomingMessage, response: ServerResponse) => {
      last.set(socket, response);
      counts.set(socket, countOn(socket) + 1);
      response.once('close', () => counts.set(socket, countOn(socket) - 1));
    });
  }
  return { countOn, lastOn: (socket) => last.get(socket) };
}
