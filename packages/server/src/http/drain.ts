import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type LedgerError, unavailable } from '@decision-ledger/contract/errors';
import type { OpenAnswers } from './raw-answers.js';
import type { Http } from './types.js';

/** How the service stops: what was accepted is answered, and nothing else. */
export interface Drain {
  isStopping(): boolean;
  /** @param refuse answers a request that has not arrived in full, and closes its connection */
  watch(
    app: Http,
    answers: OpenAnswers,
    refuse: (socket: Duplex, error: LedgerError) => void,
  ): void;
}

/** How long the rest of a request may take once the service stops. */
const ARRIVAL_MS = 3000;

export function openDrain(): Drain {
  let isStopping = false;
  return {
    isStopping: () => isStopping,
    watch(app, answers, refuse) {
      const { server } = app;
      const sockets = openSockets(app);
      const endIdle = () => {
        for (const socket of sockets) if (answers.countOn(socket) === 0) socket.destroySoon();
      };
      app.addHook('onRequest', (_request, _reply, done) => {
        if (isStopping) done(stopping());
        else done();
      });
      app.addHook('preClose', async () => {
        isStopping = true;
        // Requests that the system has received already are read and refused first.
        await setImmediate();
        for (const socket of sockets) answers.lastOn(socket)?.once('close', endIdle);
        endIdle();
        const timer = setTimeout(() => {
          endIdle();
          for (const socket of sockets) if (isArriving(answers, socket)) refuse(socket, stopping());
        }, ARRIVAL_MS);
        server.once('close', () => clearTimeout(timer));
      });
    },
  };
}

/** The connections of a server that speak HTTP. */
function openSockets({ server }: Http): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  for (const event of ['upgrade', 'connect'] as const) {
    server.prependListener(event, ({ socket }) => sockets.delete(socket));
  }
  return sockets;
}

function isArriving(answers: OpenAnswers, socket: Socket): boolean {
  return answers.countOn(socket) === 1 && answers.lastOn(socket)?.req.complete === false;
}

function stopping(): LedgerError {
  return unavailable('the service is stopping: send the request again');
}
