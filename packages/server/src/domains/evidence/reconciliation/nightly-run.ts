import type { Reconciliation } from '@decision-ledger/contract/chain';
import { Type } from 'typebox';
import type { Verification, VerifyRequest } from '../../../platform/chain/verify.js';
import { type Clock, lastDueDay, lastDueTime } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import type { Installation } from '../../../platform/statement.js';
import { sealTables } from './seal.js';
import { selectUnreconciledLedgers, upsertReconciliation } from './store/reconciliations.js';

/** Compares the tables of a ledger with its activity chain. A retry starts again. */
export const RECONCILIATION = {
  name: 'reconciliation',
  data: Type.Object({}),
  once: 'key',
  retries: 4,
  firstDelay: 5,
  longestDelay: 3600,
  timeout: 21_600,
} as const;

/** Time of day (UTC) of the nightly run: after those of the estimates and of the months. */
const RUN_AT = 4 * 3_600_000;

/** Walks chains and compares tables in another thread. */
export interface ReconciliationThread {
  verify(scope: Scope, chain: 'activity', request: VerifyRequest): Promise<Verification>;
  reconcile(scope: Scope): Promise<Reconciliation>;
}

export interface NightlyReconciliationTools {
  readonly reconciliationThread: ReconciliationThread;
}

/** Queues a job for each ledger whose nightly run is due, including missed runs. A new ledger has missed none. */
export async function requestDueReconciliations({
  db,
  installation,
  clock,
  jobs,
}: {
  readonly db: Database;
  readonly installation: Installation;
  readonly clock: Clock;
  readonly jobs: JobQueue;
}): Promise<void> {
  const due = lastDueTime(clock.now(), RUN_AT);
  for (const scope of await selectUnreconciledLedgers(installation, due)) {
    await jobs.send(db.ledger(scope), RECONCILIATION, {}, 'nightly');
  }
}

const WHOLE: VerifyRequest = { range: { start: undefined, end: undefined }, anchor: null };

/** Compares the tables of a ledger with its activity chain and keeps the result for alerts and metrics. */
export async function runReconciliation(
  ledger: Ledger,
  tools: NightlyReconciliationTools,
): Promise<void> {
  const { reconciliationThread } = tools;
  const runDay = lastDueDay(ledger.clock.now(), RUN_AT);
  const { finding, head } = await reconciliationThread.verify(ledger.scope, 'activity', WHOLE);
  const result = finding === null ? await reconciliationThread.reconcile(ledger.scope) : null;
  // What is sealed is taken as right, so nothing is while something is wrong.
  if (result?.is_reconciled === true) await sealTables(ledger);
  const [first] = result?.findings ?? [];
  await ledger.write((tx) =>
    upsertReconciliation(tx, {
      run_day: runDay,
      finished_at: tx.clock.now(),
      activity_seq: result?.activity_seq ?? head.seq,
      findings: result?.findings_count ?? null,
      first_finding: first === undefined ? null : JSON.stringify(first),
    }),
  );
}

export async function reconciliationJobs(
  jobs: JobQueue,
  tools: NightlyReconciliationTools,
): Promise<void> {
  await jobs.work(RECONCILIATION, (ledger) => runReconciliation(ledger, tools));
}
