/** The type of the items of an array, in its header of five numbers. */
const INT4 = 23;
const [ARRAY_HEADER, ITEM] = [20, 8];

/** Reads the fields of a row in the bytes of COPY, one after the other. */
export class CopiedRow {
  /** Of the field that was read last: its bytes, in `bytes`. */
  start = 0;
  end = 0;
  bytes: Buffer = Buffer.alloc(0);

  open(bytes: Buffer): void {
    this.bytes = bytes;
    this.end = 0;
  }

  /** Moves to the next field. @returns whether it has a value */
  next(): boolean {
    const length = this.#int4(this.end);
    this.start = this.end + 4;
    this.end = this.start + Math.max(length, 0);
    return length >= 0;
  }

  int4(): number {
    this.#require(4);
    return this.#int4(this.start);
  }

  int8(): number {
    this.#require(8);
    return this.#int4(this.start) * 2 ** 32 + (this.#int4(this.start + 4) >>> 0);
  }

  float8(): number {
    this.#require(8);
    return this.bytes.readDoubleBE(this.start);
  }

  bool(): boolean {
    this.#require(1);
    return this.bytes[this.start] === 1;
  }

  /** A text whose characters stand for its bytes. */
  latin1(): string {
    if (!this.next()) throw new TypeError('The field is null.');
    return this.bytes.toString('latin1', this.start, this.end);
  }

  /** Whether the next field has these bytes, given in hexadecimal. */
  nextIsHex(text: string): boolean {
    return this.next() && this.bytes.toString('hex', this.start, this.end) === text;
  }

  /** Whether the array of int4 at `start` has these items. */
  isArray(start: number, items: readonly number[]): boolean {
    const header = [1, 0, INT4, items.length, 1];
    for (let at = 0; at < header.length; at += 1) {
      if (this.#int4(start + 4 * at) !== header[at]) return false;
    }
    for (let at = 0; at < items.length; at += 1) {
      const item = start + ARRAY_HEADER + ITEM * at;
      if (this.#int4(item) !== 4 || this.#int4(item + 4) !== items[at]) return false;
    }
    return this.#int4(start - 4) === ARRAY_HEADER + ITEM * items.length;
  }

  #require(length: number): void {
    if (!this.next() || this.end - this.start !== length)
      throw new TypeError('A field has no value.');
  }

  #int4(at: number): number {
    const { bytes } = this;
    if (at + 4 > bytes.length) throw new RangeError('The row ends within a field.');
    return (
      ((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0)
    );
  }
}
