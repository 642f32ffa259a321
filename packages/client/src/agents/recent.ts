/** What was seen lately, by its id. The oldest is forgotten beyond a bound: what waits for an end may never have one. */
export class Recent<Value> {
  readonly #bound: number;
  readonly #values = new Map<string, Value>();

  constructor(bound = 10_000) {
    this.#bound = bound;
  }

  has(id: string): boolean {
    return this.#values.has(id);
  }

  get(id: string): Value | undefined {
    return this.#values.get(id);
  }

  set(id: string, value: Value): void {
    this.#values.set(id, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#bound && oldest !== undefined) this.#values.delete(oldest);
  }

  /** Forgets it, so that it counts once. */
  take(id: string): Value | undefined {
    const value = this.#values.get(id);
    this.#values.delete(id);
    return value;
  }
}
