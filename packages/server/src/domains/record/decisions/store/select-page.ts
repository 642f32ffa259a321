import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import {
  type PageRows,
  type Place,
  type Slice,
  selectPageRows,
} from '../../../../platform/page.js';
import type { Scope } from '../../../../platform/principal.js';
import { instant } from '../../../../platform/statement.js';
import type { DecisionFilter } from '../rules/filter.js';
import { searchTerm } from '../rules/metadata.js';
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

/** Conditions on rows of `decisions`, each starting with ` and `. Columns are not qualified. */
export interface Choice {
  /** The row matches the filter. */
  readonly chosen: Sql;
  /** It would match but for its metadata, which were erased. Nothing where the filter has none. */
  readonly undecidable: Sql;
}

export function choiceOf({ ledgerId }: Scope, filter: DecisionFilter): Choice {
  const rest = decisionConditions(ledgerId, { ...filter, metadata: [] });
  return {
    chosen: decisionConditions(ledgerId, filter),
    undecidable:
      filter.metadata.length === 0
        ? sql` and false`
        : sql`${rest} and metadata is null and position('"metadata":"' in entry) > 0`,
  };
}

/** The conditions of a filter, starting with ` and `. */
function decisionConditions(ledgerId: string, filter: DecisionFilter): Sql {
  const all: Sql[] = [];
  if (filter.start !== undefined) all.push(sql`"timestamp" >= ${instant(filter.start)}`);
  if (filter.end !== undefined) all.push(sql`"timestamp" < ${instant(filter.end)}`);
  if (filter.humanInLoop !== undefined) all.push(sql`human_in_loop = ${filter.humanInLoop}`);
  if (filter.minConfidence !== undefined) all.push(sql`confidence >= ${filter.minConfidence}`);
  if (filter.maxConfidence !== undefined) all.push(sql`confidence <= ${filter.maxConfidence}`);
  if (filter.agentId !== undefined) {
    all.push(withTerms([searchTerm(ledgerId, 'agent_id', filter.agentId)]));
    all.push(recheck(sql`agent_id = ${filter.agentId}`));
  }
  if (filter.actionType !== undefined) {
    all.push(withTerms([searchTerm(ledgerId, 'action_type', filter.actionType)]));
    all.push(recheck(sql`action_type = ${filter.actionType}`));
  }
  for (const { key, texts } of filter.metadata) {
    all.push(withTerms(texts.map((text) => searchTerm(ledgerId, `metadata.${key}`, text))));
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
