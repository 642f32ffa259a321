import type { Range } from '@decision-ledger/contract/time';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { followerPosition } from '../../../../platform/followers/positions.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { type Filter, inHours } from '../rules/filter.js';
import { analyticsConditions } from './conditions.js';

/** The estimates of one state of a ledger, stored or not. */
export interface EstimateTables {
  /** Tables with the columns of `liability_estimates`; no decision is in two of them. */
  readonly sources: readonly Sql[];
  /** Those of later decisions may be in the tables already: they are left out. */
  readonly as_of_seq: number;
}

/** The same as one table, of which only the rows up to `as_of_seq` count. */
export function estimatesTable({ sources }: EstimateTables): Sql {
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return only;
  return sql`(${join(
    sources.map((source) => sql`select * from ${source} as source`),
    ' union all ',
  )})`;
}

/**
 * A query over slices of a ledger's decisions. A slice has `at` (a time within its hour), agent_id,
 * action_type and sums over its decisions: decisions, confidence, overseen, exposure, realised, squares,
 * stake and unconverted. A detailed one also has the version of the agent (variant), events,
 * event_squares, sizes and denied. All sums are decimals: they do not depend on the order of what is added.
 */
export interface Question {
  readonly known: EstimateTables;
  readonly columns: Sql;
  /** The clauses after FROM: GROUP BY and so on. */
  readonly rest?: Sql;
  readonly isDetailed?: boolean;
  /** More rows of the same columns, as a SELECT. */
  readonly more?: Sql;
}

const NEW_DETAILS = raw(`, e.variant, e.events::numeric as events,
  e.events::numeric * e.events::numeric as event_squares, e.sizes, e.denied::integer as denied`);
const CELL_DETAILS = raw(', c.variant, c.events, c.event_squares, c.sizes, c.denied');
const EDGE_DETAILS = raw(`, e.variant, e.events::numeric, e.events::numeric * e.events::numeric,
  e.sizes, e.denied::integer`);

/**
 * Sums over decisions by timestamp, exact to the millisecond. Whole hours are read from the cells; the
 * edges, and decisions that are in no cell yet, are read one by one. One statement reads one snapshot of
 * both.
 */
export async function sumSlices<Row extends object>(
  ledger: LedgerReader,
  filter: Filter,
  { known, columns, rest = empty, isDetailed = false, more }: Question,
): Promise<Row[]> {
  const { whole, edges } = inHours(filter);
  const parts = [
    ...(whole === null ? [] : [cells(ledger.ledgerId, { ...filter, ...whole }, isDetailed)]),
    ...edges.map((edge) => atEdge(ledger.ledgerId, filter, edge, isDetailed)),
    ...(more === undefined ? [] : [more]),
  ];
  // The lower bound is unknown to the planner; the upper one makes it expect few rows.
  return ledger.query<Row>(sql`
    select ${columns} from (
      select e."timestamp" as at, e.agent_id, e.action_type, 1 as decisions,
        e.confidence::numeric as confidence,
        (e.oversight <> 'none')::integer as overseen, e.exposure, e.realised,
        (e.exposure - e.realised) * (e.exposure - e.realised) as squares, e.stake, e.unconverted
        ${isDetailed ? NEW_DETAILS : empty}
      from ${estimatesTable(known)} e
      where e.ledger_id = ${ledger.ledgerId} and e.seq > ${summedSeq(ledger.ledgerId)}
        and e.seq <= ${known.as_of_seq}${analyticsConditions('e', filter)}
      ${parts.length === 0 ? empty : sql`union all ${join(parts, ' union all ')}`}
    ) as slice ${rest}`);
}

function cells(ledgerId: string, filter: Filter, isDetailed: boolean): Sql {
  return sql`
    select c.hour, c.agent_id, c.action_type, c.decisions, c.confidence, c.overseen,
      c.exposure, c.realised, c.squares, c.stake, c.unconverted${isDetailed ? CELL_DETAILS : empty}
    from exposure_cells c where c.ledger_id = ${ledgerId}${analyticsConditions('c', filter, 'hour')}`;
}

/** Searches the decisions, which have an index by time. */
function atEdge(ledgerId: string, filter: Filter, edge: Range, isDetailed: boolean): Sql {
  return sql`
    select d."timestamp", e.agent_id, e.action_type, 1, e.confidence::numeric,
      (e.oversight <> 'none')::integer, e.exposure, e.realised,
      (e.exposure - e.realised) * (e.exposure - e.realised), e.stake, e.unconverted
      ${isDetailed ? EDGE_DETAILS : empty}
    from decisions d
    join liability_estimates e on e.ledger_id = ${ledgerId} and e.seq = d.seq
    where d.ledger_id = ${ledgerId} and d.seq <= ${summedSeq(ledgerId)}
      ${analyticsConditions('d', { ...filter, ...edge })}`;
}

/** Decisions up to here are in the cells. */
function summedSeq(ledgerId: string): Sql {
  return followerPosition(ledgerId, 'estimates', 'decisions');
}
