import { briefText } from '@decision-ledger/proof/replay/state';
import type { StatedReversal } from '@decision-ledger/proof/reversal';
import { type ActivityFacts, unpack } from './activity-facts.js';
import type { Movements } from './movements.js';

/** What an event is named by: brief texts. */
interface Naming {
  readonly source: string | undefined;
  readonly type: string | undefined;
  readonly reference: string | undefined;
}

/** Which movements the disclosed reports say that they reverse. */
export class Reversals {
  readonly #activity: ActivityFacts;
  readonly #movements: Movements;
  /** Ids of disclosed events by source and reference; null until it is asked for. */
  #named: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(activity: ActivityFacts, movements: Movements) {
    this.#activity = activity;
    this.#movements = movements;
  }

  /**
   * Whether the reports of a movement name a payment, or a reversal whose reports name it; null if what they name is not
   * disclosed and could be such a reversal.
   */
  reaches(lead: string, payment: string): boolean | null {
    const named = this.#reversedBy(lead);
    if (named === null) return null;
    if (named.leads.has(payment)) return true;
    let isUnknown = named.isUnknown;
    for (const first of named.leads) {
      const second = this.#reversedBy(first);
      if (second?.leads.has(payment) === true) return true;
      if (second === null || second.isUnknown) isUnknown = true;
    }
    return isUnknown ? null : false;
  }

  /** The disclosed movements that one says that it reverses; null if one of its reports is withheld. */
  #reversedBy(lead: string) {
    const found = { leads: new Set<string>(), isUnknown: false };
    for (const id of this.#movements.membersOf(lead)) {
      const own = this.#namingOf(id);
      if (own === null) return null;
      for (const stated of this.#activity.reversals.get(id) ?? []) {
        const meant = this.#meantBy(id, own, stated);
        if (meant.length === 0) found.isUnknown = true;
        for (const other of meant) found.leads.add(this.#movements.leadOf(other));
      }
    }
    found.leads.delete(lead);
    return found;
  }

  #meantBy(id: string, { source }: Naming, { reference, types }: StatedReversal): string[] {
    const due = types?.map((type) => briefText(type));
    const others = this.#byName().get(`${source} ${briefText(reference)}`) ?? [];
    return others.filter((other) => {
      const type = this.#namingOf(other)?.type ?? '';
      return other !== id && (due?.includes(type) ?? true);
    });
  }

  #byName(): ReadonlyMap<string, readonly string[]> {
    if (this.#named !== null) return this.#named;
    const named = new Map<string, string[]>();
    for (const id of this.#activity.events.keys()) {
      const naming = this.#namingOf(id);
      if (naming?.reference === undefined) continue;
      const key = `${naming.source} ${naming.reference}`;
      const ids = named.get(key);
      if (ids === undefined) named.set(key, [id]);
      else ids.push(id);
    }
    this.#named = named;
    return named;
  }

  /** What was recorded of an event; null if it is withheld. */
  #namingOf(id: string): Naming | null {
    const [made] = this.#activity.events.get(id)?.changes ?? [];
    if (made === undefined || made.data === null) return null;
    const data = unpack(made);
    const [source, type] = [data.get('source'), data.get('event_type')];
    return { source, type, reference: data.get('external_id') };
  }
}
