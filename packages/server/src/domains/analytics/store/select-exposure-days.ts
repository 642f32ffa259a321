import { formatTimestamp } from '@decision-ledger/contract/time';
import sql, { empty } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { DayRow } from '../rules/exposure.js';
import type { Filter } from '../rules/filter.js';

/** How the exposure stood after nightly runs, on days that a range holds any moment of. */
export async function selectExposureDays(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, agentId, actionType }: Filter,
): Promise<DayRow[]> {
  const from = start === undefined ? empty : sql` and day >= ${dayOf(start)}::date`;
  const until = end === undefined ? empty : sql` and day <= ${dayOf(end - 1)}::date`;
  const agent = agentId === undefined ? empty : sql` and agent_id = ${agentId}`;
  const type = actionType === undefined ? empty : sql` and action_type = ${actionType}`;
  return db.query<DayRow>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, currency, sum(decisions) as decisions,
      sum(exposure)::text as exposure, sum(realised)::text as realised
    from exposure_days where ledger_id = ${ledgerId}${from}${until}${agent}${type}
    group by exposure_days.day, currency order by exposure_days.day`);
}

/** The day (UTC) of a time (ms). */
function dayOf(ms: number): string {
  return formatTimestamp(ms).slice(0, 10);
}
