import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { instant } from '../../../../platform/statement.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import {
  type PageRows,
  type Place,
  type Slice,
  selectPageRows,
} from '../../../../platform/page.js';
import type { DecisionFilter } from '../rules/filter.js';
import { decisionConditions } from './choice.js';
import { DECISION_VIEW_COLUMNS, type DecisionViewRow } from './decisions.js';

/**
 * Newest first: timestamp descending, then id descending. ORDER BY names the table because a bare name
 * would mean the output column, which has no index.
 */
export async function selectDecisionPage(
  ledger: LedgerReader,
  filter: DecisionFilter,
  { after, limit }: Slice<Place>,
): Promise<PageRows<DecisionViewRow>> {
  const rows = sql`
    select * from decisions
    where ledger_id = ${ledger.ledgerId}${decisionConditions(ledger.ledgerId, filter)}${afterPosition(after)}
    order by decisions."timestamp" desc, decisions.decision_id desc`;
  return selectPageRows<DecisionViewRow>(ledger, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('decisions'),
  columns: DECISION_VIEW_COLUMNS,
  order: raw('"timestamp" desc, decision_id desc'),
  bytes: raw(`coalesce(octet_length(inputs), 0) + coalesce(octet_length(outputs), 0)
    + coalesce(octet_length(alternatives), 0) + coalesce(octet_length(metadata), 0)`),
};

function afterPosition(after: Place | null): Sql {
  if (after === null) return empty;
  return sql` and ("timestamp", decision_id) < (${instant(after.at)}, ${after.id}::uuid)`;
}
