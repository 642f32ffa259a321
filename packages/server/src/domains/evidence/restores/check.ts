import { readChain } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import {
  type ExpectedDecision,
  type FoundLoss,
  selectHashAt,
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
    ...{ fromSeq: head.seq, fromHash: head.hash, expected: { seq, hash } },
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
