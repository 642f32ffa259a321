import {
  type OpenedSession,
  SESSION_HOURS,
  type Session,
  type SessionBody,
  TOKEN_PREFIX,
} from '@decision-ledger/contract/access';
import { LedgerError, notFound } from '@decision-ledger/contract/errors';
import { type Mode, type Permission, permits } from '@decision-ledger/contract/permissions';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { lockHead } from '../../../platform/chain/head.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { mapPage, type PageRows } from '../../../platform/page.js';
import type { Principal } from '../../../platform/principal.js';
import type { Installation } from '../../../platform/statement.js';
import { recordActivity } from '../../log/activity/index.js';
import {
  type CredentialKind,
  credentialText,
  findKey,
  isUsable,
  makeSecret,
  usablePrincipals,
} from '../keys/index.js';
import {
  insertSession,
  revokeSessionRow,
  type SessionOfLedger,
  selectSession,
  selectSessions,
  selectSessionsByHash,
  selectSessionsOfLedger,
  type Visible,
} from './store/sessions.js';

/** The texts of tokens: `lgs_live_…` and `lgs_test_…`. */
const TOKEN = credentialText(TOKEN_PREFIX);

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
      name,
      permissions,
      expires_at: formatTimestamp(expiresAt),
      token_digest: sha256Hex(tokenHash),
    },
  });
  const row = { session_id: uuid, key_id: keyId, name, permissions };
  const times = { created_at: createdAt, expires_at: expiresAt };
  await insertSession(tx, { ...row, ...times }, tokenHash);
  return { ...describeSession(ids, tx.scope.mode, { ...row, ...times, revoked_at: null }), token };
}

export interface ListedSession {
  readonly uuid: string;
  readonly session: Session;
}

/** The sessions that the caller sees, newest first. */
export async function listSessions(
  ledger: LedgerReader,
  principal: Principal,
  before: string | null,
  limit: number,
): Promise<PageRows<ListedSession>> {
  const page = await selectSessions(ledger, visibleTo(principal), before, limit);
  return mapPage(page, (row) => {
    const ids = {
      session_id: uuidToId('ses', row.session_id),
      key_id: uuidToId('key', row.key_id),
    };
    return { uuid: row.session_id, session: describeSession(ids, ledger.scope.mode, row) };
  });
}

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

/**
 * The sessions that a caller sees and may revoke: with `admin` those of the ledger; otherwise a key those
 * that it opened, and a session itself.
 */
function visibleTo({ permissions, session, actor }: Principal): Visible {
  if (permissions.has('admin')) return null;
  if (session !== undefined) return { sessionId: idToUuid('ses', session.sessionId) ?? '' };
  return { keyId: idToUuid('key', actor) ?? '' };
}

const LIFETIME_MS = SESSION_HOURS * 3_600_000;

/** When a session ends; never after its key. Times in ms. */
function expiryOf(now: number, keyExpiresAt: number | null): number {
  return Math.min(now + LIFETIME_MS, keyExpiresAt ?? Infinity);
}

/** Permissions that are wanted but not held. */
function lackingPermissions(
  wanted: readonly Permission[],
  held: ReadonlySet<Permission>,
): readonly Permission[] {
  return wanted.filter((permission) => !permits(held, permission));
}

interface StoredSession {
  readonly name: string;
  readonly permissions: Permission[];
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
}

/** A session as the API returns it. */
function describeSession(
  ids: { readonly session_id: string; readonly key_id: string },
  mode: Mode,
  row: StoredSession,
): Session {
  return {
    ...ids,
    name: row.name,
    mode,
    permissions: row.permissions,
    created_at: formatTimestamp(row.created_at),
    expires_at: formatTimestamp(row.expires_at),
    revoked_at: row.revoked_at === null ? null : formatTimestamp(row.revoked_at),
  };
}

function principalOf(row: SessionOfLedger): Principal {
  const sessionId = uuidToId('ses', row.session_id);
  return {
    scope: { orgId: row.org_id, ledgerId: row.ledger_id, mode: row.mode },
    actor: `${row.name} (${sessionId})`,
    permissions: new Set(row.permissions),
    session: {
      sessionId,
      name: row.name,
      keyId: uuidToId('key', row.key_id),
      expiresAt: row.expires_at,
    },
  };
}

/** A session is usable while both it and its key are. */
function isActive(row: SessionOfLedger, now: number): boolean {
  const key = { expires_at: row.key_expires_at, revoked_at: row.key_revoked_at };
  return isUsable(row, now) && isUsable(key, now);
}

export function sessionCredentials(installation: Installation): CredentialKind {
  return {
    isText: (text) => TOKEN.parse(text) !== null,
    find: async (hashes) =>
      (await selectSessionsByHash(installation, hashes)).map((row) => ({
        hash: row.token_hash.toString('hex'),
        principal: principalOf(row),
        isUsable: (now) => isActive(row, now),
      })),
  };
}

/**
 * The principals of those keys and sessions of a ledger that can still be used.
 * @param ids public identifiers of keys and sessions
 * @returns principals by those identifiers
 */
export async function usableCredentials(
  ledger: LedgerReader,
  ids: readonly string[],
): Promise<Map<string, Principal>> {
  const keys = ids.flatMap((id) => idToUuid('key', id) ?? []);
  const sessions = ids.flatMap((id) => idToUuid('ses', id) ?? []);
  const found = new Map<string, Principal>();
  if (keys.length > 0) {
    const principals = await usablePrincipals(ledger, keys);
    for (const [uuid, principal] of principals) found.set(uuidToId('key', uuid), principal);
  }
  if (sessions.length > 0) {
    for (const row of await selectSessionsOfLedger(ledger, sessions)) {
      if (isActive(row, ledger.clock.now()))
        found.set(uuidToId('ses', row.session_id), principalOf(row));
    }
  }
  return found;
}
