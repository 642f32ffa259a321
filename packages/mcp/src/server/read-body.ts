import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { MAX_MESSAGE_BYTES } from './limits.js';

/** The body of a request cannot be read. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  constructor(
    readonly status: 400 | 413,
    message: string,
  ) {
    super(message);
  }
}

/**
 * @throws BodyError if the body is too long or no UTF-8
 * @throws the error of the connection if it breaks
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_MESSAGE_BYTES) throw tooLong();
  const parts: Buffer[] = [];
  let bytes = 0;
  // The loop must not destroy a request that is refused: the answer still needs its connection.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    if (!(part instanceof Buffer)) throw new TypeError('a body consists of bytes');
    bytes += part.length;
    if (bytes > MAX_MESSAGE_BYTES) throw tooLong();
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts));
  } catch {
    throw new BodyError(400, 'the message is not UTF-8');
  }
}

function tooLong(): BodyError {
  return new BodyError(413, `the message is longer than ${MAX_MESSAGE_BYTES} bytes`);
}
