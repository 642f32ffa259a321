import { HASH_BYTES } from '@decision-ledger/proof/tlog/tree';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';
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

export const TILES = new DerivedRows('tlog_tiles', {
  key: ['chain', 'generation', 'level', 'tile'],
  values: ['hashes'],
});

/** Compares the stored tiles of a log. */
export async function compareTiles(
  ledger: LedgerReader,
  { chain, generation }: LogId,
  { after, until }: KeyRange<TilePlace>,
  expected: readonly (TilePlace & { readonly hashes: Buffer })[],
): Promise<RowComparison> {
  const rows = expected.map(({ level, tile, hashes }) => ({
    chain,
    generation,
    level,
    tile,
    hashes: `\\x${hashes.toString('hex')}`,
  }));
  const later =
    after === null ? empty : sql` and (level, tile) > (${after.level}, ${after.tile}::bigint)`;
  const earlier =
    until === null ? empty : sql` and (level, tile) <= (${until.level}, ${until.tile}::bigint)`;
  const ofLog = sql`chain = ${chain} and generation = ${generation}${later}${earlier}`;
  return TILES.compare(ledger, TILES.made(rows), ofLog);
}

/** Names a tile of a ledger. */
export type TileKey = TilePlace & LogId;

/** The last one of some stored tiles after a key; null if there are fewer. */
export async function selectEndOfTiles(
  ledger: LedgerReader,
  after: TileKey | null,
  count: number,
): Promise<TileKey | null> {
  const [row] = await ledger.query<TileKey>(sql`
    select chain, generation, level, tile from tlog_tiles
    where ledger_id = ${ledger.ledgerId} and ${within({ after, until: null })}
    order by chain, generation, level, tile offset ${count - 1} limit 1`);
  return row ?? null;
}

/** Tiles of no log. */
export async function compareStrayTiles(
  ledger: LedgerReader,
  range: KeyRange<TileKey>,
): Promise<RowComparison> {
  const stored = sql`${within(range)} and not exists (select from tlogs l
    where l.ledger_id = ${ledger.ledgerId} and l.chain = tlog_tiles.chain
      and l.generation = tlog_tiles.generation)`;
  return TILES.compare(ledger, TILES.made([]), stored);
}

function within({ after, until }: KeyRange<TileKey>): Sql {
  const row = raw('(chain, generation, level, tile)');
  const place = ({ chain, generation, level, tile }: TileKey) =>
    sql`(${chain}, ${generation}::integer, ${level}::integer, ${tile}::bigint)`;
  const later = after === null ? empty : sql` and ${row} > ${place(after)}`;
  const earlier = until === null ? empty : sql` and ${row} <= ${place(until)}`;
  return sql`true${later}${earlier}`;
}
