import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../ledger.js';

export type ChainName = 'decisions' | 'activity';

/** The end of a chain, from its head row. */
interface Head {
  readonly epoch: number;
  readonly seq: number;
  /** Hexadecimal. */
  readonly hash: string;
  /** created_at of the last record, in ms. */
  readonly createdAt: number;
}

/** The table of a chain's records, which has the name of the chain. */
export interface ChainTable {
  readonly chain: ChainName;
  /** The column that time ranges refer to. */
  readonly timeColumn: 'timestamp' | 'created_at';
}

export interface LockedHead extends Head {
  /** created_at of the records to append: the database's clock, but never before the last record. */
  readonly now: number;
}

/** Locks the head row until the transaction ends, which serialises appends to the chain. */
export async function lockHead(tx: LedgerWriter, chain: ChainName): Promise<LockedHead> {
  const statement = sql`
    select epoch, seq, encode(hash, 'hex') as hash,
      (extract(epoch from created_at) * 1000)::bigint as "createdAt",
      floor(extract(epoch from greatest(clock_timestamp(), created_at)) * 1000)::bigint as now
    from chain_heads where ledger_id = ${tx.ledgerId} and chain = ${chain} for update`;
  const { text, values } = statement;
  const [head] = await tx.query<LockedHead>({ name: 'lock-head', text, values });
  if (head === undefined) throw new Error(`ledger ${tx.ledgerId} has no ${chain} chain`);
  return head;
}

/** Moves a head that is locked by this transaction. */
export async function moveHead(
  tx: LedgerWriter,
  chain: ChainName,
  to: Pick<Head, 'seq' | 'hash' | 'createdAt'>,
): Promise<void> {
  const { text, values } = sql`
    update chain_heads set seq = ${to.seq}, hash = decode(${to.hash}, 'hex'),
      created_at = to_timestamp(${to.createdAt}::bigint / 1000.0)
    where ledger_id = ${tx.ledgerId} and chain = ${chain}`;
  await tx.query({ name: 'move-head', text, values, notifies: tx.ledgerId });
}

/** The end of a chain. */
export interface ChainHead extends Pick<Head, 'seq' | 'hash'> {
  readonly chain: ChainName;
}

export function readHeads(ledger: LedgerReader): Promise<ChainHead[]> {
  return ledger.query<ChainHead>(sql`
    select chain, seq, encode(hash, 'hex') as hash from chain_heads where ledger_id = ${ledger.ledgerId}`);
}

/** Whether each of these is or was the end of its chain. */
export async function hasRecords(
  ledger: LedgerReader,
  heads: readonly ChainHead[],
): Promise<boolean> {
  const { ledgerId } = ledger;
  const of = (name: keyof ChainHead) => heads.map((head) => String(head[name]));
  const [row] = await ledger.query<{ found: number }>(sql`
    select count(*)::int as found
    from unnest(${of('chain')}::text[], ${of('seq')}::bigint[], ${of('hash')}::text[]) as w (chain, seq, hash)
    where decode(w.hash, 'hex') in (
      select h.hash from chain_heads h
        where h.ledger_id = ${ledgerId} and h.chain = w.chain and h.seq = w.seq
      union all select c.genesis_hash from chains c
        where c.ledger_id = ${ledgerId} and c.chain = w.chain and w.seq = 0
      union all select d.hash from decisions d
        where w.chain = 'decisions' and d.ledger_id = ${ledgerId} and d.seq = w.seq
      union all select a.hash from activity a
        where w.chain = 'activity' and a.ledger_id = ${ledgerId} and a.seq = w.seq)`);
  return row?.found === heads.length;
}

/** The genesis and the head of a chain, read in one snapshot. */
export interface ChainState {
  /** The epoch of the head; `genesisEpoch` is that of the chain's row. */
  readonly epoch: number;
  readonly genesisEpoch: number;
  readonly genesis: string;
  readonly genesisHash: string;
  readonly seq: number;
  readonly hash: string;
}

/** @returns null if the chain's row or its head is missing */
export async function readChain(
  ledger: LedgerReader,
  chain: ChainName,
): Promise<ChainState | null> {
  const [state] = await ledger.query<ChainState>(sql`
    select h.epoch, c.epoch as "genesisEpoch", c.genesis, encode(c.genesis_hash, 'hex') as "genesisHash",
      h.seq, encode(h.hash, 'hex') as hash
    from chain_heads h join chains c on c.ledger_id = h.ledger_id and c.chain = h.chain
    where h.ledger_id = ${ledger.ledgerId} and h.chain = ${chain}`);
  return state ?? null;
}
