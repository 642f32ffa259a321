import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import type { Scope } from '../../../platform/scope.js';

/** Has the events of a span of time (ms) looked at again. */
export async function updateUncorrelated(
  tx: Queryable,
  { ledgerId }: Scope,
  from: number,
  to: number,
): Promise<void> {
  await tx.query(sql`
    update financial_events set correlated_at = null
    where ledger_id = ${ledgerId} and correlated_at is not null and deleted_at is null
      and "timestamp" between ${instant(from)}
        and ${instant(to)}`);
}
