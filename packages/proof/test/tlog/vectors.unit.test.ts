import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCheckpoint, signCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import {
  checkConsistency,
  checkInclusion,
  proveConsistency,
  proveInclusion,
  type ReadNodes,
} from '@decision-ledger/proof/tlog/proofs';
import { proveRange, RangeCheck } from '@decision-ledger/proof/tlog/range';
import { CompactRange } from '@decision-ledger/proof/tlog/tree';
import { parseVerifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { expect, test } from 'vitest';
import { signerOf, verify } from '../support/ed25519.js';
import { leavesOf } from '../support/merkle-oracle.js';
import { present } from '../support/oracle.js';

interface Vectors {
  readonly verifier_key: string;
  readonly trees: readonly { size: number; root: string; checkpoint: string }[];
  readonly inclusion: readonly { index: number; size: number; proof: string[] }[];
  readonly consistency: readonly {
    first: number;
    second: number;
    first_root: string;
    proof: string[];
  }[];
  readonly ranges: readonly {
    lo: number;
    hi: number;
    size: number;
    left: string[];
    right: string[];
  }[];
}

const FILE = join(import.meta.dirname, '../../../../vectors/tlog/proofs.json');
const vectors: Vectors = JSON.parse(readFileSync(FILE, 'utf8'));
const LARGEST = 1_000_000;
const leaves = leavesOf(LARGEST);
const nodes: Uint8Array[][] = [leaves];
const range = CompactRange.empty(0);
const wanted = new Set(vectors.trees.map(({ size }) => size));
const roots = new Map<number, Uint8Array>([[0, range.root()]]);
for (const leaf of leaves) {
  range.append(leaf, ({ level, hash }) => {
    nodes[level] ??= [];
    present(nodes[level]).push(hash);
  });
  if (wanted.has(range.end)) roots.set(range.end, range.root());
}

const read: ReadNodes = async (ids) =>
  ids.map(({ level, index }) => present(nodes[level]?.[index]));
const bytes = (text: string) => Buffer.from(text, 'base64');
const texts = (hashes: readonly Uint8Array[]) =>
  hashes.map((hash) => Buffer.from(hash).toString('base64'));
const rootOf = (size: number) => present(roots.get(size));

test('The roots and signed checkpoints are those that Go makes', async () => {
  const key = parseVerifierKey(vectors.verifier_key);
  const own = signerOf('example.com/log', 7);
  expect(verifierKeyText(own.key)).toBe(vectors.verifier_key);
  for (const { size, root, checkpoint } of vectors.trees) {
    expect(texts([rootOf(size)])).toEqual([root]);
    expect((await openCheckpoint(checkpoint, key, verify)).size).toBe(size);
    const made = { origin: 'example.com/log', size, root: rootOf(size) };
    expect(signCheckpoint(made, own.key, own.sign)).toBe(checkpoint);
  }
});

test('The inclusion proofs are those that Go makes', async () => {
  for (const { index, size, proof } of vectors.inclusion) {
    expect(texts(await proveInclusion(index, size, read))).toEqual(proof);
    const leaf = present(leaves[index]);
    checkInclusion({ index, size, leaf, proof: proof.map(bytes), root: rootOf(size) });
  }
  expect(vectors.inclusion.length).toBeGreaterThan(100);
});

test('The consistency proofs are those that Go makes', async () => {
  for (const { first, second, first_root, proof } of vectors.consistency) {
    expect(texts(await proveConsistency(first, second, read))).toEqual(proof);
    const given = { firstRoot: bytes(first_root), secondRoot: rootOf(second) };
    checkConsistency({ first, second, ...given, proof: proof.map(bytes) });
  }
  expect(vectors.consistency.length).toBeGreaterThan(100);
});

test('The compact ranges are those that Go makes', async () => {
  for (const { lo, hi, size, left, right } of vectors.ranges) {
    const proof = await proveRange(lo, hi, size, read);
    expect([texts(proof.left), texts(proof.right)]).toEqual([left, right]);
    const check = new RangeCheck({ size, lo, left: left.map(bytes), right: right.map(bytes) });
    for (const leaf of leaves.slice(lo, hi)) check.append(leaf);
    check.finish(rootOf(size));
  }
  expect(vectors.ranges.length).toBeGreaterThan(100);
});
