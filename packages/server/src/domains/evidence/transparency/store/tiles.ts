import { HASH_BYTES } from '@decision-ledger/proof/tlog/tree';
import sql, { empty } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import {
  type ComparedColumns,
  type Comparison,
  compareRows,
  madeRows,
  noRows,
} from '../../../../platform/projections/differences.js';
import type { TilePart } from '../rules/tiles.js';
import type { LogId } from './tlogs.js';

/**
 * Appends hashes to a tile.
 * @returns false if the tile does not end where they begin
 */
export async function appendToTile(
  tx: LedgerWriter,
  { chain, generation }: LogId,
  { level, tile, offset, hashes }: TilePart,
): Promise<boolean> {
  const bytes = offset * HASH_BYTES;
  const written =
    offset === 0
      ? await tx.query(sql`
          insert into tlog_tiles (ledger_id, chain, generation, level, tile, hashes)
          values (${tx.ledgerId}, ${chain}, ${generation}, ${level}, ${tile}, ${hashes})
          on conflict do nothing returning level`)
      : await tx.query(sql`
          update tlog_tiles set hashes = hashes || ${hashes}::bytea
          where ledger_id = ${tx.ledgerId} and chain = ${chain} and generation = ${generation}
            and level = ${level} and tile = ${tile} and octet_length(hashes) = ${bytes}
          returning level`);
  return written.length === 1;
}

/**
 * Hashes of a tile of level 1 or above, 32 bytes each; fewer than asked for if it has fewer.
 * @param offset of the first hash
 */
export async function selectTile(
  ledger: LedgerReader,
  { chain, generation }: LogId,
  { level, tile, offset }: Pick<TilePart, 'level' | 'tile' | 'offset'>,
  count: number,
): Promise<Buffer> {
  const [row] = await ledger.query<{ hashes: Buffer }>(sql`
    select substring(hashes from ${offset * HASH_BYTES + 1}::integer for ${count * HASH_BYTES}::integer)
      as hashes
    from tlog_tiles
    where ledger_id = ${ledger.ledgerId} and chain = ${chain} and generation = ${generation}
      and level = ${level} and tile = ${tile}`);
  return row?.hashes ?? Buffer.alloc(0);
}

/** Names a tile of a log. */
export type TilePlace = Pick<TilePart, 'level' | 'tile'>;

const TILES: ComparedColumns = {
  table: 'tlog_tiles',
  key: ['chain', 'generation', 'level', 'tile'],
  values: ['hashes'],
};

/** Compares the stored tiles of a log: after `from`, up to `to`; null for no limit. */
export async function compareTiles(
  ledger: LedgerReader,
  { chain, generation }: LogId,
  { from, to }: { readonly from: TilePlace | null; readonly to: TilePlace | null },
  expected: readonly (TilePlace & { readonly hashes: Buffer })[],
): Promise<Comparison> {
  const rows = expected.map(({ level, tile, hashes }) => ({
    ...{ chain, generation, level, tile, hashes: `\\x${hashes.toString('hex')}` },
  }));
  const later =
    from === null ? empty : sql` and (level, tile) > (${from.level}, ${from.tile}::bigint)`;
  const earlier =
    to === null ? empty : sql` and (level, tile) <= (${to.level}, ${to.tile}::bigint)`;
  const ofLog = sql`chain = ${chain} and generation = ${generation}${later}${earlier}`;
  return compareRows(ledger, TILES, madeRows('tlog_tiles', rows), ofLog);
}

/** Tiles of no log. */
export async function compareStrayTiles(ledger: LedgerReader): Promise<Comparison> {
  const stored = sql`not exists (select from tlogs l where l.ledger_id = ${ledger.ledgerId}
    and l.chain = tlog_tiles.chain and l.generation = tlog_tiles.generation)`;
  return compareRows(ledger, TILES, noRows('tlog_tiles'), stored);
}

/** Only the owner of the database may delete tiles. @param keys JSON */
export async function deleteTiles(tx: LedgerWriter, keys: string): Promise<void> {
  await tx.query(sql`
    delete from tlog_tiles t using json_populate_recordset(null::tlog_tiles, ${keys}::json) k
    where t.ledger_id = ${tx.ledgerId} and t.chain = k.chain and t.generation = k.generation
      and t.level = k.level and t.tile = k.tile`);
}

/** @param rows JSON */
export async function insertTiles(tx: LedgerWriter, rows: string): Promise<void> {
  await tx.query(sql`
    insert into tlog_tiles (ledger_id, chain, generation, level, tile, hashes)
    select ${tx.ledgerId}, chain, generation, level, tile, hashes
    from json_populate_recordset(null::tlog_tiles, ${rows}::json)`);
}
