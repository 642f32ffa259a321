import { parseTilePath, tileNodes, tilePath, tileWidth } from '@decision-ledger/proof/tlog/tiles';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test('The paths of tiles are those of the specification', () => {
  expect(tilePath({ level: 0, index: 1234067, width: 256 })).toBe('tile/0/x001/x234/067');
  expect(tilePath({ level: 2, index: 0, width: 1 })).toBe('tile/2/000.p/1');
  expect(tilePath({ level: 'entries', index: 999, width: 256 })).toBe('tile/entries/999');
  expect(tilePath({ level: 'entries', index: 1000, width: 255 })).toBe(
    'tile/entries/x001/000.p/255',
  );
});

test('A path is read back as the tile that it names', () => {
  const tile = fc.record({
    level: fc.oneof(fc.nat(63), fc.constant('entries' as const)),
    index: fc.oneof(fc.nat(2000), fc.maxSafeNat()),
    width: fc.integer({ min: 1, max: 256 }),
  });
  fc.assert(
    fc.property(tile, (given) => {
      expect(parseTilePath(tilePath(given))).toEqual(given);
    }),
  );
});

test.each([
  'tile/0/1',
  'tile/00/001',
  'tile/64/001',
  'tile/-1/001',
  'tile/0/x000/001',
  'tile/0/001/002',
  'tile/0/x001/x002',
  'tile/0/0001',
  'tile/0/001.p/0',
  'tile/0/001.p/256',
  'tile/0/001.p/01',
  'tile/0/001.p/',
  'tile/0/001/',
  'tile/0/001 ',
  'tile/entry/001',
  '/tile/0/001',
  `tile/0/${'x999/'.repeat(5)}999`,
  `tile/0/${'x999/'.repeat(50)}999`,
])('%s is no path of a tile', (path) => {
  expect(() => parseTilePath(path)).toThrow();
});

test('A tree of 70,000 leaves has the tiles that the specification names', () => {
  const widths = (level: number, indexes: number[]) =>
    indexes.map((index) => tileWidth(70_000, level, index));
  expect(widths(0, [0, 272, 273, 274])).toEqual([256, 256, 112, 0]);
  expect(widths(1, [0, 1, 2])).toEqual([256, 17, 0]);
  expect(widths(2, [0, 1])).toEqual([1, 0]);
  expect(tileWidth(256, 1, 0)).toBe(1);
});

test('A tile is read once, and one of another length is refused', async () => {
  const read: string[] = [];
  const nodes = tileNodes(4, async (tile) => {
    read.push(tilePath(tile));
    return new Uint8Array(tile.width * 32);
  });
  await nodes([
    { level: 0, index: 0 },
    { level: 1, index: 1 },
    { level: 2, index: 0 },
  ]);
  expect(read).toEqual(['tile/0/000.p/4']);
  const short = tileNodes(4, async () => new Uint8Array(96));
  await expect(short([{ level: 0, index: 0 }])).rejects.toThrow(/128 bytes, not 96/);
  await expect(nodes([{ level: 3, index: 0 }])).rejects.toThrow(/has no node/);
  await expect(nodes([{ level: 0, index: 4 }])).rejects.toThrow(/has no node/);
});
