import { Worker } from 'node:worker_threads';
import { unavailable } from '@decision-ledger/contract/errors';
import type { ChainVerifier } from '../http/chain-verification.js';
import type { DatabaseAddress } from '../platform/address.js';
import type { ChainName } from '../platform/chain/head.js';
import type { Verification } from '../platform/chain/verify.js';
import type { Scope } from '../platform/scope.js';
import type { ThreadData, WalkOrder, WalkReport } from './messages.js';

const MAX_WALKS_PER_LEDGER = 2;

interface Pending {
  readonly resolve: (verification: Verification) => void;
  readonly reject: (error: Error) => void;
}

export interface VerificationDesk extends ChainVerifier {
  close(): Promise<void>;
}

/** Told of each walk that has come to its end; those who asked for it are answered afterwards. */
export type OnVerified = (
  scope: Scope,
  chain: ChainName,
  verification: Verification,
) => Promise<void>;

/**
 * Hands walks to a thread that is started by the first of them. Identical requests under way at
 * once share one walk; a third different one of the same ledger is turned away.
 */
export function verificationDesk(
  address: DatabaseAddress,
  onVerified: OnVerified = () => Promise.resolve(),
): VerificationDesk {
  const walks = new Map<string, Map<string, Promise<Verification>>>();
  const pending = new Map<number, Pending>();
  let thread: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const workerData: ThreadData = { address };
    const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData });
    worker.unref();
    worker.on('message', (report: WalkReport) => settle(pending, report));
    worker.on('error', (error) => abandon(error));
    worker.on('exit', () => abandon(new Error('the verification thread ended')));
    return worker;
  }

  function abandon(cause: Error): void {
    thread = null;
    for (const { reject } of pending.values()) {
      reject(unavailable('the verification was interrupted', 1, cause));
    }
    pending.clear();
  }

  function order(walk: Omit<WalkOrder, 'id'>): Promise<Verification> {
    const worker = thread ?? start();
    thread = worker;
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      worker.postMessage({ ...walk, id } satisfies WalkOrder);
    });
  }

  async function walkAndTell(walk: Omit<WalkOrder, 'id'>): Promise<Verification> {
    const verification = await order(walk);
    await onVerified(walk.scope, walk.chain, verification);
    return verification;
  }

  return {
    async verify(scope, chain, request) {
      const ofLedger = walks.get(scope.ledgerId) ?? new Map<string, Promise<Verification>>();
      walks.set(scope.ledgerId, ofLedger);
      const key = JSON.stringify([chain, request]);
      const shared = ofLedger.get(key);
      if (shared !== undefined) return shared;
      if (ofLedger.size >= MAX_WALKS_PER_LEDGER) {
        throw unavailable('two verifications of this ledger are under way', 5);
      }
      const walk = walkAndTell({ scope, chain, request }).finally(() => {
        ofLedger.delete(key);
        if (ofLedger.size === 0) walks.delete(scope.ledgerId);
      });
      ofLedger.set(key, walk);
      return walk;
    },
    async close() {
      await thread?.terminate();
    },
  };
}

function settle(pending: Map<number, Pending>, report: WalkReport): void {
  const waiting = pending.get(report.id);
  pending.delete(report.id);
  if ('verification' in report) waiting?.resolve(report.verification);
  else waiting?.reject(report.unavailable ? unavailable(report.error) : new Error(report.error));
}
