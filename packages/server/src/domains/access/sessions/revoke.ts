import { notFound } from '@decision-ledger/contract/errors';
import type { Session } from '@decision-ledger/contract/session';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Transaction } from '../../../platform/database.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { Principal } from '../../../platform/principal.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { describeSession } from './rules/session.js';
import { revokeSessionRow, selectSession } from './store/sessions.js';
import { visibleTo } from './visible.js';

/**
 * Revokes a session that the caller sees. Revoking it again changes nothing.
 * @throws LedgerError `not_found`
 */
export async function revokeSession(
  recordActivity: RecordActivity,
  tx: Transaction,
  principal: Principal,
  sessionId: string,
): Promise<Session> {
  const { scope, actor } = principal;
  const uuid = idToUuid('ses', sessionId);
  if (uuid === null) throw notFound('session');
  // Of two concurrent revocations, the second waits here and finds the session revoked.
  await lockHead(tx, scope, 'activity');
  const row = await selectSession(tx, scope, uuid, visibleTo(principal));
  if (row === null) throw notFound('session');
  const ids = { session_id: sessionId, key_id: uuidToId('key', row.key_id) };
  if (row.revoked_at !== null) return describeSession(ids, scope.mode, row);
  const revokedAt = await recordActivity(tx, scope, {
    type: 'session.revoked',
    actor,
    subject: sessionId,
    data: { name: row.name },
  });
  await revokeSessionRow(tx, scope, uuid, revokedAt);
  return describeSession(ids, scope.mode, { ...row, revoked_at: revokedAt });
}
