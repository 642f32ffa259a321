import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { Clock } from '../../../platform/clock.js';
import type { IdempotencyMark, MemberMark } from '../../../platform/idempotency.js';
import type { IdFactory } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/principal.js';
import type { RandomPool } from '../../../platform/random.js';
import type { GroupWriter } from './group-writer.js';
import type { Appended } from './plan-group.js';
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
  /** Whether the receipts contain the first estimates. */
  readonly withLiability: boolean;
  /** Path of each body in the request, for error messages. */
  readonly path: (index: number) => string;
  /** The key of the whole request. */
  readonly idempotency: IdempotencyMark | null;
  /** The key of one decision, given its canonical body; absent if none has a key of its own. */
  readonly memberMark?: (index: number, canonical: () => string) => MemberMark | null;
}

/**
 * Records decisions: all of them or none, the new ones contiguous and in the order given.
 * @throws LedgerError `validation_error`, `too_late`, `idempotency_conflict`, `unavailable`
 */
export async function appendDecisions(
  { writer, clock, ids, random }: AppendTools,
  scope: Scope,
  { bodies, withLiability, path, idempotency, memberMark }: AppendRequest,
): Promise<Appended> {
  const now = clock.now();
  const salt = () => random.base64url(16);
  const decisions: PreparedDecision[] = [];
  const memberMarks: (MemberMark | null)[] | null = memberMark === undefined ? null : [];
  let bytes = 0;
  for (const [index, body] of bodies.entries()) {
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
    });
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) await nextTurn();
    const decision = step.value;
    bytes += decision.bytes;
    decisions.push(decision);
    if (memberMark !== undefined) {
      memberMarks?.push(memberMark(index, () => canonicalBody(body, decision)));
    }
  }
  const estimated = withLiability ? bodies : null;
  // Awaited here, because a promise that an async function returns takes two turns of its own.
  return await writer.append(scope, { decisions, estimated, idempotency, memberMarks, path });
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Checks a decision without recording it.
 * @param now ms
 * @throws LedgerError `validation_error`
 */
export function checkDecision(body: DecisionBody, now: number): void {
  const salt = () => 'A'.repeat(22);
  const ids = { ledgerId: NIL_UUID, decisionId: NIL_UUID };
  prepareDecision(body, { ...ids, path: '', now, salt });
}
