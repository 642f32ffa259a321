import { Buffer } from 'node:buffer';

const NEWLINE = 0x0a;

/** The longest line that is read, in bytes: a result that may be uploaded, and more. Longer ones are skipped. */
const MAX_LINE_BYTES = 72 * 1024 * 1024;

export interface LineHandlers {
  /** Receives each line without its end, as UTF-8. */
  line(text: string): void;
  /** Called once for each line that is longer than the limit. */
  tooLong(): void;
}

/** Splits bytes into lines, without ever holding more than one of the allowed length. */
export class LineReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  #isSkipping = false;

  constructor(
    private readonly handlers: LineHandlers,
    private readonly maxBytes: number = MAX_LINE_BYTES,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#take(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  #take(part: Buffer): void {
    if (this.#isSkipping) return;
    this.#bytes += part.length;
    if (this.#bytes <= this.maxBytes) {
      this.#parts.push(part);
      return;
    }
    this.#isSkipping = true;
    this.#parts = [];
    this.handlers.tooLong();
  }

  #finish(): void {
    const line = Buffer.concat(this.#parts);
    const isWhole = !this.#isSkipping && this.#bytes > 0;
    this.#parts = [];
    this.#bytes = 0;
    this.#isSkipping = false;
    if (isWhole) this.handlers.line(line.toString('utf8'));
  }
}
