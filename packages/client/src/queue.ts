import type { Entry } from './encode.js';
import { LIMITS } from './limits.js';

/** Decisions that wait for a batch, in order. */
export interface Lane {
  /** Number of decisions that ever entered, and that left. */
  readonly added: number;
  readonly settled: number;
  /** Decisions and bytes that wait in memory. */
  readonly queued: number;
  readonly queuedBytes: number;
  /** The next batch; it stays until it is settled. */
  peek(): readonly Entry[];
  /** Removes the first decisions, which are delivered or refused. */
  settle(count: number): void;
}

/** The first decisions that make a batch. */
export function takeBatch(entries: Iterable<Entry>): Entry[] {
  const batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    bytes += entry.bytes + 1;
    if (batch.length > 0 && bytes > LIMITS.batchBytes) break;
    batch.push(entry);
    if (batch.length === LIMITS.batchDecisions) break;
  }
  return batch;
}

/** A queue in memory with a limit of decisions and of bytes. */
export class MemoryQueue implements Lane {
  #entries: Entry[] = [];
  /** Index of the first entry: moving all others for each batch would cost more. */
  #first = 0;
  #bytes = 0;
  #added = 0;
  #settled = 0;

  constructor(
    readonly maxDecisions: number,
    readonly maxBytes: number,
  ) {}

  get added(): number {
    return this.#added;
  }

  get settled(): number {
    return this.#settled;
  }

  get queued(): number {
    return this.#entries.length - this.#first;
  }

  get queuedBytes(): number {
    return this.#bytes;
  }

  /** @returns false if the queue is full */
  add(entry: Entry): boolean {
    if (this.queued >= this.maxDecisions || this.#bytes + entry.bytes > this.maxBytes) return false;
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    this.#added += 1;
    return true;
  }

  peek(): readonly Entry[] {
    const end = Math.min(this.#entries.length, this.#first + LIMITS.batchDecisions);
    return takeBatch(this.#entries.slice(this.#first, end));
  }

  settle(count: number): void {
    const end = this.#first + count;
    for (const entry of this.#entries.slice(this.#first, end)) this.#bytes -= entry.bytes;
    this.#first = end;
    this.#settled += count;
    if (this.#first * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}
