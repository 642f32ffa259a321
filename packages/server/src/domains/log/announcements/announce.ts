import type { ChainName } from '../../../platform/chain/head.js';
import type { Verification } from '../../../platform/chain/verify.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import {
  type Announcement,
  advanceHead,
  deleteOfSubject,
  insertAnnouncements,
  lockAnnouncementHead,
} from './store/announcements.js';
import { upsertVerification } from './store/verifications.js';

/**
 * Appends announcements to the log of a ledger. Numbers are assigned under the lock on its head, which
 * lasts until the transaction ends. A reader who has read a number has therefore read all lower ones.
 * @param at ms
 */
export async function announce(
  tx: LedgerWriter,
  announcements: readonly Announcement[],
  at: number,
): Promise<void> {
  if (announcements.length === 0) return;
  const last = await advanceHead(tx, announcements.length);
  await insertAnnouncements(tx, last - announcements.length + 1, announcements, at);
}

/**
 * Deletes the announcements about a subject; the others keep their numbers. The head is locked first,
 * so that pruning cannot delete the same rows in another order.
 */
export async function withdrawAnnouncements(tx: LedgerWriter, subject: string): Promise<void> {
  await lockAnnouncementHead(tx);
  await deleteOfSubject(tx, subject);
}

/**
 * Announces the result of verifying a chain.
 * @param isWhole whether the whole chain was verified; the last such result is kept
 */
export async function announceVerification(
  ledger: Ledger,
  chain: ChainName,
  { finding, recordsChecked, erasedFields, head }: Verification,
  isWhole: boolean,
): Promise<void> {
  const announcement = {
    type: 'chain.verified' as const,
    subject: uuidToId('led', ledger.ledgerId),
    data: {
      chain,
      is_valid: finding === null,
      records_checked: recordsChecked,
      erased_fields: erasedFields,
      head,
    },
  };
  const now = ledger.clock.now();
  await ledger.write(async (tx) => {
    await announce(tx, [announcement], now);
    if (!isWhole) return;
    const { is_valid, records_checked, erased_fields } = announcement.data;
    const at = { head_seq: head.seq, head_hash: head.hash, verified_at: now };
    await upsertVerification(tx, {
      ...{ chain, is_valid, records_checked, erased_fields },
      ...at,
    });
  });
}
