import sql, { raw } from 'sql-template-tag';
import type { ChainName } from '../../../../platform/chain/head.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import type { SignedNote } from '../../../../platform/signed-folder.js';
import type { Installation } from '../../../../platform/statement.js';
import type { LogId, LogRow } from './tlogs.js';

/** A signed checkpoint. */
export interface CheckpointRow {
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
  /** Signed note. */
  readonly note: string;
  /** ms. */
  readonly created_at: number;
}

const COLUMNS = raw(
  `size, root, note, (extract(epoch from created_at) * 1000)::bigint as created_at`,
);

/** The checkpoint of the largest tree of a log. */
export async function selectLastCheckpoint(
  ledger: LedgerReader,
  { chain, generation }: LogId,
): Promise<CheckpointRow | null> {
  const [row] = await ledger.query<CheckpointRow>(sql`
    select ${COLUMNS} from checkpoints
    where ledger_id = ${ledger.ledgerId} and chain = ${chain} and generation = ${generation}
    order by size desc limit 1`);
  return row ?? null;
}

/**
 * The places in a list of signed checkpoints of those that are stored with the same root, and whose records are there
 * by the head of their chain. Of all organisations: only for the operator.
 */
export async function selectStored(
  installation: Installation,
  signed: readonly SignedNote[],
): Promise<Set<number>> {
  const rows = await installation.queryAcross<{ place: number }>(sql`
    select n.place - 1 as place
    from unnest(${signed.map((note) => note.ledgerId)}::uuid[], ${signed.map((note) => note.chain)}::text[],
      ${signed.map((note) => note.generation)}::integer[], ${signed.map((note) => note.size)}::bigint[],
      ${signed.map((note) => Buffer.from(note.root).toString('hex'))}::text[])
      with ordinality as n (ledger_id, chain, generation, size, root, place)
    join checkpoints c on c.ledger_id = n.ledger_id and c.chain = n.chain and c.generation = n.generation
      and c.size = n.size and c.root = decode(n.root, 'hex')
    join chain_heads h on h.ledger_id = n.ledger_id and h.chain = n.chain and h.seq >= n.size`);
  return new Set(rows.map(({ place }) => place));
}

/** The checkpoints of a log after a size, in order. */
export async function selectCheckpoints(
  ledger: LedgerReader,
  { chain, generation }: LogId,
  after: number,
  limit: number,
): Promise<CheckpointRow[]> {
  return ledger.query<CheckpointRow>(sql`
    select ${COLUMNS} from checkpoints
    where ledger_id = ${ledger.ledgerId} and chain = ${chain} and generation = ${generation}
      and size > ${after}
    order by size limit ${limit}`);
}

/** Its time is that of the database, like that of a decision. */
export async function insertCheckpoint(
  tx: LedgerWriter,
  { chain, generation }: LogId,
  { size, root, note }: Omit<CheckpointRow, 'created_at'>,
): Promise<void> {
  await tx.query(sql`
    insert into checkpoints (ledger_id, chain, generation, size, root, note, created_at)
    values (${tx.ledgerId}, ${chain}, ${generation}, ${size}, ${root}, ${note}, clock_timestamp())`);
}

/** Deletes old checkpoints that are not needed, at most 1000. @returns how many */
export async function thinCheckpoints(
  tx: LedgerWriter,
  { chain, generation }: LogId,
): Promise<number> {
  const [row] = await tx.query<{ thinned: number }>(sql`
    select thin_checkpoints(${tx.ledgerId}, ${chain}, ${generation}) as thinned`);
  return row?.thinned ?? 0;
}

/** Notes that an export holds a checkpoint, so that it is kept. */
export async function insertExportCheckpoint(
  tx: LedgerWriter,
  exportId: string,
  { chain, generation }: LogId,
  size: number,
): Promise<void> {
  await tx.query(sql`
    insert into export_checkpoints (ledger_id, export_id, chain, generation, size)
    values (${tx.ledgerId}, ${exportId}, ${chain}, ${generation}, ${size}) on conflict do nothing`);
}

/** A log with what is published of it. */
export interface PublishedLog {
  readonly log: LogRow;
  /** The last one. */
  readonly checkpoint: CheckpointRow;
}

type PublishedRow = LogRow &
  Pick<CheckpointRow, 'root' | 'note' | 'created_at'> & { readonly signed: number };

/** The current log of a chain with its last checkpoint; null before the first one. */
export async function selectPublishedLog(
  ledger: LedgerReader,
  chain: ChainName,
): Promise<PublishedLog | null> {
  const [row] = await ledger.query<PublishedRow>(sql`
    select l.chain, l.generation, l.origin, l.size, l.frontier, l.fault, c.size as signed, c.root,
      c.note, (extract(epoch from c.created_at) * 1000)::bigint as created_at
    from (
      select * from tlogs where ledger_id = ${ledger.ledgerId} and chain = ${chain} and closed_at is null
      order by generation desc limit 1
    ) l
    join checkpoints c on c.ledger_id = ${ledger.ledgerId} and c.chain = ${chain}
      and c.generation = l.generation
    order by c.size desc limit 1`);
  if (row === undefined) return null;
  const { signed: size, root, note, created_at, ...log } = row;
  return { log, checkpoint: { size, root, note, created_at } };
}

/** A log with a checkpoint of it that an export holds. */
export interface PinnedRow extends LogId {
  readonly origin: string;
  /** Signed note. */
  readonly note: string;
  /** 32 bytes: the current key of the log. */
  readonly public_key: Buffer;
}

/** The current logs of both chains that have a checkpoint of these sizes. */
export async function selectPinned(
  ledger: LedgerReader,
  sizes: Readonly<Record<ChainName, number>>,
): Promise<PinnedRow[]> {
  return ledger.query<PinnedRow>(sql`
    select distinct on (l.chain) l.chain, l.generation, l.origin, c.note, k.public_key
    from tlogs l
    join checkpoints c on c.ledger_id = ${ledger.ledgerId} and c.chain = l.chain
      and c.generation = l.generation
      and c.size = case l.chain when 'decisions' then ${sizes.decisions}::bigint
        else ${sizes.activity}::bigint end
    join tlog_keys k on k.ledger_id = ${ledger.ledgerId} and k.chain = l.chain
      and k.generation = l.generation
    where l.ledger_id = ${ledger.ledgerId} and l.closed_at is null
    order by l.chain, l.generation desc, k.created_at desc`);
}
