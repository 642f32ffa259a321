import { TlogError } from './error.js';
import { requireSpan } from './hashes.js';
import type { ReadNodes } from './proofs.js';
import { CompactRange, HASH_BYTES, type TreeNode } from './tree.js';

/*
 * Tiles of C2SP tlog-tiles (https://c2sp.org/tlog-tiles): the tile n of level l holds up to 256 hashes, of
 * the nodes of tree level 8 * l from n * 256 on.
 */

/** Tree levels that a tile spans. */
export const TILE_HEIGHT = 8;
/** Hashes of a full tile. */
export const TILE_WIDTH = 256;
/** The level of the largest tree's highest tile. */
const MAX_LEVEL = 6;
const MAX_PATH = 64;

/** A tile, or the entries that a tile of level 0 stands for. `width` is 256, or less for a partial one. */
export interface Tile {
  readonly level: number | 'entries';
  readonly index: number;
  /** Hashes, 1 to 256. */
  readonly width: number;
}

/**
 * The path of a tile below the address of its log.
 *
 * @example
 * ```ts
 * import { tilePath } from '@decision-ledger/proof/tlog/tiles';
 *
 * tilePath({ level: 0, index: 1234067, width: 256 }); // => 'tile/0/x001/x234/067'
 * tilePath({ level: 'entries', index: 3, width: 7 }); // => 'tile/entries/003.p/7'
 * ```
 */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index).padStart(3, '0');
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const elements = padded.match(/\d{3}/g) ?? [];
  const path = elements.map((part, at) => (at < elements.length - 1 ? `x${part}` : part)).join('/');
  return `tile/${level}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

const PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/;

/**
 * Reads the path of a tile. Each tile has one path.
 *
 * @throws TlogError `text_invalid`, `text_oversized`, `range_invalid`
 * @example
 * ```ts
 * import { parseTilePath } from '@decision-ledger/proof/tlog/tiles';
 *
 * parseTilePath('tile/0/x001/x234/067'); // => { level: 0, index: 1234067, width: 256 }
 * ```
 */
export function parseTilePath(path: string): Tile {
  if (path.length > MAX_PATH) {
    throw new TlogError('text_oversized', `The path of a tile has at most ${MAX_PATH} characters.`);
  }
  const [, name = '', elements = '', partial] = PATH.exec(path) ?? [];
  const level = name === 'entries' ? name : Number(name);
  const index = Number(elements.replaceAll(/[x/]/g, ''));
  const tile: Tile = { level, index, width: partial === undefined ? TILE_WIDTH : Number(partial) };
  requireSpan(0, index);
  if (tile.width === 0 || (level !== 'entries' && level > 63) || tilePath(tile) !== path) {
    const message = 'A tile has a path such as tile/0/x001/x234/067 or tile/entries/000.p/7.';
    throw new TlogError('text_invalid', message);
  }
  return tile;
}

/**
 * The number of hashes of a tile in a tree.
 *
 * @param size leaves of the tree
 * @param level of the tile, from 0
 * @returns 0 to 256; 0 if the tree has no such tile
 * @example
 * ```ts
 * import { tileWidth } from '@decision-ledger/proof/tlog/tiles';
 *
 * tileWidth(70_000, 0, 273); // => 112
 * tileWidth(70_000, 2, 0); // => 1
 * ```
 */
export function tileWidth(size: number, level: number, index: number): number {
  requireSpan(0, size);
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  return Math.min(Math.max(hashes - index * TILE_WIDTH, 0), TILE_WIDTH);
}

/** Reads the hashes of a tile, 32 bytes each, one after the other. */
export type ReadTile = (tile: Tile & { readonly level: number }) => Promise<Uint8Array>;

/**
 * Reads the nodes of a tree from its tiles. A tile is read once per call.
 *
 * @param size leaves of the tree
 * @returns a function that throws TlogError `range_invalid` for a node that the tree does not have,
 *   `hash_invalid` for a tile of another length, and what `read` throws
 * @example
 * ```ts
 * import { tileNodes } from '@decision-ledger/proof/tlog/tiles';
 *
 * async function rootOfTwo(tile: Uint8Array) {
 *   const [root] = await tileNodes(2, async () => tile)([{ level: 1, index: 0 }]);
 *   return root;
 * }
 * ```
 */
export function tileNodes(size: number, read: ReadTile): ReadNodes {
  requireSpan(0, size);
  return async (nodes) => {
    const tiles = new Map<string, Promise<Uint8Array>>();
    const readOnce = (tile: Tile & { readonly level: number }) => {
      const path = tilePath(tile);
      const known = tiles.get(path) ?? readTile(tile, read);
      tiles.set(path, known);
      return known;
    };
    const places = nodes.map((node) => placeOf(node, size));
    return Promise.all(
      places.map(async ({ tile, first, count }) => {
        const hashes = await readOnce(tile);
        return subtree(hashes, first, count);
      }),
    );
  };
}

async function readTile(tile: Tile & { readonly level: number }, read: ReadTile) {
  const hashes = await read(tile);
  if (hashes.length === tile.width * HASH_BYTES) return hashes;
  const message = `${tilePath(tile)} has ${tile.width * HASH_BYTES} bytes, not ${hashes.length}.`;
  throw new TlogError('hash_invalid', message);
}

/** The tile that a node is read from, and the hashes of the tile that make it up. */
function placeOf(node: TreeNode, size: number) {
  const level = Math.floor(node.level / TILE_HEIGHT);
  const count = 2 ** (node.level % TILE_HEIGHT);
  const start = node.index * count;
  const index = Math.floor(start / TILE_WIDTH);
  const first = start % TILE_WIDTH;
  const width = level > MAX_LEVEL ? 0 : tileWidth(size, level, index);
  if (first + count > width) {
    const message = `A tree of ${size} leaves has no node ${node.index} at level ${node.level}.`;
    throw new TlogError('range_invalid', message);
  }
  return { tile: { level, index, width }, first, count };
}

function subtree(hashes: Uint8Array, first: number, count: number): Uint8Array {
  const range = CompactRange.empty(0);
  for (let at = first; at < first + count; at += 1) {
    range.append(hashes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES));
  }
  return range.root();
}
