import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { DECISION_VIEW_COLUMNS, type DecisionViewRow } from './decision-row.js';

/** @param decisionId UUID */
export async function selectDecision(
  db: Queryable,
  { ledgerId }: Scope,
  decisionId: string,
): Promise<DecisionViewRow | null> {
  const [row] = await db.query<DecisionViewRow>(sql`
    select ${DECISION_VIEW_COLUMNS} from decisions
    where ledger_id = ${ledgerId} and decision_id = ${decisionId}`);
  return row ?? null;
}
