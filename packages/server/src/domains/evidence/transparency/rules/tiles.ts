import { TILE_HEIGHT, TILE_WIDTH } from '@decision-ledger/proof/tlog/tiles';
import { CompactRange, HASH_BYTES, type HashedNode } from '@decision-ledger/proof/tlog/tree';

/** Hashes that belong to a tile of level 1 or above, from the place `offset` on. */
export interface TilePart {
  readonly level: number;
  readonly tile: number;
  readonly offset: number;
  /** 32 bytes each. */
  readonly hashes: Buffer;
}

/**
 * Appends leaves to a tree.
 *
 * @param leaves hashes, 32 bytes each
 * @returns what the leaves add to the tiles from level 1 on
 */
export function appendLeaves(range: CompactRange, leaves: Buffer): TilePart[] {
  const parts = new Map<string, { readonly first: HashedNode; readonly hashes: Uint8Array[] }>();
  for (let at = 0; at < leaves.length; at += HASH_BYTES) {
    range.append(leaves.subarray(at, at + HASH_BYTES), (node) => {
      if (node.level % TILE_HEIGHT !== 0) return;
      const name = `${node.level} ${Math.floor(node.index / TILE_WIDTH)}`;
      const part = parts.get(name);
      if (part === undefined) parts.set(name, { first: node, hashes: [node.hash] });
      else part.hashes.push(node.hash);
    });
  }
  return [...parts.values()].map(({ first, hashes }) => ({
    level: first.level / TILE_HEIGHT,
    tile: Math.floor(first.index / TILE_WIDTH),
    offset: first.index % TILE_WIDTH,
    hashes: Buffer.concat(hashes),
  }));
}

/** @param frontier hashes of the compact range [0, size), 32 bytes each */
export function openFrontier(size: number, frontier: Uint8Array): CompactRange {
  const hashes: Uint8Array[] = [];
  for (let at = 0; at < frontier.length; at += HASH_BYTES) {
    hashes.push(frontier.subarray(at, at + HASH_BYTES));
  }
  return CompactRange.of(0, size, hashes);
}

const LENGTH_BYTES = 2;

/**
 * Entries in the form of C2SP tlog-tiles: the length of each in two bytes, big-endian, then its bytes.
 * @throws RangeError if an entry has more than 65,535 bytes
 */
export function entryBundle(entries: readonly string[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const bytes = Buffer.from(entry, 'utf8');
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(bytes.length);
      return [length, bytes];
    }),
  );
}
