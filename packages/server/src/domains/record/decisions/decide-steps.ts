import type { DecisionBody } from '@decision-ledger/contract/decision';
import { LedgerError, tooLate } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import {
  type FirstAnswer,
  type IdempotencyMark,
  idempotencyConflict,
  type MemberMark,
} from '../../../platform/idempotency.js';
import type { Refusal } from './refusals.js';
import type { PreparedDecision } from './rules/prepare.js';

/** The decisions of one request: the new ones are contiguous in the chain. */
export interface Append {
  readonly decisions: readonly PreparedDecision[];
  /** The bodies of the decisions, if their receipts contain the first estimates; else null. */
  readonly estimated: readonly DecisionBody[] | null;
  /** The key of the whole request. */
  readonly idempotency: IdempotencyMark | null;
  /** The keys of its decisions, one for each; null if no decision has a key. */
  readonly memberMarks: readonly (MemberMark | null)[] | null;
  /** Path of each decision in the request, for error messages. */
  readonly path: (index: number) => string;
  /** Absent if all or none are recorded. */
  readonly lenient?: LenientAppend;
}

/** A request whose decisions are refused one by one. */
export interface LenientAppend {
  /** The place of each decision in the request. */
  readonly places: readonly number[];
  /** What was refused before: neither of `decisions` nor of `places`. */
  readonly refused: readonly Refusal[];
}

/** How old a decision may be that is recorded now. */
export interface LatenessLimit {
  readonly seconds: number;
  /** The earliest timestamp, ms. */
  readonly earliest: number;
}

/** What a request of the group becomes. */
export type GroupStep =
  | {
      readonly kind: 'append';
      readonly append: Append;
      /** One for each decision; null if all are new. */
      readonly members: readonly MemberStep[] | null;
    }
  | Earlier
  | Refused;

/** What a decision of a request becomes. */
export type MemberStep = New | Earlier | Refused;

interface Refused {
  readonly kind: 'refused';
  readonly error: LedgerError;
}

interface New {
  readonly kind: 'new';
}

/** The same key and content as before: stored, or earlier in this group. */
export type Earlier =
  | { readonly kind: 'replay'; readonly answer: FirstAnswer }
  | { readonly kind: 'repeat'; readonly key: string };

const NEW: New = { kind: 'new' };
const CONFLICT = { kind: 'conflict' } as const;

/** MACs of requests, by the MACs of their keys. */
type Used = Map<string, string>;

/**
 * Decides what each request of a group becomes. Pure.
 * @param stored answers to earlier requests, by key
 * @param limit null without one
 */
export function decideSteps(
  appends: readonly Append[],
  stored: ReadonlyMap<string, FirstAnswer>,
  limit: LatenessLimit | null,
): readonly GroupStep[] {
  /** The requests that were first to use each key in this group. */
  const used: Used = new Map();
  return appends.map((append) => decideStep(append, stored, used, limit));
}

function decideStep(
  append: Append,
  stored: ReadonlyMap<string, FirstAnswer>,
  used: Used,
  limit: LatenessLimit | null,
): GroupStep {
  const { idempotency, memberMarks } = append;
  if (append.lenient !== undefined) return decideLeniently(append, stored, used, limit);
  if (idempotency === null && memberMarks === null) {
    return refuseLate(append, null, limit) ?? { kind: 'append', append, members: null };
  }
  const fresh: Used = new Map();
  const whole = idempotency === null ? NEW : resolve(idempotency, stored, used, fresh);
  if (whole.kind === 'conflict') return { kind: 'refused', error: idempotencyConflict() };
  if (whole.kind !== 'new') return whole;
  const members: MemberStep[] = [];
  const conflicts: (readonly [number, MemberMark])[] = [];
  for (const [index, mark] of (memberMarks ?? []).entries()) {
    const member = mark === null ? NEW : resolve(mark, stored, used, fresh);
    if (member.kind !== 'conflict') members.push(member);
    else if (mark !== null) conflicts.push([index, mark]);
  }
  if (conflicts.length > 0) return { kind: 'refused', error: memberConflict(append, conflicts) };
  const late = refuseLate(append, memberMarks === null ? null : members, limit);
  if (late !== null) return late;
  for (const [key, request] of fresh) used.set(key, request);
  return { kind: 'append', append, members: memberMarks === null ? null : members };
}

/** Each decision is new, a repeat, or refused alone. */
function decideLeniently(
  append: Append,
  stored: ReadonlyMap<string, FirstAnswer>,
  used: Used,
  limit: LatenessLimit | null,
): GroupStep {
  const { idempotency, memberMarks, decisions, path } = append;
  const fresh: Used = new Map();
  const whole = idempotency === null ? NEW : resolve(idempotency, stored, used, fresh);
  if (whole.kind === 'conflict') return { kind: 'refused', error: idempotencyConflict() };
  if (whole.kind !== 'new') return whole;
  const members = decisions.map(({ timestamp }, index): MemberStep => {
    const mark = memberMarks?.[index] ?? null;
    const member = mark === null ? NEW : resolve(mark, stored, used, fresh);
    if (member.kind === 'conflict') {
      return {
        kind: 'refused',
        error: memberConflict(append, mark === null ? [] : [[index, mark]]),
      };
    }
    if (member.kind !== 'new' || !isLate(timestamp, limit)) return member;
    // What is not recorded does not use its key.
    if (mark !== null) fresh.delete(mark.key);
    const error = tooLate([`${path(index)}timestamp`], limit.seconds, ALONE);
    return { kind: 'refused', error };
  });
  const isRecorded = members.some(({ kind }) => kind !== 'refused');
  if (isRecorded) for (const [key, request] of fresh) used.set(key, request);
  return { kind: 'append', append, members };
}

const ALONE = 'this decision was not recorded';

function isLate(timestamp: number | null, limit: LatenessLimit | null): limit is LatenessLimit {
  return limit !== null && timestamp !== null && timestamp < limit.earliest;
}

/**
 * Refuses a request with a new decision that is too old. What was recorded before is not: its repeat may
 * come at any time.
 * @param members null if all are new
 */
function refuseLate(
  { decisions, path }: Append,
  members: readonly MemberStep[] | null,
  limit: LatenessLimit | null,
): GroupStep | null {
  if (limit === null) return null;
  const paths = decisions.flatMap(({ timestamp }, index) => {
    const isNew = members === null || members[index]?.kind === 'new';
    return isNew && isLate(timestamp, limit) ? [`${path(index)}timestamp`] : [];
  });
  return paths.length === 0 ? null : { kind: 'refused', error: tooLate(paths, limit.seconds) };
}

/** @param fresh keys of this request, which join those of the group unless the request is refused */
function resolve(
  { key, request }: IdempotencyMark,
  stored: ReadonlyMap<string, FirstAnswer>,
  used: Used,
  fresh: Used,
): MemberStep | typeof CONFLICT {
  const answer = stored.get(key);
  if (answer !== undefined) {
    return answer.request === request ? { kind: 'replay', answer } : CONFLICT;
  }
  const sibling = used.get(key) ?? fresh.get(key);
  if (sibling !== undefined) return sibling === request ? { kind: 'repeat', key } : CONFLICT;
  fresh.set(key, request);
  return NEW;
}

function memberConflict(
  { path, lenient }: Append,
  conflicts: readonly (readonly [number, MemberMark])[],
): LedgerError {
  const problems = conflicts.slice(0, LIMITS.errorFields).map(([index, { text }]) => ({
    path: `${path(index)}idempotency_key`,
    problem: `${text} was already used for a different decision: use a new key for each decision`,
  }));
  const [first] = problems;
  const outcome = lenient === undefined ? 'nothing of this batch was recorded' : ALONE;
  return new LedgerError('idempotency_conflict', `${outcome}: ${first?.path} ${first?.problem}`, {
    details: { fields: Object.fromEntries(problems.map((at) => [at.path, [at.problem]])) },
  });
}
