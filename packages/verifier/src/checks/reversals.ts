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

/** What a statement of a report means. */
interface Meant {
  /** Disclosed events, whether they stand or not. */
  readonly ids: readonly string[];
  /** The reports that lead the movements of those that stand. */
  readonly leads: ReadonlySet<string>;
}

/** What the reports of a movement say that it reverses. */
export interface Reversed {
  /** The reports that lead the disclosed movements: the only one, none, or two of several. */
  readonly leads: readonly string[];
  /** Whether they name something that is not disclosed. */
  readonly isUnknown: boolean;
}

const DELETED = 'financial_event.deleted';

/** Which movements the disclosed reports say that they reverse, at a place in the chain. */
export class Reversals {
  readonly #activity: ActivityFacts;
  readonly #movements: Movements;
  readonly #upTo: number;
  /** Ids of disclosed events by source and reference; null until it is asked for. */
  #named: ReadonlyMap<string, readonly string[]> | null = null;
  // A hostile bundle may name one event many thousands of times: each is looked up once.
  readonly #meant = new Map<string, Meant>();
  readonly #reversed = new Map<string, Reversed | null>();

  constructor(activity: ActivityFacts, movements: Movements, upTo: number) {
    this.#activity = activity;
    this.#movements = movements;
    this.#upTo = upTo;
  }

  /** What the reports of a movement that stand name, of what stands; null if one of its reports is withheld. */
  reversedBy(lead: string): Reversed | null {
    const known = this.#reversed.get(lead);
    if (known !== undefined) return known;
    const reversed = this.#read(lead);
    this.#reversed.set(lead, reversed);
    return reversed;
  }

  #read(lead: string): Reversed | null {
    const members = this.#movements.membersOf(lead);
    const leads = new Set<string>();
    let isUnknown = false;
    for (const id of members) {
      const own = this.#namingOf(id);
      if (own === null) return null;
      if (!this.#stands(id)) continue;
      for (const stated of this.#activity.reversals.get(id) ?? []) {
        const meant = this.#meantBy(own, stated);
        if (!meant.ids.some((other) => other !== id)) isUnknown = true;
        for (const other of meant.leads) {
          if (other !== lead) leads.add(other);
          if (leads.size > 1) break;
        }
      }
    }
    return { leads: [...leads].slice(0, 2), isUnknown };
  }

  /** The disclosed events that some events name, whether they stand or not, with all events of their movements. */
  namedBy(ids: Iterable<string>): ReadonlySet<string> {
    const named = new Set<string>();
    const seen = new Set<Meant>();
    for (const id of ids) {
      const own = this.#activity.reversals.has(id) ? this.#namingOf(id) : null;
      if (own === null) continue;
      for (const stated of this.#activity.reversals.get(id) ?? []) {
        const meant = this.#meantBy(own, stated);
        if (seen.has(meant)) continue;
        seen.add(meant);
        for (const other of meant.ids) named.add(other);
      }
    }
    const leads = new Set([...named].map((id) => this.#movements.leadOf(id)));
    for (const lead of leads) for (const id of this.#movements.membersOf(lead)) named.add(id);
    return named;
  }

  #meantBy({ source }: Naming, { reference, types }: StatedReversal): Meant {
    const name = `${source} ${briefText(reference)}`;
    const key = `${name} ${types?.join() ?? ''}`;
    const known = this.#meant.get(key);
    if (known !== undefined) return known;
    const due = types?.map((type) => briefText(type));
    const ids = (this.#byName().get(name) ?? []).filter(
      (id) => due?.includes(this.#namingOf(id)?.type ?? '') ?? true,
    );
    const standing = ids.filter((id) => this.#stands(id));
    const leads = new Set(standing.map((id) => this.#movements.leadOf(id)));
    const meant = { ids, leads };
    this.#meant.set(key, meant);
    return meant;
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

  /** Whether an event was recorded, and not deleted. */
  #stands(id: string): boolean {
    const changes = this.#activity.events.get(id)?.changes ?? [];
    const [made] = changes;
    if (made === undefined || made.seq > this.#upTo) return false;
    return !changes.some(({ seq, type }) => type === DELETED && seq <= this.#upTo);
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
