import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { Clock } from '../../platform/clock.js';
import type { IdempotencyMark } from '../../platform/idempotency.js';
import type { IdFactory } from '../../platform/ids.js';
import type { RandomPool } from '../../platform/random.js';
import type { Scope } from '../../platform/scope.js';
import { readRisk } from '../liability/index.js';
import type { Appended } from './commit-group.js';
import type { GroupWriter } from './group-writer.js';
import { prepareDecision } from './rules/prepare.js';

export interface AppendTools {
  readonly writer: GroupWriter;
  readonly clock: Clock;
  readonly ids: IdFactory;
  readonly random: RandomPool;
}

/**
 * Records decisions: all of them in the order given, one behind the other, or none.
 * @param tellsLiability whether the receipts hold the first estimates
 * @param paths where each body stands in the request, for error messages
 * @throws LedgerError `validation_error`, `idempotency_conflict`, `unavailable`
 */
export async function appendDecisions(
  { writer, clock, ids, random }: AppendTools,
  scope: Scope,
  bodies: readonly DecisionBody[],
  tellsLiability: boolean,
  paths: (index: number) => string,
  idempotency: IdempotencyMark | null,
): Promise<Appended> {
  const now = clock.now();
  const salt = () => random.base64url(16);
  const decisions = bodies.map((body, index) =>
    prepareDecision(body, {
      ledgerId: scope.ledgerId,
      decisionId: ids.uuid(),
      now,
      salt,
      risk: readRisk(body),
      path: paths(index),
    }),
  );
  return writer.append(scope, { decisions, tellsLiability, idempotency });
}
