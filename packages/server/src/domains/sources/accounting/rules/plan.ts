import { assignEdits, type Version } from './edits.js';
import { EDITED } from './kept-notes.js';
import {
  type Found,
  type KnownRecord,
  type Matched,
  nameOfKey,
  pushTo,
  type Succession,
} from './match.js';
import type { SourceProblem, SourceRecord, Traits } from './source-record.js';

export interface Creation {
  readonly key: string;
  readonly record: SourceRecord;
}

/** A record under the key that it has from now on. */
export interface Change extends Succession {
  readonly key: string;
}

/** What would make the recorded events equal to the books. */
export interface Plan {
  readonly created: readonly Creation[];
  readonly changed: readonly Change[];
  /** Deleted records that are back. */
  readonly revived: readonly Change[];
  readonly gone: readonly KnownRecord[];
  /** One sentence for each record that cannot be recorded or may have been edited. */
  readonly problems: readonly string[];
  /** Keys of created records that may be edits of records that are gone. */
  readonly unsure: ReadonlySet<string>;
}

export interface PlanTools {
  /** Of the events of missing records, by UUID. */
  readonly traits: ReadonlyMap<string, Traits>;
  /** Why a record cannot be recorded; null if it can. */
  readonly refuse: (record: SourceRecord) => string | null;
}

/**
 * Makes the plan of a poll from what is certain. A record with a problem is left as it is recorded. One that cannot
 * even be identified may be any of the missing ones, so none of these is deleted.
 */
export function makePlan(matched: Matched, { problems }: Found, tools: PlanTools): Plan {
  const open = openOf(matched, problems);
  const changed = matched.changed.map((one) => ({ ...one, key: one.former.key }));
  const { renamed, unsure } = assignSimilar(open, tools);
  const sameCode = assignByCode(open, matched);
  const numbers = numberer(matched);
  const keyed = (one: Succession): Change => ({ ...one, key: keyOf(one, numbers) });
  const revived = [...matched.revived, ...sameCode.revived];
  const all = {
    changed: [...changed, ...renamed.map(keyed), ...sameCode.changed.map(keyed)],
    revived: revived.map((one) => ({ ...one, key: one.former.key })),
    created: [...open.records].map((record) => ({ record, key: newKey(record, numbers) })),
  };
  const isUnknown = problems.some(({ about }) => about === null);
  const sifted = sift(all, tools.refuse);
  const notes = [...unsure, ...sameCode.guessed].map(noteOf);
  const guessed = new Set(unsure.map(({ record }) => record));
  return {
    ...sifted.plan,
    gone: [...matched.deleted, ...(isUnknown ? [] : open.missing)],
    problems: [...new Set([...problems.map(sentence), ...sifted.problems, ...notes])],
    unsure: new Set(
      sifted.plan.created.flatMap(({ key, record }) => (guessed.has(record) ? key : [])),
    ),
  };
}

/** What is not assigned yet. */
interface Open {
  readonly records: Set<SourceRecord>;
  readonly problems: Set<SourceProblem>;
  readonly missing: Set<KnownRecord>;
}

function openOf(matched: Matched, problems: readonly SourceProblem[]): Open {
  return {
    records: new Set(matched.open),
    problems: new Set(problems.filter(({ about }) => about !== null && about.identity !== 'id')),
    missing: new Set(matched.missing),
  };
}

/** Assigns edited records without an id, and keeps the former state of those that cannot be read now. */
function assignSimilar(open: Open, { traits }: PlanTools) {
  const renamed: Succession[] = [];
  const guessed = new Map<SourceRecord, Guess>();
  const former = [...open.missing].flatMap((known) => {
    const was = traits.get(known.eventId);
    return was === undefined ? [] : [{ known, traits: was, content: known.fingerprint }];
  });
  const latter = former.length === 0 ? [] : [...open.records, ...open.problems].flatMap(versionOf);
  const edits = assignEdits(former, latter);
  for (const { former: from, latter: to } of edits.certain) {
    const [was, is] = [former[from], latter[to]];
    if (was === undefined || is === undefined) continue;
    open.missing.delete(was.known);
    if ('reason' in is.now) open.problems.delete(is.now);
    else {
      open.records.delete(is.now);
      renamed.push({ former: was.known, record: is.now });
    }
  }
  for (const { former: from, latter: to } of edits.unsure) {
    const [was, is] = [former[from], latter[to]];
    if (was === undefined || is === undefined) continue;
    // What may be a record that cannot be read now stays.
    if ('reason' in is.now) open.missing.delete(was.known);
    else if (!guessed.has(is.now)) guessed.set(is.now, { record: is.now, was: was.traits });
  }
  return { renamed, unsure: [...guessed.values()] };
}

interface Latter extends Version {
  readonly now: SourceRecord | SourceProblem;
}

function versionOf(now: SourceRecord | SourceProblem, place: number): Latter[] {
  const traits = 'reason' in now ? now.about?.traits : now.traits;
  const content = 'reason' in now ? `problem ${place}` : now.fingerprint;
  return traits === undefined ? [] : [{ now, traits, content }];
}

/** A record that may be the former one. */
interface Guess {
  readonly record: SourceRecord;
  readonly was: Traits | undefined;
}

/** Assigns what shares a code in order, which is a guess where there is more than one. */
function assignByCode(open: Open, { groups }: Matched) {
  const missing = new Map<string, KnownRecord[]>();
  for (const record of [...open.missing].reverse()) pushTo(missing, nameOfKey(record.key), record);
  for (const { about } of open.problems) {
    const kept = about?.identity === 'code' ? missing.get(about.name)?.pop() : undefined;
    if (kept !== undefined) open.missing.delete(kept);
  }
  const changed: Succession[] = [];
  const revived: Succession[] = [];
  for (const record of open.records) {
    if (record.identity !== 'code') continue;
    const former = missing.get(record.name)?.pop();
    const deleted = former === undefined ? groups.get(record.name)?.deleted.shift() : undefined;
    if (former !== undefined) {
      open.missing.delete(former);
      changed.push({ former, record });
    } else if (deleted !== undefined) revived.push({ former: deleted, record });
    else continue;
    open.records.delete(record);
  }
  const guessed = changed.map(({ record }): Guess => ({ record, was: undefined }));
  return { changed, revived, guessed };
}

type NextNumber = (name: string) => number;

function numberer({ groups }: Matched): NextNumber {
  const last = new Map(Array.from(groups, ([name, group]) => [name, group.last]));
  return (name) => {
    const next = (last.get(name) ?? 0) + 1;
    last.set(name, next);
    return next;
  };
}

function keyOf({ former, record }: Succession, next: NextNumber): string {
  return nameOfKey(former.key) === record.name ? former.key : newKey(record, next);
}

function newKey({ name, identity }: SourceRecord, next: NextNumber): string {
  return identity === 'id' ? name : `${name}/${next(name)}`;
}

/** Leaves out what cannot be recorded. */
function sift(plan: Pick<Plan, 'created' | 'changed' | 'revived'>, refuse: PlanTools['refuse']) {
  const problems: string[] = [];
  const isFit = ({ record }: Creation) => {
    const reason = refuse(record);
    if (reason !== null) problems.push(sentence({ where: record.where, reason }));
    return reason === null;
  };
  return {
    plan: {
      created: plan.created.filter(isFit),
      changed: plan.changed.filter(isFit),
      revived: plan.revived.filter(isFit),
    },
    problems,
  };
}

const sentence = ({ where, reason }: Pick<SourceProblem, 'where' | 'reason'>) =>
  `${where}: ${reason}`;

function noteOf({ record: { where }, was }: Guess): string {
  if (was === undefined)
    return `${where}: ${EDITED} Several with its code were changed, and taken in their order`;
  const { day, text, money } = was;
  return `${where}: ${EDITED} It may be what was ${day} ${text}, ${money}; others may be, too`;
}
