import type { Export } from '@decision-ledger/contract/export';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { announce } from '../../log/announcements/index.js';

/** Announces the new status of an export (UUID), in the transaction that sets it. */
export async function notifyStatus(
  tx: LedgerWriter,
  exportId: string,
  status: Export['status'],
  at: number,
): Promise<void> {
  const subject = uuidToId('exp', exportId);
  const data = { export_id: subject, status };
  await announce(tx, [{ type: 'export.updated', subject, data }], at);
}
