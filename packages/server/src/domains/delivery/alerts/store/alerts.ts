import sql from 'sql-template-tag';
import { DEAD_LETTERS } from '../../../../platform/jobs/stored-jobs.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import type { Installation } from '../../../../platform/statement.js';
import type { Backlog } from '../rules/alert-state.js';

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

/** Creates the row that lockAlertState locks, if it does not exist. */
export async function insertState(tx: LedgerWriter, state: string): Promise<void> {
  await tx.query(sql`
    insert into alert_states (ledger_id, state, updated_at) values (${tx.ledgerId}, ${state}, now())
    on conflict (ledger_id) do nothing`);
}

/** @returns JSON text of the state, or null while another process has the lock */
export async function lockAlertState(tx: LedgerWriter): Promise<string | null> {
  const [row] = await tx.query<{ state: string }>(sql`
    select state from alert_states where ledger_id = ${tx.ledgerId} for update skip locked`);
  return row?.state ?? null;
}

/** @returns JSON text; null if there is none */
export async function selectAlertState(ledger: LedgerReader): Promise<string | null> {
  const [row] = await ledger.query<{ state: string }>(sql`
    select state from alert_states where ledger_id = ${ledger.ledgerId}`);
  return row?.state ?? null;
}

export async function updateAlertState(tx: LedgerWriter, state: string): Promise<void> {
  await tx.query(sql`
    update alert_states set state = ${state}, updated_at = now() where ledger_id = ${tx.ledgerId}`);
}

/** How long the oldest due job of a ledger has waited, and the number of its dead letters. */
export async function selectObservation(ledger: LedgerReader): Promise<Backlog> {
  const [row] = await ledger.query<Backlog>(sql`
    select
      coalesce(floor(extract(epoch from now() - min(start_after)
        filter (where name <> ${DEAD_LETTERS} and start_after <= now()))), 0)::int
        as "oldestWaitingSeconds",
      (count(*) filter (where name = ${DEAD_LETTERS}))::int as "deadLetters"
    from job where state in ('created', 'retry') and data ->> 'ledger_id' = ${ledger.ledgerId}`);
  return row ?? { oldestWaitingSeconds: 0, deadLetters: 0 };
}

/** Ledgers whose settings mention alerts, or a limit that is watched. */
export async function selectWatchedLedgers(installation: Installation): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    join settings s on s.ledger_id = l.ledger_id
    where s.document like any (array['%"alerts"%', '%"budgets"%', '%"exposure_alert_threshold"%'])`);
  return rows.map(toScope);
}

/** A comparison of the tables with the activity chain that found differences. */
export interface FailedReconciliation {
  /** ms. */
  readonly finished_at: number;
  readonly activity_seq: number;
  readonly findings: number;
  /** JSON. */
  readonly first_finding: string;
}

/** The last comparison, if it found differences and ended after a time (ms). */
export async function selectFailedReconciliation(
  ledger: LedgerReader,
  after: number,
): Promise<FailedReconciliation | null> {
  const [row] = await ledger.query<FailedReconciliation>(sql`
    select (extract(epoch from finished_at) * 1000)::bigint as finished_at, activity_seq, findings,
      first_finding
    from reconciliations
    where ledger_id = ${ledger.ledgerId} and findings > 0
      and finished_at > to_timestamp(${after}::bigint / 1000.0)`);
  return row ?? null;
}

/** What each accounting connection withheld last, even if a later poll no longer did. */
export interface WithheldRow {
  readonly connection_id: string;
  /** JSON. */
  readonly withheld: string;
}

export async function selectWithheld(ledger: LedgerReader): Promise<WithheldRow[]> {
  return ledger.query<WithheldRow>(sql`
    select connection_id, withheld from accounting_connections
    where ledger_id = ${ledger.ledgerId} and withheld is not null
    order by connection_id`);
}
