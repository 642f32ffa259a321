import { rmSync } from 'node:fs';
import type { Entry } from '../../encode.js';
import type { LedgerProblem } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import { type Lane, takeBatch } from '../../queue.js';
import { DeliveredMark } from './delivered.js';
import { LINE_OVERHEAD } from './line.js';
import { countLines, type ReadLine, SegmentReader } from './segment-reader.js';

interface Source {
  readonly folder: string;
  readonly mark: DeliveredMark;
  readonly reader: SegmentReader;
  lines: readonly ReadLine[];
}

/** Decisions that dead processes left. They are read from the disk batch by batch. */
export class RecoveredLane implements Lane {
  readonly #report: (problem: LedgerProblem) => void;
  readonly #sources: Source[] = [];
  #added = 0;
  #settled = 0;

  constructor(report: (problem: LedgerProblem) => void) {
    this.#report = report;
  }

  get added(): number {
    return this.#added;
  }

  get settled(): number {
    return this.#settled;
  }

  get queued(): number {
    return this.#sources[0]?.lines.length ?? 0;
  }

  get queuedBytes(): number {
    return this.#sources[0]?.lines.reduce((all, { bytes }) => all + bytes, 0) ?? 0;
  }

  /** Takes over a folder; it is removed once its decisions are delivered. */
  async adopt(folder: string): Promise<void> {
    const mark = new DeliveredMark(folder);
    const count = await countLines(folder, mark.position);
    if (count === 0) {
      mark.close();
      rmSync(folder, { recursive: true, force: true });
      return;
    }
    const reader = new SegmentReader(folder, mark.position);
    this.#sources.push({ folder, mark, reader, lines: [] });
    this.#added += count;
  }

  peek(): readonly Entry[] {
    for (;;) {
      const [source] = this.#sources;
      if (source === undefined) {
        // A file was changed while it was read.
        this.#giveUp(this.#added - this.#settled);
        return [];
      }
      if (source.lines.length === 0) this.#read(source);
      if (source.lines.length > 0) return takeBatch(source.lines.map(entryOf));
      this.#finish(source);
    }
  }

  #read(source: Source): void {
    for (;;) {
      const { lines, damaged } = source.reader.read(LIMITS.batchDecisions, LIMITS.batchBytes);
      source.lines = lines;
      this.#giveUp(damaged);
      if (lines.length > 0 || damaged === 0) return;
    }
  }

  #finish({ folder, mark }: Source): void {
    this.#sources.shift();
    mark.close();
    rmSync(folder, { recursive: true, force: true });
  }

  #giveUp(decisions: number): void {
    if (decisions <= 0) return;
    this.#settled += decisions;
    const message = `${decisions} decisions of a former process cannot be read`;
    this.#report({ kind: 'unreadable', message, decisions });
  }

  settle(count: number): void {
    const [source] = this.#sources;
    const last = source?.lines[count - 1];
    if (source === undefined || last === undefined) return;
    this.#settled += count;
    source.lines = source.lines.slice(count);
    source.mark.write(last.end);
    if (source.lines.length > 0) return;
    this.#read(source);
    if (source.lines.length === 0) this.#finish(source);
  }

  close(): void {
    for (const { mark } of this.#sources) mark.close();
  }
}

function entryOf({ json, isStamped, bytes }: ReadLine): Entry {
  return { json, isStamped, bytes: bytes - LINE_OVERHEAD };
}
