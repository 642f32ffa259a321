import type { StreamData } from '@decision-ledger/contract/stream';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Verification } from '../../../platform/chain/verify.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { announce } from './announce.js';

export interface AnnounceTools {
  readonly db: Database;
  readonly clock: Clock;
}

/** Announces the result of verifying a chain. */
export async function announceVerification(
  { db, clock }: AnnounceTools,
  scope: Scope,
  chain: ChainName,
  { finding, recordsChecked, erasedFields, head }: Verification,
): Promise<void> {
  const data: StreamData<'chain.verified'> = {
    chain,
    is_valid: finding === null,
    records_checked: recordsChecked,
    erased_fields: erasedFields,
    head,
  };
  const subject = uuidToId('led', scope.ledgerId);
  const announcement = { type: 'chain.verified', subject, data: { ...data } };
  await db.transaction((tx) => announce(tx, scope, [announcement], clock.now()));
}
