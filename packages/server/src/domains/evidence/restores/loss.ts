import { formatTimestamp } from '@decision-ledger/contract/time';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import type { Checkpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { lockHead, readChain } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Installation } from '../../../platform/statement.js';
import { recordActivity } from '../../log/activity/index.js';
import {
  type ExpectedDecision,
  type FoundLoss,
  type RestoredLedger,
  selectHashAt,
  selectRestored,
  selectRestoredLedgers,
  updateAccepted,
  upsertLoss,
  withdrawLoss,
} from './store/restored-ledgers.js';

/** A decision that existed, as a receipt or a kept checkpoint states it. */
export interface Expected extends ExpectedDecision {
  /** When the backup was made, ms; null if that is not known. */
  readonly backupMadeAt: number | null;
}

/** What a restored ledger lacks. */
export interface Loss extends FoundLoss {
  readonly expected: ExpectedDecision;
  /** The hash of another decision that stands where the expected one stood; null if none does. */
  readonly actualHash: string | null;
}

/**
 * Looks for a decision that is known to have existed. If the ledger lacks it, that is noted, and the service does not
 * start until the loss is accepted.
 * @returns null if it is there
 */
export async function checkRestored(
  ledger: Ledger,
  { seq, hash, backupMadeAt }: Expected,
): Promise<Loss | null> {
  const head = await readChain(ledger, 'decisions');
  if (head === null) throw new Error(`ledger ${ledger.ledgerId} has no chain of decisions`);
  const actualHash = await selectHashAt(ledger, seq);
  if (actualHash === hash) {
    await ledger.write((tx) => withdrawLoss(tx, tx.clock.now()));
    return null;
  }
  const loss = {
    fromSeq: head.seq,
    fromHash: head.hash,
    expected: { seq, hash },
    backupMadeAt,
  };
  await ledger.write((tx) => upsertLoss(tx, loss, tx.clock.now()));
  return { ...loss, actualHash };
}

/** One sentence about a loss, without a full stop. */
export function lossText(
  ledgerId: string,
  { fromSeq, expected, actualHash }: Omit<Loss, 'backupMadeAt' | 'fromHash'>,
): string {
  const ledger = uuidToId('led', ledgerId);
  if (actualHash !== null) {
    return (
      `${ledger}: the decision with seq ${expected.seq} has the hash ${actualHash} instead of ${expected.hash}: ` +
      'another history was recorded'
    );
  }
  const missing = expected.seq - fromSeq;
  const which =
    missing === 1
      ? `1 decision is missing, seq ${expected.seq}`
      : `${missing} decisions are missing, seq ${fromSeq + 1} to ${expected.seq}`;
  return `${ledger}: ends at seq ${fromSeq}; ${which}`;
}

/** A ledger lacks records that are known to have existed. The message names the remedy. */
export class RestoredLedgerError extends Error {
  override readonly name = 'RestoredLedgerError';
}

/**
 * Refuses a database in which a ledger lacks records that are known to have existed, until the loss is accepted: a
 * record that is made before would take the place of a lost one.
 * @throws RestoredLedgerError
 */
export async function requireServable(installation: Installation): Promise<void> {
  const waiting = (await selectRestoredLedgers(installation)).find(
    ({ acceptedAt }) => acceptedAt === null,
  );
  if (waiting === undefined) return;
  const ledger = uuidToId('led', waiting.ledgerId);
  throw new RestoredLedgerError(
    `the ledger ${ledger} was restored without ${missingText(waiting)}: restore a later backup, or accept the loss with ` +
      `\`decision-ledger restored --ledger ${ledger} --accept-loss REASON\``,
  );
}

/** What a restored ledger lacks, in words. */
export function missingText({ expected }: Pick<RestoredLedger, 'expected'>): string {
  return expected === null
    ? 'records that its machine had signed'
    : `the decision of seq ${expected.seq} and hash ${expected.hash}`;
}

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

/** Records a loss that only signed checkpoints show. They name no decision. */
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
