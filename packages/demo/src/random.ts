import { finish, fold } from '@decision-ledger/contract/fold';

/** A seeded source of numbers: the same seed gives the same sequence. */
export class SeededRandom {
  #state: number;

  constructor(seed: string) {
    this.#state = finish(fold(seed));
  }

  /** From 0 to below 1 (Mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  pick<const Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number] {
    return items[this.int(0, items.length - 1)] ?? items[0];
  }

  /** Log-normal, with this median and standard deviation of the logarithm. */
  logNormal(median: number, spread: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * this.next()));
  }

  /** Lower-case letters and digits. */
  code(length: number): string {
    const digits = Array.from({ length }, () => this.int(0, 35).toString(36));
    return digits.join('');
  }
}
