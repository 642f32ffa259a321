import type { LastVerifications } from '@decision-ledger/contract/chain';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Verification } from '../../../platform/chain/verify.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { Installation } from '../../../platform/statement.js';
import {
  type Announcement,
  advanceHead,
  deleteOfSubject,
  deleteOld,
  insertAnnouncements,
  lockAnnouncementHead,
  selectPrunableLedgers,
  selectVerifications,
  updatePruned,
  upsertVerification,
} from './store/announcements.js';

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

/** The last verification of each whole chain; null for a chain that was never verified. */
export async function readLastVerifications(ledger: LedgerReader): Promise<LastVerifications> {
  const rows = await selectVerifications(ledger);
  const last = (chain: ChainName) => {
    const row = rows.find((each) => each.chain === chain);
    if (row === undefined) return null;
    return {
      is_valid: row.is_valid,
      records_checked: row.records_checked,
      verification_timestamp: formatTimestamp(row.verified_at),
      erased_fields: row.erased_fields,
      head: { seq: row.head_seq, hash: row.head_hash },
    };
  };
  return { decisions: last('decisions'), activity: last('activity') };
}

const KEPT_MS = 7 * 24 * 3600 * 1000;
const STEP = 2000;

export interface PruneTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly installation: Installation;
}

/** Deletes announcements that are more than a week old, in short steps. */
export async function pruneAnnouncements({ db, installation, clock }: PruneTools): Promise<void> {
  const before = clock.now() - KEPT_MS;
  for (const scope of await selectPrunableLedgers(installation, before)) {
    let deleted = STEP;
    while (deleted === STEP) deleted = await pruneStep(db.ledger(scope), before);
  }
}

/** Locks the head first, in the same order as announcing and withdrawing. */
function pruneStep(ledger: Ledger, before: number): Promise<number> {
  return ledger.write(async (tx) => {
    await lockAnnouncementHead(tx);
    const deleted = await deleteOld(tx, before, STEP);
    if (deleted.length > 0) await updatePruned(tx, Math.max(...deleted));
    return deleted.length;
  });
}
