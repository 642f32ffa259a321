import type { ReadNodes } from '@decision-ledger/proof/tlog/proofs';
import { TILE_WIDTH, type Tile, tileNodes } from '@decision-ledger/proof/tlog/tiles';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectLeaves } from './store/leaves.js';
import { selectTile } from './store/tiles.js';
import type { LogId } from './store/tlogs.js';

/** Hashes of a tile. Those of level 0 are the hashes of the chain. */
export async function readTileHashes(
  ledger: LedgerReader,
  log: LogId,
  { level, index, width }: Tile & { readonly level: number },
): Promise<Buffer> {
  if (level > 0) return selectTile(ledger, log, { level, tile: index, offset: 0 }, width);
  const after = index * TILE_WIDTH;
  const { hashes } = await selectLeaves(ledger, log.chain, after, after + width, width);
  return hashes;
}

/** Reads the nodes of a log's tree of `size` leaves. */
export function nodesOf(ledger: LedgerReader, log: LogId, size: number): ReadNodes {
  return tileNodes(size, (tile) => readTileHashes(ledger, log, tile));
}
