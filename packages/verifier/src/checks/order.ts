/** Checks that records are in the order of a time, then of a key. */
export class Order<Key extends number | string> {
  #before: { readonly time: string; readonly key: Key } | null = null;

  /** @returns whether the record comes after the one of the call before */
  follows(time: string, key: Key): boolean {
    const before = this.#before;
    this.#before = { time, key };
    return before === null || time > before.time || (time === before.time && key > before.key);
  }
}
