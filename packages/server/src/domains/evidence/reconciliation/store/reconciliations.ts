import sql from 'sql-template-tag';
import type { LedgerWriter } from '../../../../platform/ledger.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import { type Installation, instant, LEDGERS } from '../../../../platform/statement.js';

/** The last nightly comparison of a ledger. */
export interface ReconciliationRow {
  /** `2026-04-16`. */
  readonly run_day: string;
  /** ms. */
  readonly finished_at: number;
  readonly activity_seq: number;
  /** Null if the chain itself was broken. */
  readonly findings: number | null;
  /** JSON. */
  readonly first_finding: string | null;
}

/** Ledgers that existed when a nightly run was due (ms), and have not had it. */
export async function selectUnreconciledLedgers(
  installation: Installation,
  due: number,
): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ${LEDGERS} as l
    left join reconciliations r on r.ledger_id = l.ledger_id
      and r.run_day >= (${instant(due)} at time zone 'UTC')::date
    where l.created_at < ${instant(due)} and r.ledger_id is null`);
  return rows.map(toScope);
}

export async function upsertReconciliation(
  tx: LedgerWriter,
  row: ReconciliationRow,
): Promise<void> {
  await tx.query(sql`
    insert into reconciliations (ledger_id, run_day, finished_at, activity_seq, findings,
      first_finding)
    values (${tx.ledgerId}, ${row.run_day}::date, ${instant(row.finished_at)}, ${row.activity_seq},
      ${row.findings}, ${row.first_finding})
    on conflict (ledger_id) do update set run_day = excluded.run_day,
      finished_at = excluded.finished_at, activity_seq = excluded.activity_seq,
      findings = excluded.findings, first_finding = excluded.first_finding`);
}
