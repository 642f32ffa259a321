import type { Mode, Permission } from '@decision-ledger/contract/permissions';
import sql, { empty, raw } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';
import type { Installation } from '../../../../platform/statement.js';

/** A stored key, without its text. Times in ms. */
export interface ApiKeyRow {
  /** UUID. */
  readonly key_id: string;
  readonly name: string;
  readonly permissions: Permission[];
  readonly agents: string[] | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

const ms = (column: string): string =>
  `(extract(epoch from k.${column}) * 1000)::bigint as ${column}`;

/** Columns of `api_keys k`. */
const KEY_COLUMNS = raw(
  `k.key_id, k.name, k.permissions, k.agents, ${ms('created_at')}, ${ms('expires_at')}, ${ms('revoked_at')}`,
);

/** @param keyHash SHA-256 of the key, hexadecimal */
export async function insertKey(
  tx: LedgerWriter,
  key: Omit<ApiKeyRow, 'revoked_at'>,
  keyHash: string,
): Promise<void> {
  await tx.query(sql`
    insert into api_keys (ledger_id, key_id, name, permissions, agents, key_hash, created_at, expires_at)
    values (${tx.ledgerId}, ${key.key_id}, ${key.name}, ${key.permissions}::text[],
      ${key.agents}::text[],
      decode(${keyHash}, 'hex'), to_timestamp(${key.created_at}::bigint / 1000.0),
      to_timestamp(${key.expires_at}::bigint / 1000.0))`);
}

/** @param keyId UUID */
export async function revokeKeyRow(
  tx: LedgerWriter,
  keyId: string,
  revokedAt: number,
): Promise<void> {
  await tx.query(sql`
    update api_keys set revoked_at = to_timestamp(${revokedAt}::bigint / 1000.0)
    where ledger_id = ${tx.ledgerId} and key_id = ${keyId} and revoked_at is null`);
}

/** @param keyId UUID */
export async function selectKey(ledger: LedgerReader, keyId: string): Promise<ApiKeyRow | null> {
  const [row] = await ledger.query<ApiKeyRow>(sql`
    select ${KEY_COLUMNS} from api_keys k
    where k.ledger_id = ${ledger.ledgerId} and k.key_id = ${keyId}`);
  return row ?? null;
}

/** A key with its ledger. */
export interface KeyOfLedger extends ApiKeyRow {
  readonly ledger_id: string;
  readonly org_id: string;
  readonly mode: Mode;
}

export interface KeyWithLedger extends KeyOfLedger {
  readonly key_hash: Buffer;
}

/**
 * Takes no scope, because it is the query that finds the scope.
 * @param keyHashes SHA-256 of keys, hexadecimal
 */
export async function selectKeysByHash(
  installation: Installation,
  keyHashes: readonly string[],
): Promise<KeyWithLedger[]> {
  const hashes = keyHashes.map((hash) => Buffer.from(hash, 'hex'));
  return installation.queryAcross<KeyWithLedger>(sql`
    select ${KEY_COLUMNS}, k.key_hash, l.ledger_id, l.org_id, l.mode
    from api_keys k join ledgers l on l.ledger_id = k.ledger_id
    where k.key_hash = any(${hashes}::bytea[])`);
}

/**
 * Newest first, including revoked keys.
 * @param before id (UUID) of the last key of the previous page
 */
export async function selectKeys(
  ledger: LedgerReader,
  before: string | null,
  limit: number,
): Promise<PageRows<ApiKeyRow>> {
  const rows = sql`
    select * from api_keys where ledger_id = ${ledger.ledgerId}
    ${before === null ? empty : sql`and key_id < ${before}`}
    order by key_id desc`;
  return selectPageRows<ApiKeyRow>(ledger, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('k'),
  columns: KEY_COLUMNS,
  order: raw('key_id desc'),
  bytes: raw('octet_length(name)'),
};

/**
 * The keys among those given that are neither revoked nor expired.
 * @param keyIds UUIDs
 * @param now ms
 */
export async function selectUsableKeys(
  ledger: LedgerReader,
  keyIds: readonly string[],
  now: number,
): Promise<KeyOfLedger[]> {
  return ledger.query<KeyOfLedger>(sql`
    select ${KEY_COLUMNS}, l.ledger_id, l.org_id, l.mode
    from api_keys k join ledgers l on l.ledger_id = k.ledger_id
    where k.ledger_id = ${ledger.ledgerId} and k.key_id = any(${keyIds}::uuid[])
      and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > to_timestamp(${now}::bigint / 1000.0))`);
}
