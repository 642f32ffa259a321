import type { Reconciliation } from '@decision-ledger/contract/chain';
import type { ReadVerification } from '../http/chain-verification.js';
import type { ChainName } from '../platform/chain/head.js';
import type { VerifyRequest } from '../platform/chain/verify.js';
import type { DatabaseAddress } from '../platform/connection.js';
import type { Scope } from '../platform/principal.js';

/** The workerData of the thread. */
export interface VerificationThreadData {
  readonly address: DatabaseAddress;
}

/** Walk a chain. */
export interface VerifyTask {
  readonly task: 'verify';
  readonly scope: Scope;
  readonly chain: ChainName;
  readonly request: VerifyRequest;
}

/** Compare the tables of a ledger with its activity chain. */
export interface ReconcileTask {
  readonly task: 'reconcile';
  readonly scope: Scope;
}

export type Task = VerifyTask | ReconcileTask;
export type TaskRequest = Task & { readonly id: number };

export type TaskReport =
  | { readonly id: number; readonly verification: ReadVerification }
  | { readonly id: number; readonly reconciliation: Reconciliation }
  | { readonly id: number; readonly error: string; readonly unavailable: boolean };
