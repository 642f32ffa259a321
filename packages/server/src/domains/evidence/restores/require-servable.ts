import { uuidToId } from '../../../platform/ids.js';
import type { Installation } from '../../../platform/statement.js';
import { type RestoredLedger, selectRestoredLedgers } from './store/restored-ledgers.js';

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
