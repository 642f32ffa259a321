import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { Clock } from '../../../platform/clock.js';
import type { IdempotencyMark, MemberMark } from '../../../platform/idempotency.js';
import type { IdFactory } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/principal.js';
import type { RandomPool } from '../../../platform/random.js';
import type { UploadClaim } from '../uploads/index.js';
import type { GroupWriter } from './group-writer.js';
import type { Appended } from './plan-group.js';
import { inOrder, type Refusal } from './refusals.js';
import {
  canonicalBody,
  type PreparedDecision,
  prepareDecision,
  prepareSteps,
} from './rules/prepare.js';

/** Bytes that are prepared before the event loop handles other requests. */
const CHUNK_BYTES = 512 * 1024;

export interface AppendTools {
  readonly random: RandomPool;
  readonly ids: IdFactory;
  readonly clock: Clock;
  readonly writer: GroupWriter;
}

/** The decisions of a request. */
export interface AppendRequest {
  readonly bodies: readonly DecisionBody[];
  /** The uploads that each body takes; default: none. */
  readonly claims?: readonly (readonly UploadClaim[])[];
  /** Whether the receipts contain the first estimates. */
  readonly withLiability: boolean;
  /** Path of each decision in the request, for error messages. */
  readonly path: (index: number) => string;
  /** The key of the whole request. */
  readonly idempotency: IdempotencyMark | null;
  /** The key of one of the bodies, given its canonical form; absent if none has a key of its own. */
  readonly memberMark?: (at: number, canonical: () => string) => MemberMark | null;
  /** Absent if all or none are recorded. */
  readonly lenient?: LenientRequest;
}

/** A request whose decisions are refused one by one. */
interface LenientRequest {
  /** The place of each body in the request; default: the request has no others. */
  readonly places?: readonly number[];
  /** What was refused before: none of the bodies. */
  readonly refused: readonly Refusal[];
}

/**
 * Records decisions, the new ones contiguous and in the order given: all of them or none, or leniently those that
 * are not refused.
 * @throws LedgerError `validation_error`, `too_late`, `idempotency_conflict`, `unavailable`; leniently, only those
 *   that concern the whole request
 */
export async function appendDecisions(
  { writer, clock, ids, random }: AppendTools,
  scope: Scope,
  { bodies, claims, withLiability, path, idempotency, memberMark, lenient }: AppendRequest,
): Promise<Appended> {
  const now = clock.now();
  const salt = () => random.base64url(16);
  const decisions: PreparedDecision[] = [];
  const memberMarks: (MemberMark | null)[] | null = memberMark === undefined ? null : [];
  const places: number[] = [];
  const refused: Refusal[] = [];
  let bytes = 0;
  for (const [at, body] of bodies.entries()) {
    const index = lenient?.places?.[at] ?? at;
    if (bytes > CHUNK_BYTES) {
      bytes = 0;
      await nextTurn();
    }
    const steps = prepareSteps(body, {
      ledgerId: scope.ledgerId,
      decisionId: ids.uuid(),
      now,
      salt,
      path: path(index),
      claims: claims?.[at] ?? NO_CLAIMS,
    });
    let decision: PreparedDecision;
    try {
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) await nextTurn();
      decision = step.value;
    } catch (error) {
      if (lenient === undefined || !(error instanceof LedgerError)) throw error;
      refused.push({ index, error });
      continue;
    }
    bytes += decision.bytes;
    decisions.push(decision);
    if (lenient !== undefined) places.push(index);
    if (memberMark !== undefined) {
      memberMarks?.push(memberMark(at, () => canonicalBody(body, decision)));
    }
  }
  const estimated = withLiability ? bodies : null;
  const append = { decisions, estimated, idempotency, memberMarks, path };
  // Awaited here, because a promise that an async function returns takes two turns of its own.
  if (lenient === undefined) return await writer.append(scope, append);
  const all = inOrder([...lenient.refused, ...refused]);
  if (decisions.length === 0) return { receipts: [], replayed: false, replays: [], refused: all };
  return await writer.append(scope, {
    ...append,
    path: (index) => path(places[index] ?? index),
    lenient: { places, refused: all },
  });
}

const NO_CLAIMS: readonly UploadClaim[] = [];

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Checks a decision without recording it.
 * @param now ms
 * @throws LedgerError `validation_error`
 */
export function checkDecision(body: DecisionBody, now: number): void {
  const salt = () => 'A'.repeat(22);
  const ids = { ledgerId: NIL_UUID, decisionId: NIL_UUID };
  prepareDecision(body, { ...ids, path: '', now, salt, claims: NO_CLAIMS });
}
