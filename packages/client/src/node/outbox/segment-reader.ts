import { Buffer } from 'node:buffer';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { decodeLine, type StoredLine } from './line.js';
import { listSegments, type Position, segmentPath } from './segment.js';

/** A line that was read, and where the next one begins. */
export interface ReadLine extends StoredLine {
  readonly end: Position;
  /** Of the whole line. */
  readonly bytes: number;
}

export interface ReadResult {
  readonly lines: readonly ReadLine[];
  /** Lines whose checksum does not match. */
  readonly damaged: number;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** Reads the segments of a folder in order. */
export class SegmentReader {
  readonly #folder: string;
  #position: Position;
  #rest: Buffer = Buffer.alloc(0);

  constructor(folder: string, start: Position) {
    this.#folder = folder;
    this.#position = start;
  }

  /** The next lines; none at the end of what is written. A last line without its end is left out. */
  read(maxLines: number, maxBytes: number): ReadResult {
    const lines: ReadLine[] = [];
    let damaged = 0;
    let bytes = 0;
    while (lines.length < maxLines && bytes < maxBytes) {
      const line = this.#next();
      if (line === null) break;
      const length = line.length + 1;
      bytes += length;
      const { segment, offset } = this.#position;
      this.#position = { segment, offset: offset + length };
      const stored = decodeLine(line.toString('utf8'));
      if (stored === null) damaged += 1;
      else lines.push({ ...stored, end: this.#position, bytes: length });
    }
    return { lines, damaged };
  }

  /** The next line without its end; null if there is none. */
  #next(): Buffer | null {
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE);
      if (end !== -1) {
        const line = this.#rest.subarray(0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      const more = this.#readChunk();
      if (more.length > 0) this.#rest = Buffer.concat([this.#rest, more]);
      else if (!this.#nextSegment()) return null;
    }
  }

  #readChunk(): Buffer {
    const { segment, offset } = this.#position;
    return readAt(segmentPath(this.#folder, segment), offset + this.#rest.length);
  }

  #nextSegment(): boolean {
    const next = listSegments(this.#folder).find((segment) => segment > this.#position.segment);
    if (next === undefined) return false;
    this.#rest = Buffer.alloc(0);
    this.#position = { segment: next, offset: 0 };
    return true;
  }
}

/** Counts the lines from a position on, with pauses for the event loop. */
export async function countLines(folder: string, start: Position): Promise<number> {
  let count = 0;
  for (const segment of listSegments(folder)) {
    if (segment < start.segment) continue;
    let offset = segment === start.segment ? start.offset : 0;
    for (;;) {
      const chunk = readAt(segmentPath(folder, segment), offset);
      if (chunk.length === 0) break;
      offset += chunk.length;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1))
        count += 1;
      await setImmediate();
    }
  }
  return count;
}

/** At most a chunk of a file; nothing at its end, or if it does not exist. */
function readAt(path: string, offset: number): Buffer {
  if (!existsSync(path)) return Buffer.alloc(0);
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    return chunk.subarray(0, readSync(file, chunk, 0, CHUNK_BYTES, offset));
  } finally {
    closeSync(file);
  }
}
