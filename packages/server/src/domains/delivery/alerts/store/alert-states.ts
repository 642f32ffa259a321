import sql from 'sql-template-tag';
import { DEAD_LETTERS } from '../../../../platform/jobs/stored-jobs.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import type { Installation } from '../../../../platform/statement.js';
import type { Backlog } from '../rules/alert-state.js';

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
    from pgboss.job where state in ('created', 'retry') and data ->> 'ledger_id' = ${ledger.ledgerId}`);
  return row ?? { oldestWaitingSeconds: 0, deadLetters: 0 };
}

/** Ledgers whose settings mention alerts. */
export async function selectWatchedLedgers(installation: Installation): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    join settings s on s.ledger_id = l.ledger_id
    where s.document like '%"alerts"%'`);
  return rows.map(toScope);
}
