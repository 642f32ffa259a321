import type { IssuedKey, Key, KeyBody } from '@decision-ledger/contract/access';
import { invalidField, LedgerError, notFound } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { permits, recordsAlone } from '@decision-ledger/contract/permissions';
import { formatTimestamp, parseTimestamp } from '@decision-ledger/contract/time';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { lockHead } from '../../../platform/chain/head.js';
import {
  type FirstAnswer,
  findFirstAnswers,
  type IdempotencyMark,
  idempotencyConflict,
  keepFirstAnswer,
} from '../../../platform/idempotency.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { everyRow, mapPage, type PageRows } from '../../../platform/page.js';
import type { Actor, Principal } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { describeApiKey, formatKey, makeSecret } from './rules/key.js';
import { insertKey, revokeKeyRow, selectKey, selectKeys } from './store/api-keys.js';

/**
 * Issues a key for the principal's ledger. Its text is returned and not stored.
 * @throws LedgerError `forbidden` for a permission that the principal lacks, `validation_error` for an
 *   expiry that is not a time in the future
 */
export async function issueKey(
  tx: LedgerWriter,
  { actor, permissions: held }: Principal,
  body: KeyBody,
): Promise<IssuedKey> {
  const lacking = body.permissions.filter((permission) => !permits(held, permission));
  if (lacking.length > 0) {
    const list = lacking.join(', ');
    throw new LedgerError(
      'forbidden',
      `this key lacks ${list}: a key can only grant permissions that it has`,
    );
  }
  requireAgents(body);
  const expiresAt = readExpiry(body.expires_at, tx.clock.now());
  const { name, permissions, agents = null } = body;
  const uuid = tx.ids.uuid();
  const keyId = uuidToId('key', uuid);
  const text = formatKey(
    tx.scope.mode,
    makeSecret((size) => tx.random.bytes(size)),
  );
  const expiry = expiresAt === null ? null : formatTimestamp(expiresAt);
  const keyHash = sha256Hex(text);
  const data = {
    ...{ name, permissions, expires_at: expiry, key_digest: sha256Hex(keyHash) },
    ...(agents !== null && { agents }),
  };
  const createdAt = await recordActivity(tx, {
    type: 'key.issued',
    actor,
    subject: keyId,
    data,
  });
  const row = {
    ...{ key_id: uuid, name, permissions, agents },
    ...{ created_at: createdAt, expires_at: expiresAt },
  };
  await insertKey(tx, row, keyHash);
  return { ...describeApiKey(keyId, tx.scope.mode, { ...row, revoked_at: null }), key: text };
}

function readExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const expiry = parseTimestamp(text);
  if (expiry === null) {
    throw invalidField('expires_at', 'must be an RFC 3339 date-time such as 2027-01-01T00:00:00Z');
  }
  if (expiry <= now) throw invalidField('expires_at', 'must be in the future');
  return expiry;
}

/**
 * Issues a key at most once for an Idempotency-Key. The first answer contained a secret that is not
 * stored, so a repeat cannot return it: its error names the key that was issued.
 * @throws LedgerError `idempotency_conflict` for a repeat, and the errors of issueKey
 */
export async function issueKeyOnce(
  tx: LedgerWriter,
  principal: Principal,
  body: KeyBody,
  mark: IdempotencyMark | null,
): Promise<IssuedKey> {
  if (mark === null) return issueKey(tx, principal, body);
  await lockHead(tx, 'activity');
  const earlier = (await findFirstAnswers(tx, [mark.key])).get(mark.key);
  if (earlier !== undefined) throw conflict(earlier, mark);
  const issued = await issueKey(tx, principal, body);
  const answer = { ...mark, response: issued.key_id };
  await keepFirstAnswer(tx, answer, tx.clock.now());
  return issued;
}

function conflict({ request, response }: FirstAnswer, mark: IdempotencyMark): LedgerError {
  if (request !== mark.request) return idempotencyConflict();
  return new LedgerError(
    'idempotency_conflict',
    `this Idempotency-Key was used before (${response}); a secret is never shown twice: ` +
      'revoke that key and ask for a new one under a new Idempotency-Key',
  );
}

/** Other permissions would reach what the agents do not limit. */
function requireAgents({ agents, permissions }: KeyBody): void {
  if (agents === undefined || recordsAlone(new Set(permissions))) return;
  throw invalidField(
    'agents',
    'limits a key that has the permission record alone: leave out the other permissions, or leave out agents',
  );
}

export interface ListedKey {
  readonly uuid: string;
  readonly key: Key;
}

/** Keys of a ledger, newest first. */
export async function listKeys(
  ledger: LedgerReader,
  before: string | null,
  limit: number,
): Promise<PageRows<ListedKey>> {
  const page = await selectKeys(ledger, before, limit);
  return mapPage(page, (row) => ({
    uuid: row.key_id,
    key: describeApiKey(uuidToId('key', row.key_id), ledger.scope.mode, row),
  }));
}

/**
 * A key of the ledger.
 * @throws LedgerError `not_found`
 */
export async function findKey(ledger: LedgerReader, keyId: string): Promise<Key> {
  const uuid = idToUuid('key', keyId);
  const row = uuid === null ? null : await selectKey(ledger, uuid);
  if (row === null) throw notFound('key');
  return describeApiKey(keyId, ledger.scope.mode, row);
}

/** All keys of a ledger, newest first. */
export async function everyKey(ledger: LedgerReader): Promise<Key[]> {
  const listed = await everyRow<ListedKey>((last) =>
    listKeys(ledger, last?.uuid ?? null, LIMITS.pageMax),
  );
  return listed.map(({ key }) => key);
}

/**
 * Revokes a key of the principal's ledger. Revoking it again changes nothing.
 * @throws LedgerError `not_found`
 */
export async function revokeKey(tx: LedgerWriter, { actor }: Actor, keyId: string): Promise<Key> {
  const uuid = idToUuid('key', keyId);
  if (uuid === null) throw notFound('key');
  // Of two concurrent revocations, the second waits here and finds the key revoked.
  await lockHead(tx, 'activity');
  const row = await selectKey(tx, uuid);
  if (row === null) throw notFound('key');
  if (row.revoked_at !== null) return describeApiKey(keyId, tx.scope.mode, row);
  const data = { name: row.name };
  const revokedAt = await recordActivity(tx, {
    type: 'key.revoked',
    actor,
    subject: keyId,
    data,
  });
  await revokeKeyRow(tx, uuid, revokedAt);
  return describeApiKey(keyId, tx.scope.mode, { ...row, revoked_at: revokedAt });
}
