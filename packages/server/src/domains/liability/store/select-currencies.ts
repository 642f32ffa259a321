import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** The currencies that the estimates of a ledger are in, by looking at each. */
export async function selectCurrencies(tx: Queryable, { ledgerId }: Scope): Promise<string[]> {
  const rows = await tx.query<{ currency: string }>(sql`
    select distinct s.currency from liability_snapshots s
    join (
      select distinct snapshot_id from liability_estimates where ledger_id = ${ledgerId}
    ) as e on e.snapshot_id = s.snapshot_id
    where s.ledger_id = ${ledgerId}`);
  return rows.map(({ currency }) => currency);
}
