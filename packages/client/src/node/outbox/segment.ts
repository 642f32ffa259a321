import { Buffer } from 'node:buffer';
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** A place in the segments of a folder. */
export interface Position {
  readonly segment: number;
  /** In bytes. */
  readonly offset: number;
}

/** The size at which a new segment begins, in bytes. */
const SEGMENT_BYTES = 8 * 1024 * 1024;

export function segmentPath(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(8, '0')}.ndjson`);
}

/** The numbers of the segments in a folder, in order. */
export function listSegments(folder: string): number[] {
  return readdirSync(folder)
    .map((name) => /^(\d{8,15})\.ndjson$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Removes the segments before one. */
export function removeSegments(folder: string, before: number): void {
  for (const segment of listSegments(folder)) {
    if (segment < before) rmSync(segmentPath(folder, segment), { force: true });
  }
}

/** Appends lines to the segments of a folder. A line is written as a whole, or not at all. */
export class SegmentWriter {
  readonly #folder: string;
  readonly #isSynced: boolean;
  #segment = 1;
  #offset = 0;
  /** Null after a failure that left the segment in doubt. */
  #file: number | null;

  constructor(folder: string, isSynced: boolean) {
    this.#folder = folder;
    this.#isSynced = isSynced;
    this.#file = this.#open();
  }

  /** Where the next line begins. */
  get position(): Position {
    return { segment: this.#segment, offset: this.#offset };
  }

  /**
   * @returns the number of bytes written
   * @throws an error of the file system; then nothing was appended
   */
  append(line: string): number {
    if (this.#file === null || this.#offset >= SEGMENT_BYTES) this.rotate();
    const file = this.#file ?? this.#open();
    this.#file = file;
    try {
      const bytes = writeWhole(file, line);
      if (this.#isSynced) fdatasyncSync(file);
      this.#offset += bytes;
      return bytes;
    } catch (error) {
      this.#undo(file);
      throw error;
    }
  }

  /** Begins a new segment. */
  rotate(): void {
    this.close();
    this.#segment += 1;
    this.#offset = 0;
    this.#file = this.#open();
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #open(): number {
    const file = openSync(segmentPath(this.#folder, this.#segment), 'a', 0o600);
    if (this.#isSynced) syncFolder(this.#folder);
    return file;
  }

  /** A full disk may have taken a part of the line. */
  #undo(file: number): void {
    try {
      ftruncateSync(file, this.#offset);
    } catch {
      this.close();
    }
  }
}

function writeWhole(file: number, line: string): number {
  const length = Buffer.byteLength(line);
  const written = writeSync(file, line);
  if (written === length) return length;
  const bytes = Buffer.from(line);
  let done = written;
  while (done < length) done += writeSync(file, bytes, done);
  return length;
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
