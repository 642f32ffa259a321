/** Checks that records are ordered by a time, then by a key. */
export class Order<Key extends number | string> {
  #before: { readonly time: string; readonly key: Key } | null = null;

  /** @returns whether the record follows that of the previous call */
  follows(time: string, key: Key): boolean {
    const before = this.#before;
    this.#before = { time, key };
    return before === null || time > before.time || (time === before.time && key > before.key);
  }
}
