import type { Export } from '@decision-ledger/contract/export';
import type { Queryable } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { announce } from '../../log/announcements/index.js';

/** Announces the new status of an export (UUID), in the transaction that sets it. */
export async function notifyStatus(
  tx: Queryable,
  scope: Scope,
  exportId: string,
  status: Export['status'],
  at: number,
): Promise<void> {
  const subject = uuidToId('exp', exportId);
  const data = { export_id: subject, status };
  await announce(tx, scope, [{ type: 'export.updated', subject, data }], at);
}
