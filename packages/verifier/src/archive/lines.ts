const NEWLINE = 0x0a;
/** Far more than a decision with four fields of 256 KiB needs. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface LineReader {
  line(text: string, number: number): void;
  /** Called instead of `line` for an unreadable line. */
  problem(message: string, number: number): void;
}

/** Splits chunks of bytes into UTF-8 lines. The last line may lack its line feed. */
export class Lines {
  readonly #reader: LineReader;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #number = 0;

  constructor(reader: LineReader) {
    this.#reader = reader;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    // A copy, because the caller may reuse the chunk's memory.
    if (start < chunk.length) this.#keep(chunk.slice(start));
  }

  end(): void {
    if (this.#bytes > 0) this.#finish();
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes <= MAX_LINE_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  #finish(): void {
    this.#number++;
    const [parts, bytes] = [this.#parts, this.#bytes];
    this.#parts = [];
    this.#bytes = 0;
    if (bytes > MAX_LINE_BYTES) {
      this.#reader.problem(`has more than ${MAX_LINE_BYTES} bytes`, this.#number);
      return;
    }
    let text: string;
    try {
      text = this.#decoder.decode(joined(parts, bytes));
    } catch {
      this.#reader.problem('is not UTF-8', this.#number);
      return;
    }
    this.#reader.line(text, this.#number);
  }
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
