import sql, { empty } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import type { Decided } from '../rules/rows.js';
import { conditions } from './conditions.js';
import { sumSlices } from './sum-slices.js';

/** Where the page before ended. */
export interface AgentPosition {
  /** Decimal text. */
  readonly exposure: string;
  readonly agentId: string;
}

export interface AgentRow extends Decided {
  readonly agent_id: string;
}

/** Agents by the exposure of their decisions, and those whose earlier decisions moved money. */
export async function sumAgents(
  db: Queryable,
  scope: Scope,
  filter: Filter,
  after: AgentPosition | null,
  limit: number,
): Promise<AgentRow[]> {
  const { ledgerId } = scope;
  const columns = sql`agent_id, sum(decisions) as decisions, sum(confidence) as confidence,
    sum(overseen) as overseen, sum(exposure)::text as exposure`;
  const more = sql`
    select null, a.agent_id, null, 0, 0, 0, 0, 0, 0, 0, 0, 0 from link_allocations a
    where a.ledger_id = ${ledgerId}${conditions('a', filter)} group by a.agent_id`;
  const behind =
    after === null
      ? empty
      : sql`having sum(exposure) < ${after.exposure}::numeric
          or (sum(exposure) = ${after.exposure}::numeric and agent_id > ${after.agentId})`;
  const rest = sql`group by agent_id ${behind}
    order by sum(exposure) desc, agent_id limit ${limit}`;
  return sumSlices<AgentRow>(db, scope, filter, { columns, rest, more });
}
