import type { Decision, DecisionQuery } from '@decision-ledger/contract/decision';
import { notFound } from '@decision-ledger/contract/errors';
import type { Queryable } from '../../../platform/database.js';
import { idToUuid } from '../../../platform/ids.js';
import { mapPage, type PageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { describeDecision } from './describe.js';
import { readFilter } from './rules/filter.js';
import { findSeqs, selectDecision } from './store/decisions.js';
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

/**
 * Decisions of a ledger, newest first.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function listDecisions(
  db: Queryable,
  scope: Scope,
  query: DecisionQuery,
  after: PagePosition | null,
  limit: number,
): Promise<PageRows<ListedDecision>> {
  const page = await selectPage(db, scope, readFilter(query), after, limit);
  return mapPage(page, (row) => ({
    decision: describeDecision(row),
    position: { timestamp: row.timestamp, decisionId: row.decision_id },
  }));
}

/**
 * @returns UUID of a decision of the ledger
 * @throws LedgerError `not_found`
 */
export async function findDecision(
  db: Queryable,
  scope: Scope,
  decisionId: string,
): Promise<string> {
  const uuid = idToUuid('dec', decisionId);
  const seqs = uuid === null ? [] : await findSeqs(db, scope, [uuid]);
  if (uuid === null || seqs.length === 0) throw notFound('decision');
  return uuid;
}
