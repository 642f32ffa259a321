import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Draft } from './bundle.js';
import { type DisclosedRecord, editActivity, editRows } from './edit.js';
import { refundsStory } from './money.js';
import { movementsStory } from './samples.js';
import { type Json, type Movement, Story } from './story.js';

export type Random = () => number;

const pick = <Item>(items: readonly Item[], random: Random): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
};

/** Tells of movements, links and what reversals take. */
export function tellMoney(story: Story): void {
  movementsStory(story);
  refundsStory({ days: 10 }, story);
}

const TIMES = ['2026-01-10T12:00:00.000Z', '2026-01-30T12:00:00.000Z', '2026-02-02T00:00:00.000Z'];

/** Other values of members, which may be those that they have. */
const VALUES: Readonly<Record<string, (story: Story, random: Random) => JsonValue>> = {
  ...fromList(['source'], ['stripe', 'shop', 'accounting/main', 'bank']),
  ...fromList(['event_type'], ['sale', 'charge', 'refund', 'refund_reversal']),
  ...fromList(['amount'], ['100.00', '97.10', '1.00', '-40.00']),
  ...fromList(['currency'], ['USD', 'EUR']),
  ...fromList(['external_id', 'reverses', 'stripe_charge'], ['ch_1', 're_1', 'P-1', 'P-2']),
  ...fromList(['timestamp'], TIMES),
  ...fromList(['correlation_strength'], [0.25, 0.5, 0.75, 1]),
  ...fromList(['label'], ['confirmed', 'matched', 'guessed']),
  ...fromList(['link_type'], ['revenue', 'refund', 'loss']),
  ...fromList(['status'], ['CONFIRMED', 'INHERITED', 'ML_SUGGESTED', 'REJECTED']),
  ...fromList(['by'], ['person', 'rule', 'deletion', 'supersession']),
  ...fromList(['seconds_apart'], ['0', '60', '216000']),
  decision_id: ({ decisions }, random) => pick(decisions, random).row.decision_id ?? null,
  financial_event_id: anyEvent,
  inherited_from: anyEvent,
  lead: anyEvent,
};

function anyEvent({ events }: Story, random: Random): JsonValue {
  return pick([...events.keys()], random);
}

function fromList(names: readonly string[], values: readonly JsonValue[]) {
  const choose = (_story: Story, random: Random) => pick(values, random);
  return Object.fromEntries(names.map((name) => [name, choose]));
}

/** Changes a member of an object that has one of a known name, also within its metadata. */
function altered(object: Json, story: Story, random: Random): Json {
  const names = Object.keys(object).filter((name) => name in VALUES || name === 'metadata');
  if (names.length === 0) return object;
  const name = pick(names, random);
  const { [name]: before = null } = object;
  if (name === 'metadata') {
    return isObject(before) ? { ...object, metadata: altered(before, story, random) } : object;
  }
  if (random() < 0.1) {
    const { [name]: _gone, ...rest } = object;
    return rest;
  }
  return { ...object, [name]: VALUES[name]?.(story, random) ?? null };
}

const isObject = (value: JsonValue): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A story in which one step is told otherwise than it happened. */
export class MutatedStory extends Story {
  readonly #target: number;
  readonly #random: Random;
  #steps = 0;
  /** What was told instead of what happened. */
  told = '';

  constructor(target: number, random: Random) {
    super();
    this.#target = target;
    this.#random = random;
  }

  /** How many steps may be told otherwise. */
  get steps(): number {
    return this.#steps;
  }

  #tell<Told>(honest: Told, change: (honest: Told) => Told): Told {
    if (this.#steps++ !== this.#target) return honest;
    const told = change(honest);
    this.told = `${JSON.stringify(honest)} → ${JSON.stringify(told)}`;
    return told;
  }

  override recordEvent(body: Json, supersedes?: string): string {
    const told = this.#tell(body, (one) => altered(one, this, this.#random));
    return super.recordEvent(told, supersedes);
  }

  override createLink(decision_id: string, financial_event_id: string, extra: Json = {}): string {
    const told = this.#link({ decision_id, financial_event_id, ...extra });
    const { decision_id: decision = null, financial_event_id: event = null, ...rest } = told;
    return super.createLink(String(decision), String(event), rest);
  }

  override inheritLink(decision_id: string, financial_event_id: string, extra: Json): string {
    const label = { label: 'confirmed', correlation_strength: 0.5 };
    const told = this.#link({ decision_id, financial_event_id, ...label, ...extra });
    const { decision_id: decision = null, financial_event_id: event = null, ...rest } = told;
    return super.inheritLink(String(decision), String(event), rest);
  }

  #link(members: Json): Json {
    return this.#tell(members, (one) => altered(one, this, this.#random));
  }

  override move(
    type: 'movement.paired' | 'movement.parted',
    ...movements: readonly Movement[]
  ): void {
    const told = movements.map((one) => this.#tell(one, (honest) => this.#otherMovement(honest)));
    super.move(type, ...told);
  }

  #otherMovement(movement: Movement): Movement {
    const random = this.#random;
    const other = pick([...this.events.keys()], random);
    const { reports, because = { by: 'person' } } = movement;
    const changes: readonly Movement[] = [
      { ...movement, lead: pick([...reports, other], random) },
      { ...movement, reports: [...new Set([...reports, other])] },
      { ...movement, reports: reports.filter((id) => id !== pick(reports, random)) },
      { ...movement, because: altered(because, this, random) },
      { ...movement, type: pick(['movement.paired', 'movement.parted'], random) },
    ];
    return pick(changes, random);
  }
}

/** Changes the files of a bundle, which is signed again: its rows, or what it discloses of its activity. */
export function mutateFiles(draft: Draft, story: Story, random: Random): void {
  const file = pick(['events.json', 'links.json', 'activity.ndjson'] as const, random);
  if (file === 'activity.ndjson') {
    editActivity(draft, (records) => mutateActivity(records, story, random));
    return;
  }
  editRows(draft, file, (rows) => {
    const at = Math.floor(random() * rows.length);
    const row = rows[at] ?? {};
    const kind = random();
    if (kind < 0.1) rows.splice(at, 1);
    else if (kind < 0.2) rows.splice(at, 0, row);
    else rows[at] = altered(row, story, random);
    return rows;
  });
}

const ABOUT_MONEY = ['financial_event.', 'movement.', 'link.'];

function mutateActivity(records: DisclosedRecord[], story: Story, random: Random): void {
  const ofMoney = records.filter(({ type }) => ABOUT_MONEY.some((start) => type.startsWith(start)));
  const [one, other] = [pick(ofMoney, random), pick(ofMoney, random)];
  const kind = random();
  if (kind < 0.15) one.data = null;
  else if (kind < 0.3) one.when = null;
  else if (kind < 0.5) [one.data, other.data] = [other.data, one.data];
  else if (kind < 0.6) [one.when, other.when] = [other.when, one.when];
  else if (kind < 0.7) records.splice(records.indexOf(one), 1);
  else if (one.data !== null) {
    const [salt, field, value]: [string, string, Json] = JSON.parse(one.data);
    one.data = JSON.stringify([salt, field, altered(value, story, random)]);
  }
}
