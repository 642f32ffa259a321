import type { Decision } from '@decision-ledger/contract/decision';
import { notFound } from '@decision-ledger/contract/errors';
import type { Queryable } from '../../platform/database.js';
import { idToUuid } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import { describeDecision } from './describe.js';
import type { DecisionFilter } from './rules/filter.js';
import { selectDecision } from './store/select-decision.js';
import { type PagePosition, selectPage } from './store/select-page.js';

/** @throws LedgerError `not_found` */
export async function readDecision(
  db: Queryable,
  scope: Scope,
  decisionId: string,
): Promise<Decision> {
  const uuid = idToUuid('dec', decisionId);
  const row = uuid === null ? null : await selectDecision(db, scope, uuid);
  if (row === null) throw notFound('decision');
  return describeDecision(row);
}

export interface ListedDecision {
  readonly decision: Decision;
  readonly position: PagePosition;
}

/** Decisions of a ledger, newest first. */
export async function listDecisions(
  db: Queryable,
  scope: Scope,
  filter: DecisionFilter,
  after: PagePosition | null,
  limit: number,
): Promise<ListedDecision[]> {
  const rows = await selectPage(db, scope, filter, after, limit);
  return rows.map((row) => ({
    decision: describeDecision(row),
    position: { timestamp: row.timestamp, decisionId: row.decision_id },
  }));
}
