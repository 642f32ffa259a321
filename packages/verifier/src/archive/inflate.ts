import { createInflateRaw, type InflateRaw } from 'node:zlib';

/**
 * Inflates raw deflate data (RFC 1951). Like the `DecompressionStream` of browsers, it refuses data that end too early and
 * data behind their end. That of Node.js 20 ignores what is behind the end.
 */
export class Inflate {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
  #given = 0;

  constructor() {
    const inflate = createInflateRaw();
    this.writable = new WritableStream({
      write: (chunk) => {
        this.#given += chunk.length;
        return written(inflate, chunk);
      },
      close: () => void inflate.end(),
      abort: () => void inflate.destroy(),
    });
    const chunks = this.#chunks(inflate);
    this.readable = new ReadableStream({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void inflate.destroy(),
    });
  }

  async *#chunks(inflate: InflateRaw): AsyncGenerator<Uint8Array, undefined> {
    for await (const chunk of inflate) yield chunk;
    if (inflate.bytesWritten < this.#given) {
      throw new Error('data follow the end of the compressed data');
    }
  }
}

/** Resolves when more can be written. What follows the end is never taken: then the reader ends first. */
function written(inflate: InflateRaw, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      inflate.off('end', done).off('error', done);
      resolve();
    };
    inflate.once('end', done).once('error', done);
    inflate.write(chunk, done);
  });
}
