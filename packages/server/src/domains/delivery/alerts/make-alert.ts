import type { AlertNotice } from '@decision-ledger/contract/alert';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { insertAlert } from './store/alerts.js';

/** Makes an alert, which the next check sends. */
export async function makeAlert(tx: LedgerWriter, notice: AlertNotice): Promise<void> {
  const about = {
    mode: tx.scope.mode,
    ledger: uuidToId('led', tx.ledgerId),
    time: formatTimestamp(tx.clock.now()),
  };
  await insertAlert(tx, tx.ids.uuid(), JSON.stringify({ ...notice, ...about }));
}
