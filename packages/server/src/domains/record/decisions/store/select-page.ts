import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import { instant } from '../../../../platform/instant.js';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';
import type { Scope } from '../../../../platform/scope.js';
import type { DecisionFilter } from '../rules/filter.js';
import { term } from '../rules/terms.js';
import { DECISION_VIEW_COLUMNS, type DecisionViewRow } from './decisions.js';

/** Position of the last row of the previous page. */
export interface PagePosition {
  /** ms. */
  readonly timestamp: number;
  /** UUID. */
  readonly decisionId: string;
}

/**
 * Newest first: timestamp descending, then id descending. ORDER BY names the table because a bare name
 * would mean the output column, which has no index.
 */
export async function selectPage(
  db: Queryable,
  { ledgerId }: Scope,
  filter: DecisionFilter,
  after: PagePosition | null,
  limit: number,
): Promise<PageRows<DecisionViewRow>> {
  const rows = sql`
    select * from decisions
    where ledger_id = ${ledgerId}${conditions(ledgerId, filter)}${afterPosition(after)}
    order by decisions."timestamp" desc, decisions.decision_id desc`;
  return selectPageRows<DecisionViewRow>(db, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('decisions'),
  columns: DECISION_VIEW_COLUMNS,
  order: raw('"timestamp" desc, decision_id desc'),
  bytes: raw(`coalesce(octet_length(inputs), 0) + coalesce(octet_length(outputs), 0)
    + coalesce(octet_length(alternatives), 0) + coalesce(octet_length(metadata), 0)`),
};

function afterPosition(after: PagePosition | null): Sql {
  if (after === null) return empty;
  return sql` and ("timestamp", decision_id) < (${instant(after.timestamp)}, ${after.decisionId}::uuid)`;
}

function conditions(ledgerId: string, filter: DecisionFilter): Sql {
  const all: Sql[] = [];
  if (filter.start !== undefined) all.push(sql`"timestamp" >= ${instant(filter.start)}`);
  if (filter.end !== undefined) all.push(sql`"timestamp" < ${instant(filter.end)}`);
  if (filter.humanInLoop !== undefined) all.push(sql`human_in_loop = ${filter.humanInLoop}`);
  if (filter.minConfidence !== undefined) all.push(sql`confidence >= ${filter.minConfidence}`);
  if (filter.maxConfidence !== undefined) all.push(sql`confidence <= ${filter.maxConfidence}`);
  if (filter.agentId !== undefined) {
    all.push(withTerms([term(ledgerId, 'agent_id', filter.agentId)]));
    all.push(recheck(sql`agent_id = ${filter.agentId}`));
  }
  if (filter.actionType !== undefined) {
    all.push(withTerms([term(ledgerId, 'action_type', filter.actionType)]));
    all.push(recheck(sql`action_type = ${filter.actionType}`));
  }
  for (const { key, texts } of filter.metadata) {
    all.push(withTerms(texts.map((text) => term(ledgerId, `metadata.${key}`, text))));
    const value = sql`(metadata::json -> 2 -> ${key}::text)::text`;
    all.push(recheck(sql`${value} = any(${texts}::text[])`));
  }
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}

/**
 * Compares a hit of the index with the decision itself. The CASE hides the condition from the planner,
 * which would take it as independent of the terms, underestimate the rows, and sort them instead of
 * reading them in order.
 */
function recheck(condition: Sql): Sql {
  return sql`case when ${condition} then true else false end`;
}

/** Matches any of the terms, using their index. */
function withTerms(terms: readonly number[]): Sql {
  return sql`terms && ${terms}::integer[]`;
}
