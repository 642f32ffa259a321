import type { ChainPoint, RunStart } from '@decision-ledger/proof/bundle/manifest';

/**
 * The decisions of a run, in about 60 bytes each: seq, hash, both times, whether it is in the range or
 * withheld, and whether its record was seen.
 */
export class Run {
  #seqs = new Float64Array(64);
  #hashes = new Uint8Array(64 * 32);
  #flags = new Uint8Array(64);
  /** In ms. */
  #times = new Float64Array(64);
  #recorded = new Float64Array(64);
  #count = 0;
  /** Ids by seq. */
  readonly #chosen = new Map<number, string>();

  get count(): number {
    return this.#count;
  }

  /** Ignores a seq that is not above the previous one. */
  add({ timestamp, created_at, ...point }: Dated, isInRange: boolean): void {
    const at = this.#append(point, isInRange ? IN_RANGE : 0);
    if (at === null) return;
    this.#times[at] = Date.parse(timestamp);
    this.#recorded[at] = Date.parse(created_at);
  }

  /** Adds an entry that is known by its hash alone. */
  withhold(point: ChainPoint): void {
    const at = this.#append(point, WITHHELD);
    if (at === null) return;
    this.#times[at] = Number.NaN;
    this.#recorded[at] = Number.NaN;
  }

  /** @param at below `count` */
  at(at: number): ChainPoint {
    return { seq: this.#seqs[at] ?? 0, hash: this.#hash(at) };
  }

  /** Null for an empty run. */
  get first(): Place | null {
    return this.#count === 0 ? null : this.#place(0);
  }

  get last(): Place | null {
    return this.#count === 0 ? null : this.#place(this.#count - 1);
  }

  /** Hash of the entry with that seq, or null. */
  hashAt(seq: number): string | null {
    const at = this.#find(seq);
    return at < 0 ? null : this.#hash(at);
  }

  isInRange(seq: number): boolean {
    return this.#has(seq, IN_RANGE);
  }

  isSeen(seq: number): boolean {
    return this.#has(seq, SEEN);
  }

  isWithheld(seq: number): boolean {
    return this.#has(seq, WITHHELD);
  }

  see(seq: number): void {
    const at = this.#find(seq);
    if (at >= 0) this.#flags[at] = (this.#flags[at] ?? 0) | SEEN;
  }

  /** Notes that the filter of the other bundle, which this one is compared with, chooses a decision. */
  choose(seq: number, id: string): void {
    this.#chosen.set(seq, id);
  }

  /** The decisions that the filter of the other bundle chooses, with their ids. */
  *chosen(): Generator<Place & { readonly id: string }> {
    for (const [seq, id] of this.#chosen) {
      const at = this.#find(seq);
      if (at >= 0) yield { ...this.#place(at), id };
    }
  }

  /** Seqs of the entries in the range without a record. */
  *unseen(): Generator<number> {
    for (let at = 0; at < this.#count; at++) {
      const flags = this.#flags[at] ?? 0;
      if ((flags & IN_RANGE) !== 0 && (flags & SEEN) === 0) yield this.#seqs[at] ?? 0;
    }
  }

  /** All entries, as far as they are known: the times of those that are withheld are not numbers. */
  *places(): Generator<Place> {
    for (let at = 0; at < this.#count; at++) yield this.#place(at);
  }

  /** When each entry was decided and recorded, but for those that are withheld. */
  *times(): Generator<Omit<Place, 'hash'>> {
    for (let at = 0; at < this.#count; at++) {
      if (((this.#flags[at] ?? 0) & WITHHELD) !== 0) continue;
      const [seq, time] = [this.#seqs[at] ?? 0, this.#times[at] ?? 0];
      yield { seq, time, recorded: this.#recorded[at] ?? 0 };
    }
  }

  /** @returns null for a seq that is not above the previous one */
  #append({ seq, hash }: ChainPoint, flags: number): number | null {
    if (this.#count > 0 && seq <= (this.#seqs[this.#count - 1] ?? 0)) return null;
    if (this.#count === this.#seqs.length) this.#grow();
    const at = this.#count++;
    this.#seqs[at] = seq;
    this.#flags[at] = flags;
    for (let i = 0; i < 32; i++) {
      this.#hashes[at * 32 + i] = Number.parseInt(hash.slice(i * 2, i * 2 + 2), 16);
    }
    return at;
  }

  #place(at: number): Place {
    const [time, recorded] = [this.#times[at] ?? 0, this.#recorded[at] ?? 0];
    return { ...this.at(at), time, recorded };
  }

  #has(seq: number, flag: number): boolean {
    const at = this.#find(seq);
    return at >= 0 && ((this.#flags[at] ?? 0) & flag) !== 0;
  }

  #hash(at: number): string {
    let hash = '';
    for (const byte of this.#hashes.subarray(at * 32, at * 32 + 32)) {
      hash += byte.toString(16).padStart(2, '0');
    }
    return hash;
  }

  #find(seq: number): number {
    let [low, high] = [0, this.#count - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.#seqs[middle] ?? 0;
      if (found === seq) return middle;
      if (found < seq) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #grow(): void {
    const size = this.#seqs.length * 2;
    const seqs = new Float64Array(size);
    const hashes = new Uint8Array(size * 32);
    const flags = new Uint8Array(size);
    const times = new Float64Array(size);
    const recorded = new Float64Array(size);
    times.set(this.#times);
    recorded.set(this.#recorded);
    seqs.set(this.#seqs);
    hashes.set(this.#hashes);
    flags.set(this.#flags);
    [this.#seqs, this.#hashes, this.#flags] = [seqs, hashes, flags];
    [this.#times, this.#recorded] = [times, recorded];
  }
}

/** An entry of the run; times in ms, and not numbers where it is withheld. */
interface Place extends ChainPoint {
  /** When it was decided. */
  readonly time: number;
  readonly recorded: number;
}

/** A decision with its times. */
interface Dated extends ChainPoint {
  readonly timestamp: string;
  readonly created_at: string;
}

const IN_RANGE = 1;
const SEEN = 2;
const WITHHELD = 4;

export function isSamePoint(a: ChainPoint | null, b: ChainPoint | null): boolean {
  return a?.seq === b?.seq && a?.hash === b?.hash;
}

export function isSameStart(a: RunStart | null, b: RunStart | null): boolean {
  return isSamePoint(a, b) && a?.prev_hash === b?.prev_hash;
}

/** A record of a chain, as shown in a finding. */
export function describePoint(point: ChainPoint | null): string {
  return point === null ? 'none' : `seq ${point.seq} (${point.hash})`;
}

/** The first record of a run, as shown in a finding. */
export function describeStart(start: RunStart | null): string {
  return start === null ? 'none' : `${describePoint(start)} after ${start.prev_hash}`;
}
