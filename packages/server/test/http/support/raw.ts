import { connect, type Socket } from 'node:net';
import type { Answer } from '../../support/client.js';

/** A connection on which a test writes bytes, and the bytes received. */
export interface RawConnection {
  readonly socket: Socket;
  /** All that the service has sent by the time it closes the connection. */
  readonly ended: Promise<string>;
}

/** Other test files keep the machine busy. */
const PATIENCE_MS = 240_000;

export function openRaw(port: number, bytes: string | Buffer = ''): RawConnection {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  let received = '';
  const ended = new Promise<string>((resolve, reject) => {
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`no end after: ${received}`)));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    // Bytes sent before a reset by the service count.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(received));
  });
  return { socket, ended };
}

/** Sends bytes and reads the one answer. */
export async function exchange(port: number, bytes: string | Buffer): Promise<Answer> {
  return answerOf(await openRaw(port, bytes).ended);
}

export function answerOf(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((header) => {
      const [name = '', ...value] = header.split(':');
      return [name.toLowerCase(), value.join(':').trim()] as const;
    }),
  );
  return {
    status: Number(line.split(' ')[1]),
    text: text.slice(end + 4),
    headerNames: [...headers.keys()],
    header: (name) => headers.get(name.toLowerCase()),
  };
}
