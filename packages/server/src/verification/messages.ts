import type { DatabaseAddress } from '../platform/address.js';
import type { ChainName } from '../platform/chain/head.js';
import type { Verification, VerifyRequest } from '../platform/chain/verify.js';
import type { Scope } from '../platform/scope.js';

/** The workerData of the thread. */
export interface ThreadData {
  readonly address: DatabaseAddress;
}

export interface VerificationRequest {
  readonly id: number;
  readonly scope: Scope;
  readonly chain: ChainName;
  readonly request: VerifyRequest;
}

export type VerificationReport =
  | { readonly id: number; readonly verification: Verification }
  | { readonly id: number; readonly error: string; readonly unavailable: boolean };
