/** Something to do for an organisation. */
export interface Owned {
  readonly key: string;
  readonly orgId: string;
}

/** Serves organisations in turn, whatever each of them has to do. The turns of one are served in their order. */
export class Turns<Item extends Owned> {
  /** By organisation, the next one first. */
  readonly #waiting = new Map<string, Map<string, Item>>();

  /** An item that waits already keeps its place. */
  add(item: Item): void {
    const own = this.#waiting.get(item.orgId);
    if (own === undefined) this.#waiting.set(item.orgId, new Map([[item.key, item]]));
    else if (!own.has(item.key)) own.set(item.key, item);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Takes the first item of the organisation whose turn it is, which is the last one after it; null if none waits. */
  next(): Item | null {
    for (const [orgId, own] of this.#waiting) {
      this.#waiting.delete(orgId);
      this.#waiting.set(orgId, own);
      return this.nextOf(orgId);
    }
    return null;
  }

  /** Takes the next item of an organisation; null if it has none. */
  nextOf(orgId: string): Item | null {
    const own = this.#waiting.get(orgId);
    for (const [key, item] of own ?? []) {
      own?.delete(key);
      if (own?.size === 0) this.#waiting.delete(orgId);
      return item;
    }
    return null;
  }
}
