import { DEFAULT_SETTINGS } from '@decision-ledger/contract/settings';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { ChainName } from '../../../../platform/chain/head.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import { type Installation, instant } from '../../../../platform/statement.js';

/** The chains that have a log. */
export const CHAINS: readonly ChainName[] = ['decisions', 'activity'];

/** A log of a ledger: the chain it covers, and how often it was started. */
export interface LogId {
  readonly chain: ChainName;
  /** From 1. */
  readonly generation: number;
}

export interface LogRow extends LogId {
  readonly origin: string;
  /** Leaves in the tree. */
  readonly size: number;
  /** Hashes of the compact range [0, size), 32 bytes each. */
  readonly frontier: Buffer;
  /** Why no further checkpoint is signed; null if nothing is wrong. */
  readonly fault: string | null;
}

const COLUMNS = raw('chain, generation, origin, size, frontier, fault');

/** The current log of a chain; null before it is started. */
export async function selectLog(ledger: LedgerReader, chain: ChainName): Promise<LogRow | null> {
  const [row] = await ledger.query<LogRow>(sql`
    select ${COLUMNS} from tlogs
    where ledger_id = ${ledger.ledgerId} and chain = ${chain} and closed_at is null
    order by generation desc limit 1`);
  return row ?? null;
}

/** The current log of a chain, locked until the transaction ends. Lock logs before heads. */
export async function lockLog(tx: LedgerWriter, chain: ChainName): Promise<LogRow> {
  const [row] = await tx.query<LogRow>(sql`
    select ${COLUMNS} from tlogs
    where ledger_id = ${tx.ledgerId} and chain = ${chain} and closed_at is null
    order by generation desc limit 1 for update`);
  if (row === undefined) throw new Error(`ledger ${tx.ledgerId} has no log of its ${chain} chain`);
  return row;
}

/** @param createdAt ms, like rebuiltAt */
export async function insertLog(
  tx: LedgerWriter,
  { chain, generation }: LogId,
  origin: string,
  createdAt: number,
  rebuiltAt: number,
): Promise<void> {
  await tx.query(sql`
    insert into tlogs (ledger_id, chain, generation, origin, size, frontier, created_at, rebuilt_at)
    values (${tx.ledgerId}, ${chain}, ${generation}, ${origin}, 0, '', ${instant(createdAt)},
      ${instant(rebuiltAt)})`);
}

export async function updateSize(
  tx: LedgerWriter,
  { chain, generation }: LogId,
  size: number,
  frontier: Buffer,
): Promise<void> {
  await tx.query(sql`
    update tlogs set size = ${size}, frontier = ${frontier}
    where ledger_id = ${tx.ledgerId} and chain = ${chain} and generation = ${generation}`);
}

/** Notes why no further checkpoint is signed. */
export async function updateFault(
  tx: LedgerWriter,
  { chain, generation }: LogId,
  fault: string,
): Promise<void> {
  await tx.query(sql`
    update tlogs set fault = ${fault}
    where ledger_id = ${tx.ledgerId} and chain = ${chain} and generation = ${generation}`);
}

/**
 * Notes the end of a rebuild, and what it found.
 * @param now ms
 */
export async function updateRebuilt(
  tx: LedgerWriter,
  { chain, generation }: LogId,
  fault: string | null,
  now: number,
): Promise<void> {
  await tx.query(sql`
    update tlogs set fault = ${fault}, rebuilt_at = ${instant(now)}
    where ledger_id = ${tx.ledgerId} and chain = ${chain} and generation = ${generation}`);
}

export const TREES = new DerivedRows('tlogs', {
  key: ['chain', 'generation'],
  values: ['size', 'frontier'],
});

/** Compares the stored tree of a log with the one that its records make. */
export async function compareTrees(
  ledger: LedgerReader,
  { chain, generation }: LogId,
  size: number,
  frontier: Buffer,
): Promise<RowComparison> {
  const row = { chain, generation, size, frontier: `\\x${frontier.toString('hex')}` };
  const ofLog = sql`chain = ${chain} and generation = ${generation}`;
  return TREES.compare(ledger, TREES.made([row]), ofLog);
}

/** The follower that signs checkpoints. */
export const CHECKPOINTS = 'checkpoints';

/**
 * Whether the interval of a ledger `l` is over.
 * @param ledgerId UUID, or the column that has it
 * @param now ms
 */
export function isRoundDue(ledgerId: string | Sql, now: number): Sql {
  // A round ends with the checkpoint of the activity: without it, the next one is due at once.
  return sql`
    coalesce((select c.created_at from checkpoints c
      where c.ledger_id = ${ledgerId} and c.chain = 'activity'
      order by c.generation desc, c.size desc limit 1), l.created_at) <= ${instant(now)}
      - make_interval(secs => coalesce(
        (select (s.document::json -> 'transparency' ->> 'interval_seconds')::integer
          from settings s where s.ledger_id = ${ledgerId}),
        ${DEFAULT_SETTINGS.transparency.interval_seconds}))`;
}

/** Whether a log of a ledger `l` has a fault. */
export const isAtFault: Sql = sql`
  exists (select from tlogs t where t.ledger_id = l.ledger_id
    and t.closed_at is null and t.fault is not null)`;

/**
 * Ledgers with started logs, in order, and records that no checkpoint covers. A signed receipt starts the logs before
 * their first checkpoint.
 */
export async function selectUnsignedLedgers(installation: Installation): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    where l.ledger_id in (
      select h.ledger_id from chain_heads h
      left join follower_positions p on p.ledger_id = h.ledger_id and p.follower = ${CHECKPOINTS}
        and p.log = h.chain
      where h.seq > coalesce(p.seq, 0)
        and exists (select from tlogs t where t.ledger_id = h.ledger_id)
        and not exists (select from tlogs t where t.ledger_id = h.ledger_id
          and t.closed_at is null and t.fault is not null))
    order by l.ledger_id`);
  return rows.map(toScope);
}

/**
 * Ledgers with a log that was not rebuilt since a time.
 * @param since ms
 */
export async function selectUnrebuiltLedgers(
  installation: Installation,
  since: number,
): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    where l.ledger_id in (select t.ledger_id from tlogs t
      where t.closed_at is null and t.rebuilt_at < ${instant(since)})
    order by l.ledger_id`);
  return rows.map(toScope);
}
