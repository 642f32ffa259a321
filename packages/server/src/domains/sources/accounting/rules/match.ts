import type { SourceProblem, SourceRecord } from './source-record.js';

/** A record that was seen before, and the event that it became. */
export interface KnownRecord {
  readonly key: string;
  /** Of its content when it was recorded. */
  readonly fingerprint: string;
  /** UUID of its latest event. */
  readonly eventId: string;
  readonly isDeleted: boolean;
}

/** What a poll found. */
export interface Found {
  readonly records: readonly SourceRecord[];
  readonly problems: readonly SourceProblem[];
  /** `records` is the complete set: a record that is missing was deleted. */
  readonly isComplete: boolean;
  /** Names of records whose parts, `name/…`, are all among `records`: a part that is missing was deleted. */
  readonly wholes?: readonly string[];
}

/** A known record, and the present content of the same record. */
export interface Succession {
  readonly former: KnownRecord;
  readonly record: SourceRecord;
}

/** The known records of one name; numbers are the ends of their keys. */
interface Group {
  readonly live: KnownRecord[];
  readonly deleted: KnownRecord[];
  /** The highest number. */
  last: number;
}

/** What is certain without a comparison of similar records, and what remains. */
export interface Matched {
  readonly changed: readonly Succession[];
  readonly revived: readonly Succession[];
  /** Records that no known one is certain to be. */
  readonly open: readonly SourceRecord[];
  /** Live records of the books that are missing. */
  readonly missing: readonly KnownRecord[];
  /** Live records that the system says were deleted or voided. */
  readonly deleted: readonly KnownRecord[];
  readonly groups: ReadonlyMap<string, Group>;
}

/** `name/number` of a record that shares its name. */
const NUMBERED = /^((?:code|content)\/.*)\/(\d{1,9})$/s;

/** The name in a key that has a number. */
export function nameOfKey(key: string): string {
  return NUMBERED.exec(key)?.[1] ?? key;
}

/**
 * Finds known records again: by id, by content, or as the only changed one with a code. An unchanged record is part
 * of no list. Takes time in proportion to the number of records.
 */
export function matchRecords(known: readonly KnownRecord[], found: Found): Matched {
  const byKey = new Map(known.map((record) => [record.key, record]));
  const groups = groupKnown(known);
  const result: Results = { changed: [], revived: [], open: [], deleted: [] };
  const ids = new Map<string, SourceRecord>();
  const named = new Map<string, SourceRecord[]>();
  for (const record of found.records) {
    if (record.identity === 'id') ids.set(record.name, record);
    else pushTo(named, record.name, record);
  }
  const kept = new Set(found.problems.flatMap(({ about }) => about?.name ?? []));
  for (const record of ids.values()) matchById(record, byKey.get(record.name), result);
  const wholes = new Set(found.wholes ?? []);
  const isLeftOut = ({ key, isDeleted }: KnownRecord) =>
    !isDeleted && !ids.has(key) && wholes.has(key.slice(0, key.lastIndexOf('/')));
  if (wholes.size > 0) result.deleted.push(...known.filter(isLeftOut));
  for (const [name, records] of named) {
    matchByName(records, groups.get(name), { ...result, isAmbiguous: kept.has(name) });
  }
  const isMissing = ({ key, isDeleted }: KnownRecord) =>
    !isDeleted && !ids.has(key) && !kept.has(key) && !NUMBERED.test(key);
  const unnamed = [...groups.values()].flatMap(({ live }) => live);
  const missing = found.isComplete ? [...known.filter(isMissing), ...unnamed] : [];
  return { ...result, missing, groups };
}

interface Results {
  readonly changed: Succession[];
  readonly revived: Succession[];
  readonly open: SourceRecord[];
  readonly deleted: KnownRecord[];
}

function matchById(record: SourceRecord, former: KnownRecord | undefined, to: Results): void {
  if (record.event === null) {
    if (former !== undefined && !former.isDeleted) to.deleted.push(former);
  } else if (former === undefined) to.open.push(record);
  else if (former.isDeleted) to.revived.push({ former, record });
  else if (former.fingerprint !== record.fingerprint) to.changed.push({ former, record });
}

/** @param isAmbiguous whether a record of this name cannot be read, and may be any of them */
function matchByName(
  records: readonly SourceRecord[],
  group: Group | undefined,
  { isAmbiguous, ...to }: Results & { readonly isAmbiguous: boolean },
): void {
  if (group === undefined) {
    to.open.push(...records);
    return;
  }
  const changed = takeEqual(group.live, records).rest;
  const returned = takeEqual(group.deleted, changed);
  to.revived.push(...returned.pairs);
  const [record, ...others] = returned.rest;
  const [former, ...rest] = group.live;
  const isCertain = others.length === 0 && rest.length === 0 && !isAmbiguous;
  if (record?.identity === 'code' && former !== undefined && isCertain) {
    group.live.pop();
    to.changed.push({ former, record });
  } else to.open.push(...returned.rest);
}

/** Takes the records with the same content out of a list of known ones, in order. */
function takeEqual(known: KnownRecord[], records: readonly SourceRecord[]) {
  const byContent = new Map<string, KnownRecord[]>();
  for (const record of known.toReversed()) pushTo(byContent, record.fingerprint, record);
  const pairs: Succession[] = [];
  const rest: SourceRecord[] = [];
  for (const record of records) {
    const former = byContent.get(record.fingerprint)?.pop();
    if (former === undefined) rest.push(record);
    else pairs.push({ former, record });
  }
  const taken = new Set(pairs.map(({ former }) => former.key));
  known.splice(0, known.length, ...known.filter(({ key }) => !taken.has(key)));
  return { pairs, rest };
}

function groupKnown(known: readonly KnownRecord[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  const numberOf = ({ key }: KnownRecord) => Number(NUMBERED.exec(key)?.[2]);
  for (const record of known) {
    const name = NUMBERED.exec(record.key)?.[1];
    if (name === undefined) continue;
    const group = groups.get(name) ?? { live: [], deleted: [], last: 0 };
    group.last = Math.max(group.last, numberOf(record));
    (record.isDeleted ? group.deleted : group.live).push(record);
    groups.set(name, group);
  }
  const inOrder = (one: KnownRecord, other: KnownRecord) => numberOf(one) - numberOf(other);
  for (const { live, deleted } of groups.values()) {
    live.sort(inOrder);
    deleted.sort(inOrder);
  }
  return groups;
}

/** Adds a value to the list of a key. */
export function pushTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
