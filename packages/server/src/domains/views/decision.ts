import type { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { readDecision } from '../decisions/index.js';
import { readLinksOfDecision } from '../links/index.js';

/**
 * A decision with the links that stand.
 * @throws LedgerError `not_found`
 */
export async function viewDecision(
  db: Queryable,
  scope: Scope,
  decisionId: string,
): Promise<DecisionInDetail> {
  const decision = await readDecision(db, scope, decisionId);
  return { ...decision, links: await readLinksOfDecision(db, scope, decisionId) };
}
