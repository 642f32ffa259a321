import type { DatabaseAddress } from '../platform/address.js';
import type { ChainName } from '../platform/chain/head.js';
import type { Verification, VerifyRequest } from '../platform/chain/verify.js';
import type { Scope } from '../platform/scope.js';

/** What the thread is started with. */
export interface ThreadData {
  readonly address: DatabaseAddress;
}

export interface WalkOrder {
  readonly id: number;
  readonly scope: Scope;
  readonly chain: ChainName;
  readonly request: VerifyRequest;
}

export type WalkReport =
  | { readonly id: number; readonly verification: Verification }
  | { readonly id: number; readonly error: string; readonly unavailable: boolean };
