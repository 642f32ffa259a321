import type { Export } from '@decision-ledger/contract/export';
import type { Queryable } from '../../platform/database.js';
import { uuidToId } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import { announce } from '../announcements/index.js';

/** Tells that an export (UUID) has come to another status, in the transaction that brings it there. */
export async function tellStatus(
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
