export type TransactionStatus = 'I' | 'T' | 'E';

/** `I`: no open transaction; `T`: an open transaction; `E`: an open transaction that has failed. */
function isStatus(letter: string): letter is TransactionStatus {
  return letter === 'I' || letter === 'T' || letter === 'E';
}

const HEADER_BYTES = 5;
/** ReadyForQuery, ParameterStatus and DataRow; only the start of each is kept. */
const KEPT = new Set('ZSD');
const KEPT_BYTES = 256;

/** Scans the server's messages, received in chunks of any size. */
export class ReplyScanner {
  /** Status of the last ReadyForQuery; null while the server waits for a Sync. */
  status: TransactionStatus | null = null;
  /** Whether there was an ErrorResponse. */
  failed = false;
  /** Settings that the server reported as changed. */
  readonly parameters = new Map<string, string>();
  /** The first column of the last row, truncated. */
  value: string | null = null;

  readonly #header = Buffer.alloc(HEADER_BYTES);
  readonly #body = Buffer.alloc(KEPT_BYTES);
  #headerFilled = 0;
  #bodyFilled = 0;
  #remaining = 0;

  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#headerFilled < HEADER_BYTES) {
        this.#header[this.#headerFilled] = chunk[offset] ?? 0;
        this.#headerFilled += 1;
        offset += 1;
        if (this.#headerFilled === HEADER_BYTES) this.#begin();
      } else {
        const part = Math.min(this.#remaining, chunk.length - offset);
        this.#keep(chunk.subarray(offset, offset + part));
        this.#remaining -= part;
        offset += part;
      }
      if (this.#headerFilled === HEADER_BYTES && this.#remaining === 0) this.#end();
    }
  }

  #begin(): void {
    this.#remaining = this.#header.readInt32BE(1) - 4;
    this.#bodyFilled = 0;
  }

  #keep(part: Uint8Array): void {
    if (!KEPT.has(this.#type())) return;
    const kept = part.subarray(0, KEPT_BYTES - this.#bodyFilled);
    this.#body.set(kept, this.#bodyFilled);
    this.#bodyFilled += kept.length;
  }

  #type(): string {
    return String.fromCharCode(this.#header[0] ?? 0);
  }

  #end(): void {
    this.#headerFilled = 0;
    const body = this.#body.subarray(0, this.#bodyFilled);
    const type = this.#type();
    if (type === 'Z') {
      const letter = body.toString('latin1', 0, 1);
      this.status = isStatus(letter) ? letter : null;
    } else if (type === 'S') {
      const [name, value] = body.toString('utf8').split('\0');
      if (name !== undefined && value !== undefined) this.parameters.set(name, value);
    } else if (type === 'E') {
      this.failed = true;
    } else if (type === 'D' && body.length >= 6) {
      const length = body.readInt32BE(2);
      this.value = length < 0 ? null : body.toString('utf8', 6, 6 + length);
    }
  }
}
