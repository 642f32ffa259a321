import type { ChainName } from '../../../platform/chain/head.js';
import type { Verification } from '../../../platform/chain/verify.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { announce } from './announce.js';
import type { Announcement } from './rules/announcement.js';

export interface AnnounceTools {
  readonly db: Database;
  readonly clock: Clock;
}

/** Tells that a chain was verified, and how that ended. */
export async function announceVerification(
  { db, clock }: AnnounceTools,
  scope: Scope,
  chain: ChainName,
  { finding, recordsChecked, erasedFields, head }: Verification,
): Promise<void> {
  const announcement: Announcement = {
    type: 'chain.verified',
    subject: uuidToId('led', scope.ledgerId),
    data: {
      chain,
      is_valid: finding === null,
      records_checked: recordsChecked,
      erased_fields: erasedFields,
      head,
    },
  };
  await db.transaction((tx) => announce(tx, scope, [announcement], clock.now()));
}
