import type { ChainVerificationQuery, Reconciliation } from '@decision-ledger/contract/chain';
import { invalidField } from '@decision-ledger/contract/errors';
import { formatTimestamp, readRange } from '@decision-ledger/contract/time';
import type { ChainName } from '../platform/chain/head.js';
import {
  describeBrokenLink,
  type Verification,
  type VerifyRequest,
} from '../platform/chain/verify.js';
import type { Scope } from '../platform/principal.js';
import type { ReadServer } from '../platform/replica.js';

/** A verification, and the server whose records it read. */
export interface ReadVerification extends Verification {
  readonly server: ReadServer;
}

/** Verifies chains outside the HTTP event loop. */
export interface ChainVerifier {
  verify(scope: Scope, chain: ChainName, request: VerifyRequest): Promise<ReadVerification>;
}

/** Compares tables with their activity chain outside the HTTP event loop. */
export interface Reconciler {
  reconcile(scope: Scope): Promise<Reconciliation>;
}

/** Of routes that verify: their work is done in another thread, which has limits of its own. */
export const IN_THREAD = { isExpensive: false };

/** @throws LedgerError `validation_error` */
export function readVerifyRequest(query: ChainVerificationQuery): VerifyRequest {
  const names = { start: 'start_date', end: 'end_date' };
  const range = readRange(query.start_date, query.end_date, names);
  const { expect_seq: seq, expect_hash: hash } = query;
  if (seq !== undefined && hash !== undefined) return { range, anchor: { seq, hash } };
  if (seq !== undefined) throw invalidField('expect_hash', 'is required with expect_seq');
  if (hash !== undefined) throw invalidField('expect_seq', 'is required with expect_hash');
  return { range, anchor: null };
}

/**
 * The response body of a verification.
 * @param now end of the verification, in ms since the epoch
 */
export function describeVerification<Chain extends ChainName>(
  { finding, recordsChecked, erasedFields, head, server }: ReadVerification,
  chain: Chain,
  now: number,
) {
  return {
    is_valid: finding === null,
    records_checked: recordsChecked,
    first_broken_link: describeBrokenLink(finding, chain),
    verification_timestamp: formatTimestamp(now),
    erased_fields: erasedFields,
    head,
    read_from: server,
  };
}
