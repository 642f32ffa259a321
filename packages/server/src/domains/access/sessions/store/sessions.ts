import type { Mode, Permission } from '@decision-ledger/contract/permissions';
import sql, { empty, raw } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';
import type { Installation } from '../../../../platform/statement.js';

/** A stored session, without its token. Times in ms. */
export interface SessionRow {
  /** UUID. */
  readonly session_id: string;
  /** UUID of the key that opened it. */
  readonly key_id: string;
  readonly name: string;
  readonly permissions: Permission[];
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
}

const ms = (column: string): string =>
  `(extract(epoch from s.${column}) * 1000)::bigint as ${column}`;

/** Columns of `sessions s`. */
const SESSION_COLUMNS = raw(
  `s.session_id, s.key_id, s.name, s.permissions, ${ms('created_at')}, ${ms('expires_at')},
  ${ms('revoked_at')}`,
);

/** @param tokenHash SHA-256 of the token, hexadecimal */
export async function insertSession(
  tx: LedgerWriter,
  session: Omit<SessionRow, 'revoked_at'>,
  tokenHash: string,
): Promise<void> {
  await tx.query(sql`
    insert into sessions (ledger_id, session_id, key_id, name, permissions, token_hash, created_at,
      expires_at)
    values (${tx.ledgerId}, ${session.session_id}, ${session.key_id}, ${session.name},
      ${session.permissions}::text[], decode(${tokenHash}, 'hex'),
      to_timestamp(${session.created_at}::bigint / 1000.0),
      to_timestamp(${session.expires_at}::bigint / 1000.0))`);
}

/** @param sessionId UUID */
export async function revokeSessionRow(
  tx: LedgerWriter,
  sessionId: string,
  revokedAt: number,
): Promise<void> {
  await tx.query(sql`
    update sessions set revoked_at = to_timestamp(${revokedAt}::bigint / 1000.0)
    where ledger_id = ${tx.ledgerId} and session_id = ${sessionId} and revoked_at is null`);
}

/** Which sessions a caller sees: null for all of the ledger; UUIDs. */
export type Visible = { readonly keyId: string } | { readonly sessionId: string } | null;

function visibleTo(visible: Visible) {
  if (visible === null) return empty;
  return 'keyId' in visible
    ? sql`and s.key_id = ${visible.keyId}`
    : sql`and s.session_id = ${visible.sessionId}`;
}

/** @param sessionId UUID */
export async function selectSession(
  ledger: LedgerReader,
  sessionId: string,
  visible: Visible,
): Promise<SessionRow | null> {
  const [row] = await ledger.query<SessionRow>(sql`
    select ${SESSION_COLUMNS} from sessions s
    where s.ledger_id = ${ledger.ledgerId} and s.session_id = ${sessionId} ${visibleTo(visible)}`);
  return row ?? null;
}

/**
 * Newest first, including those that have ended.
 * @param before id (UUID) of the last session of the previous page
 */
export async function selectSessions(
  ledger: LedgerReader,
  visible: Visible,
  before: string | null,
  limit: number,
): Promise<PageRows<SessionRow>> {
  const rows = sql`
    select * from sessions s where s.ledger_id = ${ledger.ledgerId} ${visibleTo(visible)}
    ${before === null ? empty : sql`and s.session_id < ${before}`}
    order by s.session_id desc`;
  return selectPageRows<SessionRow>(ledger, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('s'),
  columns: SESSION_COLUMNS,
  order: raw('session_id desc'),
  bytes: raw('octet_length(name)'),
};

/** A session with its ledger, and with what ends it beside itself: its key. */
export interface SessionOfLedger extends SessionRow {
  readonly ledger_id: string;
  readonly org_id: string;
  readonly mode: Mode;
  readonly key_expires_at: number | null;
  readonly key_revoked_at: number | null;
}

const WITH_LEDGER = raw(`${SESSION_COLUMNS.sql}, l.ledger_id, l.org_id, l.mode,
  (extract(epoch from k.expires_at) * 1000)::bigint as key_expires_at,
  (extract(epoch from k.revoked_at) * 1000)::bigint as key_revoked_at`);

/**
 * Takes no scope, because it is the query that finds the scope.
 * @param tokenHashes SHA-256 of tokens, hexadecimal
 */
export async function selectSessionsByHash(
  installation: Installation,
  tokenHashes: readonly string[],
): Promise<(SessionOfLedger & { readonly token_hash: Buffer })[]> {
  const hashes = tokenHashes.map((hash) => Buffer.from(hash, 'hex'));
  return installation.queryAcross<SessionOfLedger & { readonly token_hash: Buffer }>(sql`
    select ${WITH_LEDGER}, s.token_hash
    from sessions s
    join api_keys k on k.ledger_id = s.ledger_id and k.key_id = s.key_id
    join ledgers l on l.ledger_id = s.ledger_id
    where s.token_hash = any(${hashes}::bytea[])`);
}

/** @param sessionIds UUIDs */
export async function selectSessionsOfLedger(
  ledger: LedgerReader,
  sessionIds: readonly string[],
): Promise<SessionOfLedger[]> {
  return ledger.query<SessionOfLedger>(sql`
    select ${WITH_LEDGER}
    from sessions s
    join api_keys k on k.ledger_id = s.ledger_id and k.key_id = s.key_id
    join ledgers l on l.ledger_id = s.ledger_id
    where s.ledger_id = ${ledger.ledgerId} and s.session_id = any(${sessionIds}::uuid[])`);
}
