import { TlogError } from '@decision-ledger/proof/tlog/error';
import {
  checkConsistency,
  checkInclusion,
  proveConsistency,
  proveInclusion,
  type ReadNodes,
} from '@decision-ledger/proof/tlog/proofs';
import {
  parseRangeProof,
  proveRange,
  RangeCheck,
  type RangeProof,
  rangeProofText,
} from '@decision-ledger/proof/tlog/range';
import { tileNodes, tileWidth } from '@decision-ledger/proof/tlog/tiles';
import {
  CompactRange,
  type HashedNode,
  MAX_SIZE,
  rangeNodes,
} from '@decision-ledger/proof/tlog/tree';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leavesOf, MerkleOracle } from '../support/merkle-oracle.js';
import { present } from '../support/oracle.js';

const MOST = 600;
const leaves = leavesOf(1100);
const oracle = new MerkleOracle(leaves);
/** Around the powers of two, where a tree changes its shape. */
const edges = [
  0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024,
];
const anySize = fc.oneof(fc.nat(MOST), fc.constantFrom(...edges, 1025));

/** Two whole numbers from 0 to `size`, in order. */
function pairOf(size: number) {
  return fc.tuple(fc.nat(size), fc.nat(size)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);
}

const hex = (hashes: readonly Uint8Array[]) => hashes.map((h) => Buffer.from(h).toString('hex'));

/** Every node of the oracle's tree. */
const fromOracle: ReadNodes = async (nodes) =>
  nodes.map(({ level, index }) => oracle.root(index * 2 ** level, (index + 1) * 2 ** level));

/** The tiles of the oracle's tree, and nothing else. */
function fromTiles(size: number): ReadNodes {
  return tileNodes(size, async ({ level, index, width }) => {
    const step = 256 ** level;
    const start = index * 256;
    expect(width).toBe(tileWidth(size, level, index));
    const hashes = Array.from({ length: width }, (_, at) =>
      oracle.root((start + at) * step, (start + at + 1) * step),
    );
    return Buffer.concat(hashes);
  });
}

function codeOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof TlogError) return error.code;
    throw error;
  }
}

test('The root of every tree of up to 600 leaves is the one of RFC 9162', () => {
  const range = CompactRange.empty(0);
  for (let size = 0; size <= 1100; size += 1) {
    if (size <= MOST || edges.includes(size)) {
      expect(hex([range.root()])).toEqual(hex([oracle.root(0, size)]));
    }
    const leaf = leaves[size];
    if (leaf !== undefined) range.append(leaf);
  }
});

test('A compact range holds the complete subtrees of its leaves, however it was put together', () => {
  fc.assert(
    fc.property(anySize.chain(pairOf), fc.nat(MOST), ([begin = 0, end = 0], more) => {
      const range = CompactRange.empty(begin);
      for (const leaf of leaves.slice(begin, end)) range.append(leaf);
      expect(hex(range.hashes())).toEqual(hex(oracle.cover(begin, end)));
      expect(hex(CompactRange.of(begin, end, range.hashes()).hashes())).toEqual(
        hex(range.hashes()),
      );
      const after = Math.min(end + more, leaves.length);
      range.merge(CompactRange.of(end, after, oracle.cover(end, after)));
      expect(range.end).toBe(after);
      expect(hex(range.hashes())).toEqual(hex(oracle.cover(begin, after)));
    }),
  );
});

test('Appending reports each subtree when it is complete', () => {
  const seen: HashedNode[] = [];
  const range = CompactRange.empty(0);
  for (const leaf of leaves) range.append(leaf, (node) => seen.push(node));
  let expected = 0;
  for (let width = 2; width <= leaves.length; width *= 2) expected += Math.floor(1100 / width);
  expect(seen.length).toBe(expected);
  for (const { level, index, hash } of seen) {
    const width = 2 ** level;
    expect(hex([hash])).toEqual(hex([oracle.root(index * width, (index + 1) * width)]));
  }
});

test('Inclusion proofs are those of RFC 9162, and check', async () => {
  const size = anySize.filter((n) => n > 0);
  const both = size.chain((n) => fc.tuple(fc.constant(n), fc.nat(n - 1)));
  await fc.assert(
    fc.asyncProperty(both, fc.boolean(), async ([n, index], isTiled) => {
      const read = isTiled ? fromTiles(n) : fromOracle;
      const proof = await proveInclusion(index, n, read);
      expect(hex(proof)).toEqual(hex(oracle.path(index, 0, n)));
      const leaf = present(leaves[index]);
      checkInclusion({ index, size: n, leaf, proof, root: oracle.root(0, n) });
    }),
  );
});

test('Consistency proofs are those of RFC 9162, and check', async () => {
  await fc.assert(
    fc.asyncProperty(
      anySize.chain(pairOf),
      fc.boolean(),
      async ([first = 0, second = 0], isTiled) => {
        const read = isTiled ? fromTiles(second) : fromOracle;
        const proof = await proveConsistency(first, second, read);
        const expected = first === 0 ? [] : oracle.subproof(first, 0, second, true);
        expect(hex(proof)).toEqual(hex(expected));
        const roots = { firstRoot: oracle.root(0, first), secondRoot: oracle.root(0, second) };
        checkConsistency({ first, second, ...roots, proof });
      },
    ),
  );
});

test('Range proofs hold the subtrees before and after the range, and check', async () => {
  const bounds = anySize.chain((size) => fc.tuple(fc.constant(size), pairOf(size)));
  await fc.assert(
    fc.asyncProperty(bounds, fc.boolean(), async ([size, [lo = 0, hi = 0]], isTiled) => {
      const proof = await proveRange(lo, hi, size, isTiled ? fromTiles(size) : fromOracle);
      expect(hex(proof.left)).toEqual(hex(oracle.cover(0, lo)));
      expect(hex(proof.right)).toEqual(hex(oracle.cover(hi, size)));
      const read = parseRangeProof(rangeProofText(proof));
      expect(hex([...read.left, ...read.right])).toEqual(hex([...proof.left, ...proof.right]));
      checkRange(read, leaves.slice(lo, hi), oracle.root(0, size));
    }),
  );
});

function checkRange(proof: RangeProof, own: readonly Uint8Array[], root: Uint8Array): void {
  const check = new RangeCheck(proof);
  for (const leaf of own) check.append(leaf);
  check.finish(root);
}

/** Ways to spoil a list of hashes, each of which changes it. */
function spoil(hashes: readonly Uint8Array[], way: number, at: number): Uint8Array[] {
  const copy = hashes.map((hash) => Uint8Array.from(hash));
  const place = copy.length === 0 ? 0 : at % copy.length;
  const hash = copy[place];
  if (hash === undefined || way === 0) return [...copy, new Uint8Array(32)];
  if (way === 1) copy.splice(place, 1);
  else if (way === 2) hash[at % 32] = (hash[at % 32] ?? 0) ^ (1 << (at % 8));
  else if (way === 3) copy.splice(place, 0, Uint8Array.from(hash));
  else copy[place] = hash.subarray(0, 31);
  return copy;
}

const REFUSALS = ['proof_length', 'hash_invalid', 'root_mismatch', 'range_invalid'];

test('A spoilt proof is refused', async () => {
  const size = anySize.filter((n) => n > 1);
  const bounds = size.chain((n) => fc.tuple(fc.constant(n), pairOf(n), fc.nat(n - 1)));
  await fc.assert(
    fc.asyncProperty(
      bounds,
      fc.nat(4),
      fc.nat(1000),
      async ([n, [a = 0, b = 0], index], way, at) => {
        const root = oracle.root(0, n);
        const leaf = present(leaves[index]);
        const path = spoil(oracle.path(index, 0, n), way, at);
        const inclusion = () => checkInclusion({ index, size: n, leaf, proof: path, root });
        expect(REFUSALS).toContain(codeOf(inclusion));
        const first = Math.max(a, 1);
        const proof = spoil(oracle.subproof(first, 0, n, true), way, at);
        const roots = { firstRoot: oracle.root(0, first), secondRoot: root };
        const consistency = () => checkConsistency({ first, second: n, ...roots, proof });
        expect(REFUSALS).toContain(codeOf(consistency));
        const range = { size: n, lo: a, left: oracle.cover(0, a), right: oracle.cover(b, n) };
        const left = { ...range, left: spoil(range.left, way, at) };
        const right = { ...range, right: spoil(range.right, way, at) };
        expect(REFUSALS).toContain(codeOf(() => checkRange(left, leaves.slice(a, b), root)));
        expect(REFUSALS).toContain(codeOf(() => checkRange(right, leaves.slice(a, b), root)));
      },
    ),
    { numRuns: 300 },
  );
});

test('A leaf that is left out of a range, added, changed or moved is noticed', () => {
  for (const [size, lo, hi] of [
    [10, 0, 10],
    [10, 3, 8],
    [257, 250, 257],
    [600, 1, 599],
  ] as const) {
    const root = oracle.root(0, size);
    const proof = { size, lo, left: oracle.cover(0, lo), right: oracle.cover(hi, size) };
    const own = leaves.slice(lo, hi);
    checkRange(proof, own, root);
    const other = present(leaves[1000]);
    const wrong = [
      own.slice(1),
      own.slice(0, -1),
      own.with(1, other),
      [...own, other],
      [other, ...own],
      own.with(0, present(own[1])).with(1, present(own[0])),
      [],
    ];
    for (const leavesOfIt of wrong) {
      expect(REFUSALS).toContain(codeOf(() => checkRange(proof, leavesOfIt, root)));
    }
    const moved = () => checkRange({ ...proof, lo: lo + 1 }, own, root);
    expect(REFUSALS).toContain(codeOf(moved));
    const grown = () => checkRange({ ...proof, size: size + 1 }, own, root);
    expect(REFUSALS).toContain(codeOf(grown));
  }
});

test('A proof for another index, size or root is refused', () => {
  for (const size of [2, 3, 7, 8, 100, 257]) {
    const root = oracle.root(0, size);
    const proof = oracle.path(1, 0, size);
    const given = { index: 1, size, leaf: present(leaves[1]), proof, root };
    checkInclusion(given);
    for (const change of [
      { index: 0 },
      { index: size },
      { index: -1 },
      { index: 0.5 },
      { size: size * 2 + 1 },
      { root: oracle.root(0, size + 1) },
      { leaf: present(leaves[2]) },
      { leaf: new Uint8Array(31) },
    ]) {
      expect(REFUSALS).toContain(codeOf(() => checkInclusion({ ...given, ...change })));
    }
  }
});

test('A tree follows the empty one, and only the true empty one', () => {
  const [none, one] = [oracle.root(0, 0), oracle.root(0, 1)];
  checkConsistency({ first: 0, second: 1, firstRoot: none, secondRoot: one, proof: [] });
  const forged = { first: 0, second: 1, firstRoot: one, secondRoot: one, proof: [] };
  expect(codeOf(() => checkConsistency(forged))).toBe('root_mismatch');
  const grown = { first: 0, second: 0, firstRoot: none, secondRoot: one, proof: [] };
  expect(codeOf(() => checkConsistency(grown))).toBe('root_mismatch');
});

test('Positions stay exact up to the largest size', async () => {
  expect(rangeNodes(0, MAX_SIZE).length).toBe(53);
  expect(rangeNodes(1, MAX_SIZE).length).toBe(104);
  const leaf = new Uint8Array(32).fill(7);
  const read: ReadNodes = async (nodes) => nodes.map(() => leaf);
  for (const [index, length] of [
    [0, 53],
    [2 ** 40 + 1, 53],
    // The last leaf is a subtree of its own, and each other subtree is its neighbour.
    [MAX_SIZE - 1, 52],
  ] as const) {
    expect((await proveInclusion(index, MAX_SIZE, read)).length).toBe(length);
  }
  const text = rangeProofText(await proveRange(2 ** 29 - 1, 2 ** 29, 1e9, read));
  expect(text.length).toBeLessThan(4096);
});

test.each([
  '',
  '[]',
  '{}',
  '{"left":[],"lo":0,"right":[],"size":1,"x":1}',
  '{"left":[],"lo":2,"right":[],"size":1}',
  '{"left":[],"lo":0.5,"right":[],"size":1}',
  '{"left":["AA=="],"lo":0,"right":[],"size":1}',
  '{"left":[5],"lo":0,"right":[],"size":1}',
  '{"left":{},"lo":0,"right":[],"size":1}',
])('The text %j is no range proof', (text) => {
  expect(() => parseRangeProof(text)).toThrow();
});

test('A range proof has a limited length', () => {
  const text = '{"left":[],"lo":0,"right":[],"size":1}';
  expect(parseRangeProof(text)).toEqual({ left: [], lo: 0, right: [], size: 1 });
  expect(codeOf(() => parseRangeProof(text + ' '.repeat(9000)))).toBe('text_oversized');
});
