import type { LedgerReader } from '../../../platform/ledger.js';
import { missingText, selectRestored } from '../restores/index.js';
import { LogFault } from './fault.js';

/**
 * Refuses the logs of a ledger that was restored without records that are known to have existed: checkpoints may cover
 * them, and signing now would fork the log. The operator may accept that.
 * @throws LogFault
 */
export async function requireWhole(ledger: LedgerReader): Promise<void> {
  const loss = await selectRestored(ledger);
  if (loss === null || loss.acceptsFork) return;
  throw new LogFault(
    `the ledger was restored without ${missingText(loss)}: checkpoints may have been signed that cover the ` +
      'missing records, and signing now would fork the log',
  );
}
