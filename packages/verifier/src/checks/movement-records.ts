import type { Shape } from '@decision-ledger/proof/bundle/shape';
import type { ActivityEntry } from '@decision-ledger/proof/entry';
import type { When } from '@decision-ledger/proof/when';
import { type ActivityFacts, timesKey, unpack } from './activity-facts.js';
import { absolute, compare, parseDecimal } from './agent-statement/decimal.js';

/** What a record of a movement says that cannot be true. */
interface Contradiction {
  readonly code: 'movement_differs' | 'when_differs';
  readonly problem: string;
}

/** Who may have changed a movement, as its record states it. */
const CAUSES = ['person', 'rule', 'deletion', 'supersession'];
const ENGINE = 'engine';

/** Compares the disclosed records of movements with the events that they name, and with earlier ones, in the order of the chain. */
export class MovementRecords {
  readonly #facts: ActivityFacts;
  /** The reports of the movement of an event; null if a later record withholds them. */
  readonly #reports = new Map<string, readonly string[] | null>();

  constructor(facts: ActivityFacts) {
    this.#facts = facts;
  }

  /** Skips a record whose data are withheld. */
  withhold(subject: string): void {
    this.#reports.set(subject, null);
  }

  /**
   * What is wrong with a record; null if nothing is.
   * @throws ShapeError if the data do not have the form of that kind of change
   */
  contradiction(entry: ActivityEntry, data: Shape, when: When): Contradiction | null {
    const { subject } = entry;
    const reports = data.texts('reports');
    const former = this.#reports.has(subject) ? this.#reports.get(subject) : [subject];
    this.#reports.set(subject, reports);
    const problem =
      contradictionOfReports(subject, data, reports) ??
      contradictionOfCause(entry, data) ??
      contradictionOfType(entry.type, data, former ?? null) ??
      this.#contradictionOfRule(subject, data, reports);
    if (problem !== null) return { code: 'movement_differs', problem };
    const untimely = this.#contradictionOfTimes(subject, reports, former ?? null, when);
    return untimely === null ? null : { code: 'when_differs', problem: untimely };
  }

  /** A record states the times of all reports of its movement, and of the one that it changed. */
  #contradictionOfTimes(
    subject: string,
    reports: readonly string[],
    former: readonly string[] | null,
    { others }: When,
  ): string | null {
    if (others === undefined) return null;
    const stated = new Map<string, number>();
    const count = (key: string, by: 1 | -1) => stated.set(key, (stated.get(key) ?? 0) + by);
    for (const event of others) count(timesKey({ event }), 1);
    let areKnown = former !== null;
    for (const id of new Set([...reports, ...(former ?? [])])) {
      const time = id === subject ? null : (this.#facts.events.get(id)?.when ?? null);
      if (time !== null) count(time, -1);
      else if (id !== subject) areKnown = false;
    }
    const counts = [...stated.values()];
    if (counts.some((left) => left < 0)) return 'it does not state the times of all its events';
    return areKnown && counts.some((left) => left > 0)
      ? 'it states times of events that it is not about'
      : null;
  }

  /** What a rule is said to have compared is what the events say. */
  #contradictionOfRule(subject: string, data: Shape, reports: readonly string[]): string | null {
    const partner = data.optText('with');
    if (partner === null) return null;
    if (partner === subject || !reports.includes(partner)) {
      return `it pairs the event with ${partner}, which is not of its movement`;
    }
    const compared = data.optObject('compared');
    if (compared === null) return null;
    const [own, other] = [this.#recorded(subject), this.#recorded(partner)];
    if (own === null || other === null) return null;
    const apart = Math.abs(own.timestamp - other.timestamp) / 1000;
    const isApart = compared.optText('seconds_apart') === String(apart);
    if (!isApart) return `the events are ${apart} seconds apart, and it says otherwise`;
    const first = moneyIn(compared, '');
    const second = compared.has('other_amount') ? moneyIn(compared, 'other_') : first;
    const isStated =
      (isSame(own, first) && isSame(other, second)) ||
      (isSame(own, second) && isSame(other, first));
    return isStated ? null : 'the events do not have the amounts and currencies that it compared';
  }

  /** What was recorded of an event; null if it is withheld. */
  #recorded(id: string) {
    const [made] = this.#facts.events.get(id)?.changes ?? [];
    if (made === undefined || made.isWithheld) return null;
    const data = unpack(made);
    const textOf = (name: string) => data.get(name)?.replace(/^"|"$/g, '') ?? '';
    return {
      amount: textOf('amount'),
      currency: textOf('currency'),
      timestamp: Date.parse(textOf('timestamp')),
    };
  }
}

interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** What a rule compared of one of two events. */
function moneyIn(compared: Shape, prefix: '' | 'other_'): Money {
  const textOf = (name: string) => compared.optText(`${prefix}${name}`) ?? '';
  return { amount: textOf('amount'), currency: textOf('currency') };
}

/** Whether it is the same money but for its sign. */
function isSame(one: Money, other: Money): boolean {
  const [first, second] = [parseDecimal(one.amount), parseDecimal(other.amount)];
  if (first === null || second === null || one.currency !== other.currency) return false;
  return compare(absolute(first), absolute(second)) === 0;
}

function contradictionOfReports(
  subject: string,
  data: Shape,
  reports: readonly string[],
): string | null {
  if (new Set(reports).size < reports.length) return 'it names a report twice';
  if (!reports.includes(subject)) return 'it names a movement without the event that it is about';
  const lead = data.text('lead');
  return reports.includes(lead) ? null : `${lead} leads a movement that it is not of`;
}

function contradictionOfCause({ actor }: ActivityEntry, data: Shape): string | null {
  const cause = data.text('by');
  if (!CAUSES.includes(cause)) return `it names ${cause} as its cause`;
  if (cause === 'rule' && actor !== ENGINE) return `it says that a rule did what ${actor} did`;
  return cause === 'person' && actor === ENGINE
    ? 'it says that a person did what the engine did'
    : null;
}

/** What a person said of two events may leave the movements as they are. */
function contradictionOfType(
  type: string,
  data: Shape,
  former: readonly string[] | null,
): string | null {
  if (former === null) return null;
  const before = new Set(former);
  const reports = data.texts('reports');
  const isWithin = reports.every((report) => before.has(report));
  const isParted = isWithin && reports.length < before.size;
  const isSaid = data.text('by') === 'person' && (data.has('from') || data.has('withdrawn'));
  if (isSaid && isWithin && !isParted) return null;
  if (isParted === (type === 'movement.parted')) return null;
  return isParted ? 'it takes events out of the movement' : 'it takes no event out of the movement';
}
