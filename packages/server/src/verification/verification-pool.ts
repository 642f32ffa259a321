import { Worker } from 'node:worker_threads';
import type { Reconciliation } from '@decision-ledger/contract/chain';
import { unavailable } from '@decision-ledger/contract/errors';
import type { ChainVerifier, ReadVerification, Reconciler } from '../http/chain-verification.js';
import type { ChainName } from '../platform/chain/head.js';
import type { Verification } from '../platform/chain/verify.js';
import type { DatabaseAddress } from '../platform/connection.js';
import type { Scope } from '../platform/principal.js';
import type {
  Task,
  TaskReport,
  TaskRequest,
  VerificationThreadData,
  VerifyTask,
} from './messages.js';

const MAX_RUNS_PER_LEDGER = 2;

type Report = Exclude<TaskReport, { readonly error: string }>;

interface Pending {
  readonly resolve: (report: Report) => void;
  readonly reject: (error: Error) => void;
}

export interface VerificationPool extends ChainVerifier, Reconciler {
  close(): Promise<void>;
}

/**
 * Called after each verification, before its callers are answered.
 * @param isWhole whether it says something of the whole chain: a failure against an anchor may be a wrong anchor
 */
export type OnVerified = (
  scope: Scope,
  chain: ChainName,
  verification: Verification,
  isWhole: boolean,
) => Promise<void>;

/**
 * A pool of one worker thread, started on first use. Identical concurrent requests share a run; a third
 * different request for the same ledger is refused.
 */
export function verificationPool(
  address: DatabaseAddress,
  onVerified: OnVerified = () => Promise.resolve(),
): VerificationPool {
  const runs = new Map<string, Map<string, Promise<ReadVerification>>>();
  const reconciliations = new Map<string, Promise<Reconciliation>>();
  const pending = new Map<number, Pending>();
  let thread: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const workerData: VerificationThreadData = { address };
    const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData });
    worker.unref();
    worker.on('message', (report: TaskReport) => settle(pending, report));
    worker.on('error', (error) => rejectAll(error));
    worker.on('exit', () => rejectAll(new Error('the verification thread ended')));
    return worker;
  }

  function rejectAll(cause: Error): void {
    thread = null;
    for (const { reject } of pending.values()) {
      reject(unavailable('the verification was interrupted', 1, cause));
    }
    pending.clear();
  }

  function post(task: Task): Promise<Report> {
    const worker = thread ?? start();
    thread = worker;
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      worker.postMessage({ ...task, id } satisfies TaskRequest);
    });
  }

  async function runAndReport(work: VerifyTask): Promise<ReadVerification> {
    const report = await post(work);
    if (!('verification' in report)) throw new Error('the thread answered another task');
    const { verification } = report;
    const { range, anchor } = work.request;
    const isWhole =
      range.start === undefined &&
      range.end === undefined &&
      (anchor === null || verification.finding === null);
    await onVerified(work.scope, work.chain, verification, isWhole);
    return verification;
  }

  async function runReconciliation(scope: Scope): Promise<Reconciliation> {
    const report = await post({ task: 'reconcile', scope });
    if (!('reconciliation' in report)) throw new Error('the thread answered another task');
    return report.reconciliation;
  }

  return {
    reconcile(scope) {
      const shared = reconciliations.get(scope.ledgerId);
      if (shared !== undefined) return shared;
      const run = runReconciliation(scope).finally(() => reconciliations.delete(scope.ledgerId));
      reconciliations.set(scope.ledgerId, run);
      return run;
    },
    async verify(scope, chain, request) {
      const ofLedger = runs.get(scope.ledgerId) ?? new Map<string, Promise<ReadVerification>>();
      runs.set(scope.ledgerId, ofLedger);
      const key = JSON.stringify([chain, request]);
      const shared = ofLedger.get(key);
      if (shared !== undefined) return shared;
      if (ofLedger.size >= MAX_RUNS_PER_LEDGER) {
        throw unavailable('two verifications of this ledger are already running', 5);
      }
      const run = runAndReport({ task: 'verify', scope, chain, request }).finally(() => {
        ofLedger.delete(key);
        if (ofLedger.size === 0) runs.delete(scope.ledgerId);
      });
      ofLedger.set(key, run);
      return run;
    },
    async close() {
      await thread?.terminate();
    },
  };
}

function settle(pending: Map<number, Pending>, report: TaskReport): void {
  const waiting = pending.get(report.id);
  pending.delete(report.id);
  if (!('error' in report)) waiting?.resolve(report);
  else waiting?.reject(report.unavailable ? unavailable(report.error) : new Error(report.error));
}
