import type { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import type { Liability } from '@decision-ledger/contract/liability';
import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { readDecision } from '../decisions/index.js';
import { listEstimates, readLiability } from '../liability/index.js';
import { readLinksOfDecision } from '../links/index.js';

/**
 * A decision with its estimate and the links that stand.
 * @throws LedgerError `not_found`
 */
export async function viewDecision(
  db: Queryable,
  scope: Scope,
  decisionId: string,
): Promise<DecisionInDetail> {
  const decision = await readDecision(db, scope, decisionId);
  const [liability, links] = await Promise.all([
    readLiability(db, scope, decision.seq),
    readLinksOfDecision(db, scope, decisionId),
  ]);
  return { ...decision, liability, links };
}

/**
 * The estimates of a decision, newest first.
 * @param before only revisions below; null for all
 * @throws LedgerError `not_found`
 */
export async function viewEstimates(
  db: Queryable,
  scope: Scope,
  decisionId: string,
  before: number | null,
  limit: number,
): Promise<Liability[]> {
  const { seq } = await readDecision(db, scope, decisionId);
  return listEstimates(db, scope, seq, before, limit);
}
