import sql, { raw, type Sql } from 'sql-template-tag';
import type { ChainName } from '../../../../platform/chain/head.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';

/** Consecutive records of a chain. */
export interface Leaves {
  readonly count: number;
  /** Seq of the first and the last; 0 if there are none. */
  readonly first: number;
  readonly last: number;
  /** Hashes in the order of the chain, 32 bytes each. */
  readonly hashes: Buffer;
}

/** The next records after a seq, until another one. */
export interface LeavesQuery {
  readonly after: number;
  readonly until: number;
  readonly limit: number;
}

export async function selectLeaves(
  ledger: LedgerReader,
  chain: ChainName,
  { after, until, limit }: LeavesQuery,
): Promise<Leaves> {
  const [row] = await ledger.query<Leaves>(sql`
    select count(*) as count, coalesce(min(seq), 0) as first, coalesce(max(seq), 0) as last,
      coalesce(string_agg(hash, ''::bytea order by seq), '') as hashes
    from (select seq, hash from ${raw(chain)}
      where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
      order by seq limit ${limit}) page`);
  return row ?? { count: 0, first: 0, last: 0, hashes: Buffer.alloc(0) };
}

/** The entries of the records in a range of seqs, both included. */
export async function selectEntryTexts(
  ledger: LedgerReader,
  chain: ChainName,
  first: number,
  last: number,
): Promise<string[]> {
  const rows = await ledger.query<{ entry: string }>(sql`
    select entry from ${raw(chain)}
    where ledger_id = ${ledger.ledgerId} and seq between ${first} and ${last} order by seq`);
  return rows.map(({ entry }) => entry);
}

/** The end of a chain by its head. */
export async function selectHeadSeq(ledger: LedgerReader, chain: ChainName): Promise<number> {
  const [row] = await ledger.query<{ seq: number }>(sql`
    select seq from chain_heads where ledger_id = ${ledger.ledgerId} and chain = ${chain}`);
  return row?.seq ?? 0;
}

/** The place of a decision in its chain; null if the ledger has no such decision. */
export async function selectDecisionLeaf(
  ledger: LedgerReader,
  decisionId: string,
): Promise<{ readonly seq: number; readonly hash: string } | null> {
  const [row] = await ledger.query<{ seq: number; hash: string }>(sql`
    select seq, encode(hash, 'hex') as hash from decisions
    where ledger_id = ${ledger.ledgerId} and decision_id = ${decisionId}`);
  return row ?? null;
}

/** A record that names a checkpoint of a log. */
export interface NamingRow {
  readonly seq: number;
  /** Its disclosure. */
  readonly data: string;
  /** ms. */
  readonly created_at: number;
}

/** The first or last record that names a checkpoint of a log and fulfils a condition. */
async function selectNaming(
  ledger: LedgerReader,
  origin: string,
  which: { readonly end: 'first' | 'last'; readonly condition: Sql },
): Promise<NamingRow | null> {
  const [row] = await ledger.query<NamingRow>(sql`
    select seq, data, (extract(epoch from created_at) * 1000)::bigint as created_at from activity
    where ledger_id = ${ledger.ledgerId} and subject = ${origin} and type = 'checkpoint.signed'
      and data is not null and ${which.condition}
    order by seq ${raw(which.end === 'last' ? 'desc' : 'asc')} limit 1`);
  return row ?? null;
}

/** The last record up to a seq that names a checkpoint of a log. */
export const selectLastNamed = (ledger: LedgerReader, origin: string, until: number) =>
  selectNaming(ledger, origin, { end: 'last', condition: sql`seq <= ${until}` });

/** The last record that names a checkpoint of a log and was made before a time (ms). */
export const selectNamedBefore = (ledger: LedgerReader, origin: string, time: number) =>
  selectNaming(ledger, origin, {
    end: 'last',
    condition: sql`created_at < ${instant(time)}`,
  });

/** The first record up to a seq that names a checkpoint of a log and was made at a time (ms) or later. */
export const selectNamedFrom = (
  ledger: LedgerReader,
  origin: string,
  time: number,
  until: number,
) =>
  selectNaming(ledger, origin, {
    end: 'first',
    condition: sql`created_at >= ${instant(time)} and seq <= ${until}`,
  });
