import sql from 'sql-template-tag';
import type { LedgerWriter } from '../../../../platform/ledger.js';

export interface ClaimedAlert {
  readonly alert_id: string;
  /** JSON text. */
  readonly payload: string;
}

/**
 * Claims the undelivered alerts of a ledger for a minute, oldest first. Alerts older than a day are
 * dropped.
 */
export async function claimAlerts(tx: LedgerWriter): Promise<ClaimedAlert[]> {
  const rows = await tx.query<ClaimedAlert>(sql`
    update alerts set claimed_at = now()
    where ledger_id = ${tx.ledgerId} and delivered_at is null
      and created_at > now() - interval '1 day'
      and (claimed_at is null or claimed_at < now() - interval '1 minute')
    returning alert_id, payload`);
  return rows.sort((a, b) => (a.alert_id < b.alert_id ? -1 : 1));
}

/** @param payload JSON text */
export async function insertAlert(
  tx: LedgerWriter,
  alertId: string,
  payload: string,
): Promise<void> {
  await tx.query(sql`
    insert into alerts (ledger_id, alert_id, payload, created_at)
    values (${tx.ledgerId}, ${alertId}, ${payload}, now())`);
}

/** @param alertId UUID */
export async function updateDelivered(tx: LedgerWriter, alertId: string): Promise<void> {
  await tx.query(sql`
    update alerts set delivered_at = now()
    where ledger_id = ${tx.ledgerId} and alert_id = ${alertId}`);
}
