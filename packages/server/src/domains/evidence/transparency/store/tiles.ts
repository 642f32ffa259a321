import { HASH_BYTES } from '@decision-ledger/proof/tlog/tree';
import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
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
