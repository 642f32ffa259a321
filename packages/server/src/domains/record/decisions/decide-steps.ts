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

/** What is known of a group under the lock of the head. */
export interface Known {
  /** Answers to earlier requests, by key. */
  readonly stored: ReadonlyMap<string, FirstAnswer>;
  /** Uploads that may be taken (UUIDs). */
  readonly open: ReadonlySet<string>;
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

/** What the requests of a group are decided by, in order. */
interface Group {
  readonly stored: ReadonlyMap<string, FirstAnswer>;
  /** The requests that were first to use each key in this group. */
  readonly used: Used;
  /** Uploads that no request before has taken. */
  readonly open: Set<string>;
  /** Null without one. */
  readonly limit: LatenessLimit | null;
}

/** Decides what each request of a group becomes. Pure. */
export function decideSteps(
  appends: readonly Append[],
  { stored, open }: Known,
  limit: LatenessLimit | null,
): readonly GroupStep[] {
  const group: Group = { stored, used: new Map(), open: new Set(open), limit };
  return appends.map((append) => decideStep(append, group));
}

function decideStep(append: Append, group: Group): GroupStep {
  const { idempotency, memberMarks } = append;
  const { used, limit } = group;
  if (append.lenient !== undefined) return decideLeniently(append, group);
  if (idempotency === null && memberMarks === null) {
    return (
      refuseLate(append, null, limit) ??
      refuseTaken(append, null, group) ?? { kind: 'append', append, members: null }
    );
  }
  const fresh: Used = new Map();
  const whole = idempotency === null ? NEW : resolve(idempotency, group, fresh);
  if (whole.kind === 'conflict') return { kind: 'refused', error: idempotencyConflict() };
  if (whole.kind !== 'new') return whole;
  const members: MemberStep[] = [];
  const conflicts: (readonly [number, MemberMark])[] = [];
  for (const [index, mark] of (memberMarks ?? []).entries()) {
    const member = mark === null ? NEW : resolve(mark, group, fresh);
    if (member.kind !== 'conflict') members.push(member);
    else if (mark !== null) conflicts.push([index, mark]);
  }
  if (conflicts.length > 0) return { kind: 'refused', error: memberConflict(append, conflicts) };
  const ofMembers = memberMarks === null ? null : members;
  const refused = refuseLate(append, ofMembers, limit) ?? refuseTaken(append, ofMembers, group);
  if (refused !== null) return refused;
  for (const [key, request] of fresh) used.set(key, request);
  return { kind: 'append', append, members: ofMembers };
}

/** Each decision is new, a repeat, or refused alone. */
function decideLeniently(append: Append, group: Group): GroupStep {
  const { used, limit, open } = group;
  const { idempotency, memberMarks, decisions, path } = append;
  const fresh: Used = new Map();
  const whole = idempotency === null ? NEW : resolve(idempotency, group, fresh);
  if (whole.kind === 'conflict') return { kind: 'refused', error: idempotencyConflict() };
  if (whole.kind !== 'new') return whole;
  const members = decisions.map(({ timestamp, claims }, index): MemberStep => {
    const mark = memberMarks?.[index] ?? null;
    const member = mark === null ? NEW : resolve(mark, group, fresh);
    if (member.kind === 'conflict') {
      return {
        kind: 'refused',
        error: memberConflict(append, mark === null ? [] : [[index, mark]]),
      };
    }
    if (member.kind !== 'new') return member;
    const error = isLate(timestamp, limit)
      ? tooLate([`${path(index)}timestamp`], limit.seconds, ALONE)
      : takeUploads(claims, open, path(index));
    if (error === null) return member;
    // What is not recorded does not use its key.
    if (mark !== null) fresh.delete(mark.key);
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

/**
 * Refuses a request that names an upload which a decision has, or which it names twice. What was recorded before has
 * its uploads.
 * @param members null if all are new
 */
function refuseTaken(
  { decisions, path }: Append,
  members: readonly MemberStep[] | null,
  { open }: Group,
): GroupStep | null {
  if (decisions.every(({ claims }) => claims.length === 0)) return null;
  const left = new Set(open);
  for (const [index, { claims }] of decisions.entries()) {
    if (claims.length === 0 || (members !== null && members[index]?.kind !== 'new')) continue;
    const error = takeUploads(claims, left, path(index));
    if (error !== null) return { kind: 'refused', error };
  }
  for (const id of open) if (!left.has(id)) open.delete(id);
  return null;
}

/** Takes all uploads of a decision, or none. */
function takeUploads(
  claims: PreparedDecision['claims'],
  open: Set<string>,
  path: string,
): LedgerError | null {
  if (claims.length === 0) return null;
  const ids = new Set(claims.map(({ uploadId }) => uploadId));
  if (ids.size === claims.length && claims.every(({ uploadId }) => open.has(uploadId))) {
    for (const id of ids) open.delete(id);
    return null;
  }
  const problem = 'names an upload that has expired, or that another field has taken';
  const fields = claims.map(({ field }) => [path + field, [problem]]);
  return new LedgerError('conflict', `${path}${claims[0]?.field} ${problem}`, {
    details: { fields: Object.fromEntries(fields) },
  });
}

/** @param fresh keys of this request, which join those of the group unless the request is refused */
function resolve(
  { key, request }: IdempotencyMark,
  { stored, used }: Group,
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
