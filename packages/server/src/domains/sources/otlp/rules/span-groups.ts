import { MarkedText } from '@decision-ledger/client/values';
import { LIMITS } from '@decision-ledger/contract/limits';
import {
  OTLP_VALUE_TYPES,
  type SpanAttribute,
  type SpanGroup,
} from '@decision-ledger/contract/otlp';
import { type Attributes, type Span, truncateText } from './span.js';

/** What arrived, and what became of it. */
export type Arrival = Pick<
  SpanGroup,
  'signal' | 'scope' | 'scope_version' | 'taken_by' | 'result' | 'reason'
>;

/** A group as it is kept: names and types, never a value. Times in ms. */
export interface KeptGroup extends Arrival {
  readonly hours: readonly (readonly [start: number, count: number])[];
  readonly first_at: number;
  readonly last_at: number;
  readonly attributes: readonly SpanAttribute[];
}

interface Group {
  readonly arrival: Arrival;
  /** Counts by the start of the hour. */
  readonly hours: Map<number, number>;
  /** The types of each name, a bit for each. */
  readonly names: Map<string, number>;
  /** The resource whose attributes were noted last: spans share it. */
  resource: Attributes | null;
  firstAt: number;
  lastAt: number;
}

const HOUR = 3_600_000;
const hourOf = (now: number) => now - (now % HOUR);

/** The start of the first hour that counts: a day has so many. */
export const sinceOf = (now: number) => hourOf(now) - 23 * HOUR;

/** When what arrived in an hour no longer counts. */
export const endOf = (hour: number) => hour + 24 * HOUR;

const LONGEST = 100;

/** What is kept of a name. A copy, because a part of a text keeps the whole of it; PostgreSQL keeps no U+0000. */
const keptName = (name: string) =>
  Buffer.from(truncateText(name, LONGEST)).toString().replaceAll('\0', '\ufffd');

/** Counts what arrives by scope and result. It keeps a bounded number of groups, and of names in each. */
export class SpanGroups {
  readonly #groups = new Map<string, Group>();
  #scopes = 0;
  /** Most spans are of the same group as the one before. */
  #last: Group | null = null;

  /** Counts a span. @returns what it is counted as */
  addSpan(arrival: Arrival, span: Span, now: number): Arrival {
    const group = this.#groupOf(arrival, now);
    count(group, hourOf(now), 1);
    if (group.arrival.scope !== null) noteSpan(group, span);
    return group.arrival;
  }

  /** Counts what has no scope, or was not read. */
  add(arrival: Arrival, now: number): void {
    count(this.#groupOf(arrival, now), hourOf(now), 1);
  }

  /** Counts one that was counted as `from` as `to`. */
  move(from: Arrival, to: Arrival, now: number): void {
    const source = this.#groupOf(from, now);
    const target = this.#groupOf(to, now);
    count(source, hourOf(now), -1);
    count(target, hourOf(now), 1);
    if (target.arrival.scope === null) return;
    for (const [name, types] of source.names) noteName(target, name, types);
  }

  /** Adds what was counted elsewhere, as far as it arrived in the last day. */
  merge(groups: readonly KeptGroup[], now: number): void {
    const since = sinceOf(now);
    for (const { hours, first_at, last_at, attributes, ...arrival } of groups) {
      const counted = hours.filter(([hour]) => hour >= since);
      if (counted.length === 0) continue;
      const group = this.#groupOf(arrival, last_at);
      group.firstAt = Math.min(group.firstAt, first_at);
      for (const [hour, spans] of counted) count(group, hour, spans);
      if (group.arrival.scope === null) continue;
      for (const { name, type } of attributes) noteName(group, name, bitOf(type));
    }
  }

  kept(): KeptGroup[] {
    return [...this.#groups.values()].flatMap((group) => {
      const hours = [...group.hours].filter(([, spans]) => spans > 0);
      if (hours.length === 0) return [];
      const { arrival, firstAt: first_at, lastAt: last_at } = group;
      return [{ ...arrival, hours, first_at, last_at, attributes: attributesOf(group) }];
    });
  }

  #groupOf(arrival: Arrival, now: number): Group {
    const last = this.#last;
    const group = last !== null && isSame(last.arrival, arrival) ? last : this.#find(arrival, now);
    this.#last = group;
    group.lastAt = Math.max(group.lastAt, now);
    return group;
  }

  #find(arrival: Arrival, now: number): Group {
    const key = keyOf(arrival);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const { scope, scope_version } = arrival;
    if (scope === null || scope_version === null) return this.#create(key, arrival, now);
    const cut = { ...arrival, scope: keptName(scope), scope_version: keptName(scope_version) };
    if (cut.scope !== scope || cut.scope_version !== scope_version) return this.#find(cut, now);
    if (this.#scopes >= LIMITS.spanGroups) return this.#find(withoutScope(arrival), now);
    this.#scopes += 1;
    return this.#create(key, cut, now);
  }

  #create(key: string, arrival: Arrival, now: number): Group {
    const [hours, names] = [new Map<number, number>(), new Map<string, number>()];
    const group = { arrival, hours, names, resource: null, firstAt: now, lastAt: now };
    this.#groups.set(key, group);
    return group;
  }
}

const keyOf = ({ signal, scope, scope_version, taken_by, result, reason }: Arrival) =>
  scope === null
    ? `${signal} ${result} ${reason}`
    : `${signal} ${result} ${reason} ${taken_by}\n${scope}\n${scope_version}`;

const isSame = (a: Arrival, b: Arrival) =>
  a.scope === b.scope &&
  a.scope_version === b.scope_version &&
  a.taken_by === b.taken_by &&
  a.reason === b.reason &&
  a.result === b.result &&
  a.signal === b.signal;

const withoutScope = (arrival: Arrival): Arrival => ({
  ...arrival,
  ...{ scope: null, scope_version: null, taken_by: null },
});

function count({ hours }: Group, hour: number, spans: number): void {
  hours.set(hour, (hours.get(hour) ?? 0) + spans);
}

function noteSpan(group: Group, { attributes, events, resource }: Span): void {
  for (const [name, value] of attributes) noteName(group, name, typesOf(value));
  for (const event of events) {
    const prefix = `event:${event.name}:`;
    for (const [name, value] of event.attributes) noteName(group, prefix + name, typesOf(value));
  }
  if (group.resource === resource) return;
  group.resource = resource;
  for (const [name, value] of resource) noteName(group, `resource:${name}`, typesOf(value));
}

/** So many names are collected before all but the first are dropped. */
const COLLECTED = 10 * LIMITS.spanGroupAttributes;

function noteName({ names }: Group, name: string, types: number): void {
  const known = names.get(name);
  if (known !== undefined && (known & types) === types) return;
  const kept = known === undefined ? keptName(name) : name;
  names.set(kept, (names.get(kept) ?? 0) | types);
  if (names.size <= COLLECTED) return;
  for (const dropped of [...names.keys()].sort().slice(LIMITS.spanGroupAttributes)) {
    names.delete(dropped);
  }
}

const bitOf = (type: SpanAttribute['type']) => 1 << OTLP_VALUE_TYPES.indexOf(type);

const [TEXT, JSON_TEXT, NUMBER] = [bitOf('text'), bitOf('json'), bitOf('number')];
const [BOOLEAN, LIST, OBJECT, NULL] = [
  bitOf('boolean'),
  bitOf('list'),
  bitOf('object'),
  bitOf('null'),
];

/** What JSON cannot hold is what it is recorded as: bytes and marked texts are texts. */
function typesOf(value: unknown): number {
  if (typeof value === 'string') return value[0] === '{' || value[0] === '[' ? JSON_TEXT : TEXT;
  if (typeof value === 'number' || typeof value === 'bigint') return NUMBER;
  if (value instanceof MarkedText || value instanceof Uint8Array) return TEXT;
  if (typeof value === 'boolean') return BOOLEAN;
  if (value === null) return NULL;
  return Array.isArray(value) ? LIST : OBJECT;
}

function attributesOf({ names }: Group): SpanAttribute[] {
  return [...names.keys()]
    .sort()
    .flatMap((name) =>
      OTLP_VALUE_TYPES.filter((type) => ((names.get(name) ?? 0) & bitOf(type)) !== 0).map(
        (type) => ({ name, type }),
      ),
    )
    .slice(0, LIMITS.spanGroupAttributes);
}
