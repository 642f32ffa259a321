import type { Readable, Writable } from 'node:stream';
import { LineReader } from '../lines.js';
import { type JsonRpcResponse, MAX_MESSAGE_BYTES, type Protocol } from './protocol.js';

/** Answers lines until the input ends, or the client is gone. */
export async function serveStdio(
  protocol: Protocol,
  input: Readable,
  output: Writable,
): Promise<void> {
  const answers = new Set<Promise<void>>();
  const send = (answer: JsonRpcResponse | null) =>
    void (answer !== null && output.write(`${JSON.stringify(answer)}\n`));
  const handlers = {
    line(text: string) {
      const answer = protocol.answer(text).then(send);
      answers.add(answer);
      void answer.finally(() => answers.delete(answer));
    },
    tooLong: () => send(protocol.refuseLong()),
  };
  const reader = new LineReader(handlers, MAX_MESSAGE_BYTES);
  output.on('error', () => input.destroy());
  await new Promise<void>((resolve) => {
    input.on('data', (chunk: Buffer) => reader.push(chunk));
    input
      .once('close', resolve)
      .once('end', resolve)
      .once('error', () => resolve());
  });
  protocol.cancelAll();
  await Promise.all(answers);
}
