import { seeded } from '../../../proof/test/support/seeded.js';

/** Choices that follow from a seed. */
export class RandomChoices {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = seeded(seed);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<Item>(items: Iterable<Item>): Item | undefined {
    const all = [...items];
    return all[this.below(all.length)];
  }

  /** One of these, of which there is at least one. */
  choose<Item>(first: Item, ...others: readonly Item[]): Item {
    return this.pick([first, ...others]) ?? first;
  }
}
