import type { Range } from '@decision-ledger/contract/range';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import { inHours } from '../rules/hours.js';
import { conditions } from './conditions.js';

/**
 * What is asked of the slices that a filter takes of a ledger's decisions. A slice has `at` (a time
 * within its hour), agent_id, action_type and sums over its decisions: decisions, confidence,
 * overseen, exposure, realised, squares, stake, unconverted and pending (without an estimate).
 */
export interface Question {
  readonly columns: Sql;
  /** What stands behind the slices: GROUP BY and so on. */
  readonly rest?: Sql;
  /** More rows of the same columns, as a SELECT. */
  readonly more?: Sql;
}

/**
 * Asks for sums over decisions, by their own time to the millisecond: whole hours are read from
 * cells, what is left at both ends and what is in no cell yet from the decisions one by one. It is
 * one statement, so that it sees one state of all of these.
 */
export async function sumSlices<Row extends object>(
  db: Queryable,
  { ledgerId }: Scope,
  filter: Filter,
  { columns, rest = empty, more }: Question,
): Promise<Row[]> {
  const { whole, edges } = inHours(filter);
  const parts = [
    ...(whole === null ? [] : [cells(ledgerId, { ...filter, ...whole })]),
    ...edges.map((edge) => atEdge(ledgerId, filter, edge)),
    ...(more === undefined ? [] : [more]),
  ];
  // The upper bound tells the planner, who cannot know the lower one, that few rows are behind it.
  return db.query<Row>(sql`
    select ${columns} from (
      select ${OF_ESTIMATE} from liability_estimates e
      where e.ledger_id = ${ledgerId} and e.seq > ${rolledSeq(ledgerId)}
        and e.seq <= ${Number.MAX_SAFE_INTEGER}${conditions('e', filter)}
      union all
      select d."timestamp", d.agent_id, d.action_type, 1, d.confidence, d.human_in_loop::integer,
        0, 0, 0, 0, 0, 1
      from decisions d
      where d.ledger_id = ${ledgerId} and d.seq >= 1 and d.seq <= ${unestimatedSeq(ledgerId)}
        and not exists (select from liability_estimates e
          where e.ledger_id = ${ledgerId} and e.seq = d.seq offset 0)${conditions('d', filter)}
      ${parts.length === 0 ? empty : sql`union all ${join(parts, ' union all ')}`}
    ) as slice ${rest}`);
}

const OF_ESTIMATE = raw(`e."timestamp" as at, e.agent_id, e.action_type, 1 as decisions,
  e.confidence, (e.oversight <> 'none')::integer as overseen, e.exposure, e.realised,
  (e.exposure - e.realised) * (e.exposure - e.realised) as squares, e.stake, e.unconverted,
  0 as pending`);

function cells(ledgerId: string, filter: Filter): Sql {
  return sql`
    select c.hour, c.agent_id, c.action_type, c.decisions, c.confidence, c.overseen, c.exposure,
      c.realised, c.squares, c.stake, c.unconverted, 0
    from exposure_cells c where c.ledger_id = ${ledgerId}${conditions('c', filter, 'hour')}`;
}

/** Found through the decisions, which are indexed by time. */
function atEdge(ledgerId: string, filter: Filter, edge: Range): Sql {
  return sql`
    select ${OF_ESTIMATE} from decisions d
    join liability_estimates e on e.ledger_id = ${ledgerId} and e.seq = d.seq
    where d.ledger_id = ${ledgerId} and e.seq <= ${rolledSeq(ledgerId)}
      ${conditions('d', { ...filter, ...edge })}`;
}

/** Estimates up to here are in the cells. */
function rolledSeq(ledgerId: string): Sql {
  return stateOf(ledgerId, 'rolled_seq');
}

/** Decisions up to here may lack an estimate. */
function unestimatedSeq(ledgerId: string): Sql {
  return stateOf(ledgerId, 'unestimated_seq');
}

function stateOf(ledgerId: string, column: 'rolled_seq' | 'unestimated_seq'): Sql {
  return sql`coalesce((
    select s.${raw(column)} from liability_states s where s.ledger_id = ${ledgerId}), 0)`;
}
