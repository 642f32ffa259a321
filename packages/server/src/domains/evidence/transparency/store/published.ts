import sql from 'sql-template-tag';
import type { ChainName } from '../../../../platform/chain/head.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { CheckpointRow } from './checkpoints.js';
import type { LogId, LogRow } from './tlogs.js';

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
