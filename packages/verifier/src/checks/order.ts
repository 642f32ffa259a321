/** How records stand in their file: by a time, and at the same time by what tells them apart. */
export class Order<Key extends number | string> {
  #before: { readonly time: string; readonly key: Key } | null = null;

  /** Takes the next record, and tells whether it stands behind the one before. */
  follows(time: string, key: Key): boolean {
    const before = this.#before;
    this.#before = { time, key };
    return before === null || time > before.time || (time === before.time && key > before.key);
  }
}
