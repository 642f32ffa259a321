import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { Clock } from '../../../platform/clock.js';
import type { IdempotencyMark } from '../../../platform/idempotency.js';
import type { IdFactory } from '../../../platform/ids.js';
import type { RandomPool } from '../../../platform/random.js';
import type { Scope } from '../../../platform/scope.js';
import type { LiabilityModels, Risk } from '../../judgement/liability/index.js';
import type { GroupWriter } from './group-writer.js';
import type { Appended } from './plan-group.js';
import { type PreparedDecision, prepareDecision } from './rules/prepare.js';

/** Bytes that are prepared before the event loop handles other requests. */
const CHUNK_BYTES = 512 * 1024;

export interface AppendTools {
  readonly writer: GroupWriter;
  readonly models: LiabilityModels;
  readonly clock: Clock;
  readonly ids: IdFactory;
  readonly random: RandomPool;
}

/**
 * Records decisions: all of them, contiguous and in the order given, or none.
 * @param withLiability whether the receipts contain the first estimates
 * @param paths path of each body in the request, for error messages
 * @throws LedgerError `validation_error`, `idempotency_conflict`, `unavailable`
 */
export async function appendDecisions(
  { writer, models, clock, ids, random }: AppendTools,
  scope: Scope,
  bodies: readonly DecisionBody[],
  withLiability: boolean,
  paths: (index: number) => string,
  idempotency: IdempotencyMark | null,
): Promise<Appended> {
  const now = clock.now();
  const { risk } = await models.get(scope);
  const salt = () => random.base64url(16);
  const decisions: PreparedDecision<Risk>[] = [];
  let bytes = 0;
  for (const [index, body] of bodies.entries()) {
    if (bytes > CHUNK_BYTES) {
      bytes = 0;
      await nextTurn();
    }
    const decision = prepareDecision(body, {
      ledgerId: scope.ledgerId,
      decisionId: ids.uuid(),
      now,
      salt,
      risk: risk.read(body),
      path: paths(index),
    });
    bytes += decision.bytes;
    decisions.push(decision);
  }
  return writer.append(scope, { decisions, withLiability, idempotency });
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
  prepareDecision(body, { ...ids, path: '', now, salt, risk: null });
}
