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

  /** Takes the first item of the organisation whose turn it is; null if none waits. */
  next(): Item | null {
    const [orgId] = this.#waiting.keys();
    return orgId === undefined ? null : this.nextOf(orgId);
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

  /** Ends the turn of an organisation: what it has left comes after all others. */
  end(orgId: string): void {
    const own = this.#waiting.get(orgId);
    if (own === undefined) return;
    this.#waiting.delete(orgId);
    this.#waiting.set(orgId, own);
  }
}
