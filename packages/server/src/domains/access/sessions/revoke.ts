import { notFound } from '@decision-ledger/contract/errors';
import type { Session } from '@decision-ledger/contract/session';
import { lockHead } from '../../../platform/chain/head.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Principal } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { describeSession } from './rules/session.js';
import { revokeSessionRow, selectSession } from './store/sessions.js';
import { visibleTo } from './visible.js';

/**
 * Revokes a session that the caller sees. Revoking it again changes nothing.
 * @throws LedgerError `not_found`
 */
export async function revokeSession(
  tx: LedgerWriter,
  principal: Principal,
  sessionId: string,
): Promise<Session> {
  const { actor } = principal;
  const uuid = idToUuid('ses', sessionId);
  if (uuid === null) throw notFound('session');
  // Of two concurrent revocations, the second waits here and finds the session revoked.
  await lockHead(tx, 'activity');
  const row = await selectSession(tx, uuid, visibleTo(principal));
  if (row === null) throw notFound('session');
  const ids = { session_id: sessionId, key_id: uuidToId('key', row.key_id) };
  if (row.revoked_at !== null) return describeSession(ids, tx.scope.mode, row);
  const revokedAt = await recordActivity(tx, {
    type: 'session.revoked',
    actor,
    subject: sessionId,
    data: { name: row.name },
  });
  await revokeSessionRow(tx, uuid, revokedAt);
  return describeSession(ids, tx.scope.mode, { ...row, revoked_at: revokedAt });
}
