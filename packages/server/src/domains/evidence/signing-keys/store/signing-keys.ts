import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';
import type { Scope } from '../../../../platform/principal.js';
import { type Installation, instant, type Queryable } from '../../../../platform/statement.js';

/** The public part of a stored key: times in ms. */
export interface SigningKeyRow {
  readonly fingerprint: string;
  /** PEM. */
  readonly public_key: string;
  readonly created_at: number;
  readonly retired_at: number | null;
}

const KEY_COLUMNS = raw(`fingerprint, public_key,
  (extract(epoch from created_at) * 1000)::bigint as created_at,
  (extract(epoch from retired_at) * 1000)::bigint as retired_at`);

export interface CurrentKeyRow extends SigningKeyRow {
  /** Sealed. */
  readonly private_key: Buffer;
}

/** The current signing key of an organisation; null if there is none. */
export async function selectCurrentSigningKey(
  db: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
): Promise<CurrentKeyRow | null> {
  const [row] = await db.query<CurrentKeyRow>(sql`
    select ${KEY_COLUMNS}, private_key from signing_keys
    where org_id = ${orgId} and retired_at is null`);
  return row ?? null;
}

/**
 * Inserts a key as the current one.
 * @returns false if there is a current key
 */
export async function insertSigningKey(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  key: Omit<CurrentKeyRow, 'retired_at'>,
): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into signing_keys (org_id, fingerprint, public_key, private_key, created_at)
    values (${orgId}, ${key.fingerprint}, ${key.public_key}, ${key.private_key},
      to_timestamp(${key.created_at}::bigint / 1000.0))
    on conflict (org_id) where retired_at is null do nothing returning fingerprint`);
  return inserted.length === 1;
}

/** @returns fingerprint of the retired key; null if there was no current key */
export async function retireSigningKey(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  retiredAt: number,
): Promise<string | null> {
  const [retired] = await tx.query<{ fingerprint: string }>(sql`
    update signing_keys set retired_at = to_timestamp(${retiredAt}::bigint / 1000.0)
    where org_id = ${orgId} and retired_at is null returning fingerprint`);
  return retired?.fingerprint ?? null;
}

/** Both ledgers of an organisation, live before test. */
export async function selectOwnLedgers(
  installation: Installation,
  { orgId }: Pick<Scope, 'orgId'>,
): Promise<Scope[]> {
  return installation.queryAcross<Scope>(sql`
    select org_id as "orgId", ledger_id as "ledgerId", mode from ledgers
    where org_id = ${orgId} order by mode`);
}

/** Position of the last row of the previous page. */
export interface SigningKeyPagePosition {
  /** ms. */
  readonly createdAt: number;
  readonly fingerprint: string;
}

/** Current and retired keys of an organisation, newest first. */
export async function selectSigningKeys(
  db: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  after: SigningKeyPagePosition | null,
  limit: number,
): Promise<PageRows<SigningKeyRow>> {
  const rows = sql`
    select * from signing_keys where org_id = ${orgId}${olderThan(after)}
    order by signing_keys.created_at desc, signing_keys.fingerprint desc`;
  return selectPageRows<SigningKeyRow>(db, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('signing_keys'),
  columns: KEY_COLUMNS,
  order: raw('created_at desc, fingerprint desc'),
  bytes: raw('octet_length(public_key)'),
};

function olderThan(after: SigningKeyPagePosition | null): Sql {
  if (after === null) return empty;
  return sql` and (created_at, fingerprint) < (${instant(after.createdAt)}, ${after.fingerprint})`;
}

export type PrivateKeyRow = Pick<CurrentKeyRow, 'fingerprint' | 'private_key'>;

/** The sealed private keys of an organisation, including retired ones. */
export async function selectPrivateKeys(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
): Promise<PrivateKeyRow[]> {
  return tx.query<PrivateKeyRow>(sql`
    select fingerprint, private_key from signing_keys where org_id = ${orgId}
    order by fingerprint`);
}

/** @param sealed the same private key under another master key */
export async function updatePrivateKey(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  fingerprint: string,
  sealed: Buffer,
): Promise<void> {
  await tx.query(sql`
    update signing_keys set private_key = ${sealed}
    where org_id = ${orgId} and fingerprint = ${fingerprint}`);
}
