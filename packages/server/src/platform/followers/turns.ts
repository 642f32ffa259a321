/** Something to do for an organisation. */
export interface Owned {
  readonly key: string;
  readonly orgId: string;
}

/** Serves organisations in turn, whatever each of them has to do, and each one once at a time. Its items keep their order. */
export class Turns<Item extends Owned> {
  /** By organisation, the next one first. */
  readonly #waiting = new Map<string, Map<string, Item>>();
  readonly #served = new Set<string>();

  /** An item that waits already keeps its place. */
  add(item: Item): void {
    const own = this.#waiting.get(item.orgId);
    if (own === undefined) this.#waiting.set(item.orgId, new Map([[item.key, item]]));
    else if (!own.has(item.key)) own.set(item.key, item);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Begins the turn of the next organisation, with its first item; null if none waits that is not served already. */
  begin(): Item | null {
    for (const orgId of this.#waiting.keys()) {
      if (this.#served.has(orgId)) continue;
      this.#served.add(orgId);
      return this.next(orgId);
    }
    return null;
  }

  /** Takes the next item of an organisation; null if it has none. */
  next(orgId: string): Item | null {
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
    this.#served.delete(orgId);
    const own = this.#waiting.get(orgId);
    if (own === undefined) return;
    this.#waiting.delete(orgId);
    this.#waiting.set(orgId, own);
  }
}
