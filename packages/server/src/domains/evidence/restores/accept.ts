import { formatTimestamp } from '@decision-ledger/contract/time';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import type { Checkpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { lockHead, readChain } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import { recordActivity } from '../../log/activity/index.js';
import {
  type RestoredLedger,
  selectRestored,
  updateAccepted,
  upsertLoss,
} from './store/restored-ledgers.js';

export interface Acceptance {
  readonly reason: string;
  /** Whether the transparency logs go on, although they may have signed what was lost. */
  readonly acceptsFork: boolean;
  /** Checkpoints that this machine signed and whose records the database lacks. */
  readonly forgotten: readonly Checkpoint[];
}

/**
 * Accepts the loss that was found in a restored ledger. That is chained as `ledger.restored` before anything else is.
 * @returns false if no loss is known
 */
export async function acceptLoss(
  ledger: Ledger,
  { reason, acceptsFork, forgotten }: Acceptance,
): Promise<boolean> {
  return ledger.write(async (tx) => {
    await lockHead(tx, 'activity');
    const known = await selectRestored(tx);
    // What was accepted before is another loss than that of the checkpoints.
    const isNew = forgotten.length > 0 && known?.acceptedAt !== null;
    const loss = isNew ? await noteForgotten(tx, tx.clock.now()) : known;
    if (loss === null) return false;
    const madeAt = loss.backupMadeAt;
    const acceptedAt = await recordActivity(tx, {
      type: 'ledger.restored',
      actor: 'operator',
      subject: uuidToId('led', ledger.ledgerId),
      data: {
        from_seq: loss.fromSeq,
        from_hash: loss.fromHash,
        ...(loss.expected !== null && {
          expected_seq: loss.expected.seq,
          expected_hash: loss.expected.hash,
        }),
        reason,
        accepts_fork: acceptsFork,
        ...(madeAt !== null && { backup_made_at: formatTimestamp(madeAt) }),
        ...(forgotten.length > 0 && { checkpoints: forgotten.map(toData) }),
      },
    });
    await updateAccepted(tx, acceptedAt, acceptsFork);
    return true;
  });
}

/** Notes a loss that signed checkpoints alone tell of, which name no decision. */
async function noteForgotten(tx: LedgerWriter, now: number): Promise<RestoredLedger | null> {
  const head = await readChain(tx, 'decisions');
  if (head === null) throw new Error(`ledger ${tx.ledgerId} has no chain of decisions`);
  const loss = { fromSeq: head.seq, fromHash: head.hash, expected: null, backupMadeAt: null };
  await upsertLoss(tx, loss, now);
  return selectRestored(tx);
}

function toData({ origin, size, root }: Checkpoint) {
  return { origin, size, root: encodeBase64(root) };
}
