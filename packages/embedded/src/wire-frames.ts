/** The bytes from a client are not valid PostgreSQL protocol, or exceed its limits. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** A client message: its type letter and all its bytes, including type and length. */
export interface Frame {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Maximum size of a message, in bytes. */
const MAX_MESSAGE_BYTES = 64 << 20;
const MAX_STARTUP_BYTES = 10_000;
/** Parse Bind Execute Describe Close Flush Sync Query Terminate, copy data, done and fail. */
const CLIENT_TYPES = new Set('PBEDCHSQXdcf');

/** Splits a client's data, received in chunks of any size, into messages. */
export class FrameSplitter {
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** The startup messages of a connection have no type. Returns code and body, or null if incomplete. */
  takeStartup(): { readonly code: number; readonly body: Buffer } | null {
    if (this.#length < 4) return null;
    const length = this.#peek(4).readInt32BE(0);
    if (length < 8 || length > MAX_STARTUP_BYTES) throw new FrameError('invalid startup message');
    if (this.#length < length) return null;
    const bytes = this.#take(length);
    return { code: bytes.readInt32BE(4), body: bytes.subarray(8) };
  }

  /** The next complete message, or null if more data is needed. */
  takeFrame(): Frame | null {
    if (this.#length < 5) return null;
    const head = this.#peek(5);
    const type = String.fromCharCode(head.readUInt8(0));
    const length = head.readInt32BE(1);
    if (!CLIENT_TYPES.has(type)) throw new FrameError(`invalid message type ${head.readUInt8(0)}`);
    if (length < 4) throw new FrameError(`invalid message length ${length}`);
    if (length >= MAX_MESSAGE_BYTES) {
      throw new FrameError(`a message may have ${MAX_MESSAGE_BYTES} bytes, not ${length}`);
    }
    if (this.#length <= length) return null;
    return { type, bytes: this.#take(length + 1) };
  }

  #peek(count: number): Buffer {
    const first = this.#chunks[0];
    if (first !== undefined && first.length >= count) return first;
    this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
    return this.#peek(count);
  }

  #take(count: number): Buffer {
    if (this.#chunks.length > 1 && (this.#chunks[0]?.length ?? 0) < count) {
      this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
    }
    const first = this.#chunks[0] ?? Buffer.alloc(0);
    if (first.length > count) this.#chunks[0] = first.subarray(count);
    else this.#chunks.shift();
    this.#length -= count;
    return first.subarray(0, count);
  }
}

/** Messages that the engine executes together: up to a Sync, a Query or a Flush. */
export type Unit = readonly Frame[];

/** Maximum bytes before the Sync, Query or Flush that ends a unit. */
const MAX_UNIT_BYTES = 2 * MAX_MESSAGE_BYTES;

/** Groups messages into units. */
export class UnitBuilder {
  #frames: Frame[] = [];
  #bytes = 0;

  /** Adds a message. Returns the unit if the message completes it, else null. */
  add(frame: Frame): Unit | null {
    // Data after a refused COPY is dropped, as PostgreSQL does.
    if (frame.type === 'd' || frame.type === 'c' || frame.type === 'f') return null;
    this.#bytes += frame.bytes.length;
    if (this.#bytes > MAX_UNIT_BYTES) throw new FrameError('too much was sent without a Sync');
    this.#frames.push(frame);
    if (frame.type !== 'S' && frame.type !== 'Q' && frame.type !== 'H') return null;
    const unit = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    return unit;
  }
}

/** The parameters of a StartupMessage, such as `user` and `database`. */
export function readParameters(body: Buffer): Map<string, string> {
  const fields = body.toString('utf8').split('\0');
  const parameters = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = fields[index];
    if (name === undefined || name === '') break;
    parameters.set(name, fields[index + 1] ?? '');
  }
  return parameters;
}

/** A frame split around its statement name. */
export interface NamedFrame {
  readonly name: string;
  readonly before: Buffer;
  readonly after: Buffer;
}

/** The prepared statement named by Parse, Bind, Describe or Close; null for other messages. */
export function findStatementName({ type, bytes }: Frame): NamedFrame | null {
  const start = nameStart(type, bytes);
  if (start === null) return null;
  const end = endOfText(bytes, start);
  return {
    name: bytes.toString('utf8', start, end),
    before: bytes.subarray(5, start),
    after: bytes.subarray(end),
  };
}

function nameStart(type: string, bytes: Buffer): number | null {
  if (type === 'P') return 5;
  if (type === 'B') return endOfText(bytes, 5) + 1;
  const statement = (type === 'D' || type === 'C') && bytes[5] === 'S'.charCodeAt(0);
  return statement ? 6 : null;
}

function endOfText(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0, start);
  if (end === -1) throw new FrameError('a text in a message has no end');
  return end;
}
