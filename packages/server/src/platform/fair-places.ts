import { unavailable } from '@decision-ledger/contract/errors';

/** A place that is taken until it is given back. */
export interface Place {
  /** Gives it back. Further calls have no effect. */
  release(): void;
}

export interface PlaceLimits {
  /** Places in all. */
  readonly all: number;
  /** Places of one owner. */
  readonly each: number;
  /** Callers of one owner that wait; any further one is refused. */
  readonly waiting: number;
}

type Grant = (place: Place) => void;

/**
 * Shares places among owners. A free one goes to the owner with the fewest, among these to the one that has waited longest
 * for its turn, and there to the first caller.
 */
export class FairPlaces {
  readonly #limits: PlaceLimits;
  readonly #taken = new Map<string, number>();
  /** The owner whose turn was longest ago comes first. */
  readonly #waiting = new Map<string, Grant[]>();
  #all = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a place, at once if one is free.
   * @throws LedgerError `unavailable` if too many callers of this owner wait
   */
  take(owner: string): Place | Promise<Place> {
    if (this.#isFree(owner) && !this.#waiting.has(owner)) return this.#grant(owner);
    const queue = this.#waiting.get(owner) ?? [];
    if (queue.length >= this.#limits.waiting) {
      throw unavailable('too many requests of this organisation wait: send fewer at the same time');
    }
    this.#waiting.set(owner, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  #isFree(owner: string): boolean {
    return this.#all < this.#limits.all && this.#takenBy(owner) < this.#limits.each;
  }

  #takenBy(owner: string): number {
    return this.#taken.get(owner) ?? 0;
  }

  #grant(owner: string): Place {
    this.#count(owner, 1);
    let isTaken = true;
    return {
      release: () => {
        if (!isTaken) return;
        isTaken = false;
        this.#count(owner, -1);
        this.#serve();
      },
    };
  }

  #count(owner: string, more: number): void {
    this.#all += more;
    const taken = this.#takenBy(owner) + more;
    if (taken === 0) this.#taken.delete(owner);
    else this.#taken.set(owner, taken);
  }

  #serve(): void {
    for (let owner = this.#next(); owner !== null; owner = this.#next()) {
      const queue = this.#waiting.get(owner) ?? [];
      const grant = queue.shift();
      this.#waiting.delete(owner);
      if (queue.length > 0) this.#waiting.set(owner, queue);
      grant?.(this.#grant(owner));
    }
  }

  /** The owner that a free place goes to; null if there is none, or nobody may have it. */
  #next(): string | null {
    let next: string | null = null;
    for (const owner of this.#waiting.keys()) {
      if (!this.#isFree(owner)) continue;
      if (next === null || this.#takenBy(owner) < this.#takenBy(next)) next = owner;
    }
    return next;
  }
}
