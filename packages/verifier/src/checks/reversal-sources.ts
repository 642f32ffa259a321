import { sourceAt } from '@decision-ledger/proof/inheritance';
import type { ActivityFacts, History } from './activity-facts.js';
import { type MovementLinks, NO_LINKS } from './movement-links.js';
import type { Movements } from './movements.js';
import { Reversals } from './reversals.js';

/** Where a reversal takes its links from, as its reports say. */
export interface Source {
  /** The report that leads the payment; null if it takes nothing. */
  readonly payment: string | null;
  readonly isUnknown: boolean;
  /** Whether its reports name several movements: it takes nothing then. */
  readonly areSeveral: boolean;
  /** The movements that it follows from. */
  readonly leads: readonly string[];
}

/** The payments of reversals, by the reports and links at a place in the chain. */
export class Sources {
  readonly #activity: ActivityFacts;
  readonly #links: ReadonlyMap<string, MovementLinks>;
  readonly #reversals: Reversals;
  readonly #upTo: number;
  #hidesEvents: boolean | null = null;

  constructor(
    activity: ActivityFacts,
    movements: Movements,
    links: ReadonlyMap<string, MovementLinks>,
    upTo: number,
  ) {
    this.#activity = activity;
    this.#links = links;
    this.#upTo = upTo;
    this.#reversals = new Reversals(activity, movements, upTo);
  }

  /** The disclosed events that some events say that they reverse, and what those reverse. */
  namedBy(ids: Iterable<string>): ReadonlySet<string> {
    const first = this.#reversals.namedBy(ids);
    return new Set([...first, ...this.#reversals.namedBy(first)]);
  }

  /** Null if a report of it is withheld. What its reports name is known if the bundle shows all events. */
  sourceOf(lead: string): Source | null {
    const first = this.#reversals.reversedBy(lead);
    if (first === null) return null;
    const [only = null, other] = first.leads;
    const areSeveral = other !== undefined;
    const isFirstUnknown = first.isUnknown && !areSeveral && this.#mayHideEvents();
    const found = { isUnknown: isFirstUnknown, areSeveral, leads: first.leads };
    if (only === null || areSeveral) return { payment: null, ...found };
    const second = this.#reversals.reversedBy(only);
    const before = second?.leads.length === 1 ? second.leads : [];
    const leads = [only, ...before];
    const at = sourceAt(
      lead,
      leads.map((one) => {
        const { isOfPeople, matched } = this.#links.get(one) ?? NO_LINKS;
        return { lead: one, hasCause: isOfPeople || matched.size > 0 };
      }),
    );
    const areUnknown = first.isUnknown || second === null || second.isUnknown;
    const isUnknown = areUnknown && this.#mayHideEvents();
    return { payment: at === null ? null : (leads[at] ?? null), isUnknown, areSeveral, leads };
  }

  /** Whether events were recorded that the bundle does not show. */
  #mayHideEvents(): boolean {
    const { events, hidden } = this.#activity;
    const isHidden = ({ changes: [made] }: History) =>
      made?.isWithheld === true && made.seq <= this.#upTo;
    this.#hidesEvents ??= hidden.length > 0 || [...events.values()].some(isHidden);
    return this.#hidesEvents;
  }
}
