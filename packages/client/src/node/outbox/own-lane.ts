import { Buffer } from 'node:buffer';
import type { Entry } from '../../encode.js';
import { LIMITS } from '../../limits.js';
import type { OutboxTools, OwnLane } from '../../outbox.js';
import { takeBatch } from '../../queue.js';
import type { DeliveredMark } from './delivered.js';
import { encodeLine, LINE_OVERHEAD } from './line.js';
import { type Position, removeSegments, type SegmentWriter } from './segment.js';
import { SegmentReader } from './segment-reader.js';

interface Waiting extends Entry {
  /** Where the next line begins; null if the decision is only in memory. */
  readonly end: Position | null;
}

export interface OwnLaneTools extends OutboxTools {
  readonly folder: string;
  readonly writer: SegmentWriter;
  readonly mark: DeliveredMark;
  /** Of undelivered decisions on disk. */
  readonly maxDiskBytes: number;
}

/** What is delivered is removed from the disk once the segment has this size, in bytes. */
const TIDY_BYTES = 256 * 1024;

/**
 * The decisions of this process: all on disk, and the first ones also in memory. Decisions that the
 * memory cannot hold are read back from the disk when those before them are delivered.
 */
export class DiskLane implements OwnLane {
  readonly #tools: OwnLaneTools;
  #waiting: Waiting[] = [];
  #first = 0;
  #memoryBytes = 0;
  #added = 0;
  #settled = 0;
  /** Decisions that are only on disk. */
  #spilled = 0;
  #reader: SegmentReader | null = null;
  #diskBytes = 0;
  #unstored = 0;
  /** Whether the last write failed: one report for a series of failures. */
  #isFailing = false;

  constructor(tools: OwnLaneTools) {
    this.#tools = tools;
  }

  get added(): number {
    return this.#added;
  }

  get settled(): number {
    return this.#settled;
  }

  get queued(): number {
    return this.#waiting.length - this.#first;
  }

  get queuedBytes(): number {
    return this.#memoryBytes;
  }

  get unstored(): number {
    return this.#unstored;
  }

  get diskBytes(): number {
    return this.#diskBytes;
  }

  add(line: Omit<Entry, 'bytes'>): 'stored' | 'memory' | 'full' {
    const start = this.#tools.writer.position;
    const written = this.#write(line);
    const bytes = written === null ? Buffer.byteLength(line.json) : written - LINE_OVERHEAD;
    const fits =
      this.queued < this.#tools.maxDecisions && this.#memoryBytes + bytes <= this.#tools.maxBytes;
    if (written === null) {
      if (!fits) return 'full';
      this.#unstored += 1;
      this.#hold({ ...line, bytes, end: null });
    } else {
      this.#diskBytes += written;
      if (this.#reader === null && fits) {
        this.#hold({ ...line, bytes, end: this.#tools.writer.position });
      } else {
        this.#spill(written, start);
      }
    }
    this.#added += 1;
    return written === null ? 'memory' : 'stored';
  }

  /** @returns the bytes written, or null if the decision is not on disk */
  #write(line: Omit<Entry, 'bytes'>): number | null {
    try {
      if (this.#diskBytes >= this.#tools.maxDiskBytes) throw new Error('the outbox is full');
      const written = this.#tools.writer.append(encodeLine(line));
      this.#isFailing = false;
      return written;
    } catch (error) {
      if (!this.#isFailing) {
        const message = `the outbox cannot be written, decisions wait in memory: ${String(error)}`;
        this.#tools.report({ kind: 'outbox', message, decisions: 0, error });
      }
      this.#isFailing = true;
      return null;
    }
  }

  #hold(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#memoryBytes += waiting.bytes;
  }

  #spill(written: number, start: Position): void {
    this.#spilled += 1;
    if (this.#reader !== null) return;
    // The line may have begun a new segment.
    const { segment, offset } = this.#tools.writer.position;
    const from = segment === start.segment ? start : { segment, offset: offset - written };
    this.#reader = new SegmentReader(this.#tools.folder, from);
  }

  peek(): readonly Entry[] {
    if (this.queued === 0 && this.#reader !== null) this.#refill(this.#reader);
    const end = Math.min(this.#waiting.length, this.#first + LIMITS.batchDecisions);
    return takeBatch(this.#waiting.slice(this.#first, end));
  }

  #refill(reader: SegmentReader): void {
    const { maxDecisions, maxBytes } = this.#tools;
    while (this.queued === 0 && this.#spilled > 0) {
      const limit = Math.min(maxDecisions, this.#spilled);
      const { lines, damaged } = reader.read(limit, maxBytes);
      for (const { json, isStamped, end, bytes } of lines) {
        this.#hold({ json, isStamped, end, bytes: bytes - LINE_OVERHEAD });
      }
      this.#spilled -= lines.length;
      const isEnd = lines.length === 0 && damaged === 0;
      this.#giveUp(isEnd ? this.#spilled : damaged);
    }
    if (this.#spilled === 0) this.#reader = null;
  }

  #giveUp(decisions: number): void {
    if (decisions === 0) return;
    this.#spilled -= decisions;
    this.#settled += decisions;
    const message = `${decisions} decisions of the outbox cannot be read`;
    this.#tools.report({ kind: 'unreadable', message, decisions });
  }

  settle(count: number): void {
    let end: Position | null = null;
    for (const waiting of this.#waiting.slice(this.#first, this.#first + count)) {
      this.#memoryBytes -= waiting.bytes;
      if (waiting.end === null) this.#unstored -= 1;
      else this.#diskBytes -= waiting.bytes + LINE_OVERHEAD;
      end = waiting.end ?? end;
    }
    this.#first += count;
    this.#settled += count;
    if (this.#first * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    if (end !== null) this.#moveMark(end);
  }

  /** Decisions that were delivered must not stay on disk for longer than needed. */
  #moveMark(end: Position): void {
    const { folder, writer, mark } = this.#tools;
    try {
      const isEmpty = this.#settled === this.#added && writer.position.offset >= TIDY_BYTES;
      if (isEmpty) writer.rotate();
      const position = isEmpty ? writer.position : end;
      const before = mark.position.segment;
      mark.write(position);
      if (position.segment > before) removeSegments(folder, position.segment);
    } catch (error) {
      const message = `the outbox cannot be tidied: ${String(error)}`;
      this.#tools.report({ kind: 'outbox', message, decisions: 0, error });
    }
  }
}
