const SMALLEST_SWEEP = 1024;

/**
 * A map that drops idle entries. An idle entry equals a new one, so dropping it changes no result.
 * It sweeps after it has doubled since the last sweep, so it holds at most 1,024 entries or twice
 * the busy entries of that sweep, whichever is more.
 */
export class IdleSweptMap<E> {
  readonly #entries = new Map<string, E>();
  readonly #isIdle: (entry: E, now: number) => boolean;
  #sweepAt = SMALLEST_SWEEP;

  constructor(isIdle: (entry: E, now: number) => boolean) {
    this.#isIdle = isIdle;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): E | undefined {
    return this.#entries.get(key);
  }

  /** @param now in milliseconds */
  add(key: string, entry: E, now: number): void {
    if (this.#entries.size >= this.#sweepAt) this.#sweep(now);
    this.#entries.set(key, entry);
  }

  #sweep(now: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#isIdle(entry, now)) this.#entries.delete(key);
    }
    this.#sweepAt = Math.max(SMALLEST_SWEEP, this.#entries.size * 2);
  }
}
