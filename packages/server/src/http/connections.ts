import type { Socket } from 'node:net';
import type { Http } from './types.js';

/**
 * Limits how many connections are open. Those on which nobody has shown a good key yet have half of the
 * places: where more come, the oldest of them makes room, so that connections which say nothing, or say
 * it slowly, shut nobody out.
 */
export function limitConnections(app: Http, most: number): void {
  const { server } = app;
  server.maxConnections = most;
  const strangers = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    const [oldest] = strangers;
    if (strangers.size > most / 2) oldest?.destroy();
  });
  app.addHook('preParsing', async ({ principal, raw }) => {
    if (principal !== null) strangers.delete(raw.socket);
  });
}
