import type { DecisionReceipt } from '@decision-ledger/contract/decision';
import { signReceipt } from '@decision-ledger/proof/tlog/receipt';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { type LogSigner, openLogSigner } from './log-key.js';
import { type StartTools, startLogs } from './start-logs.js';
import { selectLogKey } from './store/tlog-keys.js';
import { selectLog } from './store/tlogs.js';

/** Ledgers whose keys are kept in memory: the key of a log never changes. */
const MAX_SIGNERS = 1000;

/** Signs the receipt of a decision that was recorded. */
export type SignReceipt = (scope: Scope, receipt: DecisionReceipt) => Promise<string>;

/**
 * Signs receipts with the key of the log of the decisions. The first receipt of a ledger starts its logs.
 * The function rejects with LogKeyError.
 */
export function receiptSigner(db: Database, tools: StartTools): SignReceipt {
  const signers = new Map<string, LogSigner>();
  return async (scope, { seq, hash, created_at }) => {
    let signer = signers.get(scope.ledgerId);
    if (signer === undefined) {
      signer = await openSigner(db.ledger(scope), tools);
      for (const oldest of signers.keys()) {
        if (signers.size < MAX_SIGNERS) break;
        signers.delete(oldest);
      }
      signers.set(scope.ledgerId, signer);
    }
    const ledger = uuidToId('led', scope.ledgerId);
    return signReceipt({ ledger, seq, hash, created_at }, signer.key, signer.sign);
  };
}

async function openSigner(ledger: Ledger, tools: StartTools): Promise<LogSigner> {
  const { keyring } = tools;
  await startLogs(ledger, tools);
  const log = await selectLog(ledger, 'decisions');
  if (log === null) throw new Error(`ledger ${ledger.ledgerId} has no log of its decisions`);
  const stored = await selectLogKey(ledger, log);
  return openLogSigner(keyring, ledger.ledgerId, log.origin, stored);
}
