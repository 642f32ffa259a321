import { LedgerError } from '@decision-ledger/contract/errors';
import {
  type OpenedSession,
  type SessionBody,
  TOKEN_PREFIX,
} from '@decision-ledger/contract/session';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { lockHead } from '../../../platform/chain/head.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Principal } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { credentialText, findKey, makeSecret } from '../keys/index.js';
import { describeSession, expiryOf, lackingPermissions } from './rules/session.js';
import { insertSession } from './store/sessions.js';

/** The texts of tokens: `lgs_live_…` and `lgs_test_…`. */
export const TOKEN = credentialText(TOKEN_PREFIX);

const parseExpiry = (text: string | null): number | null =>
  text === null ? null : Date.parse(text);

/**
 * Opens a session for a person, with at most the permissions of the key. Its token is returned and not
 * stored.
 * @throws LedgerError `forbidden` for a session in place of a key, or a permission that the key lacks
 */
export async function openSession(
  tx: LedgerWriter,
  { actor, permissions: held, session }: Principal,
  { name, permissions = [...held] }: SessionBody,
): Promise<OpenedSession> {
  const keyId = idToUuid('key', actor);
  if (session !== undefined || keyId === null) {
    throw new LedgerError('forbidden', 'a session cannot open another session: use an API key');
  }
  const missing = lackingPermissions(permissions, held);
  if (missing.length > 0) {
    const list = missing.join(', ');
    throw new LedgerError(
      'forbidden',
      `the key lacks ${list}: a session cannot have more permissions than its key`,
    );
  }
  await lockHead(tx, 'activity');
  const expiresAt = expiryOf(tx.clock.now(), parseExpiry((await findKey(tx, actor)).expires_at));
  const uuid = tx.ids.uuid();
  const ids = { session_id: uuidToId('ses', uuid), key_id: actor };
  const token = TOKEN.format(
    tx.scope.mode,
    makeSecret((size) => tx.random.bytes(size)),
  );
  const tokenHash = sha256Hex(token);
  const createdAt = await recordActivity(tx, {
    type: 'session.created',
    actor,
    subject: ids.session_id,
    data: {
      ...{ name, permissions, expires_at: formatTimestamp(expiresAt) },
      token_digest: sha256Hex(tokenHash),
    },
  });
  const row = { session_id: uuid, key_id: keyId, name, permissions };
  const times = { created_at: createdAt, expires_at: expiresAt };
  await insertSession(tx, { ...row, ...times }, tokenHash);
  return { ...describeSession(ids, tx.scope.mode, { ...row, ...times, revoked_at: null }), token };
}
