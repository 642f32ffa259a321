import { formatTimestamp } from '@decision-ledger/contract/time';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { selectRestored, updateAccepted } from './store/restored-ledgers.js';

export interface AcceptTools {
  readonly db: Database;
  readonly recordActivity: RecordActivity;
}

export interface Acceptance {
  readonly reason: string;
  /** Whether the transparency logs go on, although they may have signed what was lost. */
  readonly acceptsFork: boolean;
}

/**
 * Accepts the loss that was found in a restored ledger. That is chained as `ledger.restored` before anything else is.
 * @returns false if no loss is known
 */
export async function acceptLoss(
  { db, recordActivity }: AcceptTools,
  scope: Scope,
  { reason, acceptsFork }: Acceptance,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockHead(tx, scope, 'activity');
    const loss = await selectRestored(tx, scope);
    if (loss === null) return false;
    const madeAt = loss.backupMadeAt;
    const acceptedAt = await recordActivity(tx, scope, {
      type: 'ledger.restored',
      actor: 'operator',
      subject: uuidToId('led', scope.ledgerId),
      data: {
        from_seq: loss.fromSeq,
        from_hash: loss.fromHash,
        expected_seq: loss.expectedSeq,
        expected_hash: loss.expectedHash,
        reason,
        accepts_fork: acceptsFork,
        ...(madeAt !== null && { backup_made_at: formatTimestamp(madeAt) }),
      },
    });
    await updateAccepted(tx, scope, acceptedAt, acceptsFork);
    return true;
  });
}
