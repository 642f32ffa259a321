import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openCheckpoint, signCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import {
  checkConsistency,
  checkInclusion,
  proveConsistency,
  proveInclusion,
  type ReadNodes,
} from '@decision-ledger/proof/tlog/proofs';
import { proveRange, RangeCheck } from '@decision-ledger/proof/tlog/range';
import { CompactRange, rangeNodes } from '@decision-ledger/proof/tlog/tree';
import { verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signerOf, verify } from '../support/ed25519.js';
import { leavesOf } from '../support/merkle-oracle.js';
import { present } from '../support/oracle.js';

const ORACLE = join(import.meta.dirname, '../support/go-oracle');
const VECTORS = join(import.meta.dirname, '../../../../vectors/tlog/proofs.json');
const GO = spawnSync('go', ['version']).status === 0;
if (!GO)
  console.warn('\nSKIPPED: the proofs of logs against the libraries of Go: there is no go.\n');

const LARGEST = 1_000_000;
const ORIGIN = 'example.com/log';
const MUTATIONS = 10_000;

type Hashes = readonly Uint8Array[];
type Case =
  | { readonly kind: 'checkpoint'; readonly note: string; readonly size: number }
  | {
      kind: 'inclusion';
      index: number;
      size: number;
      leaf: Uint8Array;
      proof: Hashes;
      root: Uint8Array;
    }
  | {
      kind: 'consistency';
      first: number;
      size: number;
      proof: Hashes;
      root1: Uint8Array;
      root: Uint8Array;
    }
  | {
      kind: 'range';
      lo: number;
      hi: number;
      size: number;
      left: Hashes;
      right: Hashes;
      root: Uint8Array;
      /** Only of a mutated case: the others are leaves of the test tree. */
      leaves?: Hashes;
    };

const log = signerOf(ORIGIN, 7);
const vkey = verifierKeyText(log.key);
const leaves = leavesOf(LARGEST);
const nodes: Uint8Array[][] = [leaves];
const roots = new Map<number, Uint8Array>();

/** A small generator (mulberry32), so that each run has the same cases. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
const random = seeded(20261123);

const read: ReadNodes = async (wanted) =>
  wanted.map(({ level, index }) => present(nodes[level]?.[index]));

/** Sizes 0 to 600, around the powers of two, and a million. */
function allSizes(): number[] {
  const sizes = new Set(Array.from({ length: 601 }, (_, size) => size));
  for (let power = 512; power < LARGEST; power *= 2) {
    for (const size of [power - 1, power, power + 1]) sizes.add(size);
  }
  return [...sizes, LARGEST].sort((a, b) => a - b);
}

function growTree(): void {
  const range = CompactRange.empty(0);
  const wanted = new Set(allSizes());
  for (let size = 0; size <= LARGEST; size += 1) {
    if (wanted.has(size) || size <= 600) roots.set(size, range.root());
    const leaf = leaves[size];
    if (leaf === undefined) break;
    range.append(leaf, ({ level, hash }) => {
      nodes[level] ??= [];
      present(nodes[level]).push(hash);
    });
  }
}

/** The first, the last and three other positions. */
function sample(size: number): number[] {
  const some = [0, size - 1, random(size), random(size), random(size)];
  return [...new Set(some)];
}

async function casesOf(size: number): Promise<Case[]> {
  const root = present(roots.get(size));
  const checkpoint = { origin: ORIGIN, size, root };
  const cases: Case[] = [
    { kind: 'checkpoint', note: signCheckpoint(checkpoint, log.key, log.sign), size },
  ];
  for (const index of size === 0 ? [] : sample(size)) {
    const proof = await proveInclusion(index, size, read);
    cases.push({ kind: 'inclusion', index, size, leaf: present(leaves[index]), proof, root });
  }
  for (const first of [size, ...(size === 0 ? [] : sample(size))]) {
    const root1 = rootOf(first);
    const proof = await proveConsistency(first, size, read);
    cases.push({ kind: 'consistency', first, size, proof, root1, root });
  }
  for (const lo of [size, ...(size === 0 ? [] : sample(size))]) {
    const hi = Math.min(size, lo + random(200));
    const { left, right } = await proveRange(lo, hi, size, read);
    cases.push({ kind: 'range', lo, hi, size, left, right, root });
  }
  return cases;
}

function rootOf(size: number): Uint8Array {
  const known = roots.get(size);
  if (known !== undefined) return known;
  const hashes = rangeNodes(0, size).map(({ level, index }) => present(nodes[level]?.[index]));
  const root = CompactRange.of(0, size, hashes).root();
  roots.set(size, root);
  return root;
}

/** What this project says of a case. */
async function isAccepted(given: Case): Promise<boolean> {
  try {
    await check(given);
    return true;
  } catch (error) {
    if (error instanceof TlogError) return false;
    throw error;
  }
}

async function check(given: Case): Promise<void> {
  const { size } = given;
  if (given.kind === 'checkpoint') {
    const read = await openCheckpoint(given.note, log.key, verify);
    expect(Buffer.from(read.root).equals(present(roots.get(size)))).toBe(true);
  } else if (given.kind === 'inclusion') {
    checkInclusion(given);
  } else if (given.kind === 'consistency') {
    const { first, root1: firstRoot, root: secondRoot, proof } = given;
    checkConsistency({ first, second: size, firstRoot, secondRoot, proof });
  } else {
    const range = new RangeCheck(given);
    for (const leaf of given.leaves ?? leaves.slice(given.lo, given.hi)) range.append(leaf);
    range.finish(given.root);
  }
}

/** The case as a line for Go. */
function lineOf(given: Case): string {
  const encoded =
    given.kind === 'checkpoint' ? { ...given, note: Buffer.from(given.note), vkey } : given;
  return JSON.stringify(encoded, (_, value) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    // A Buffer is made into this before the replacer sees it.
    const isBuffer = typeof value === 'object' && value !== null && value.type === 'Buffer';
    return isBuffer ? Buffer.from(value.data).toString('base64') : value;
  });
}

function flip(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = random(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
  return copy;
}

/** A list of hashes with one flipped bit, one too few, one too many, or one twice. */
function spoil(hashes: Hashes): Hashes {
  const copy = [...hashes];
  const at = random(Math.max(copy.length, 1));
  const hash = copy[at];
  const way = random(4);
  if (hash === undefined || way === 0) copy.splice(at, 0, flip(new Uint8Array(32)));
  else if (way === 1) copy.splice(at, 1);
  else if (way === 2) copy.splice(at, 0, hash);
  else copy[at] = flip(hash);
  return copy;
}

/** A case that must be refused; null where nothing can be spoilt. */
function mutate(given: Case): Case | null {
  const way = random(3);
  if (given.kind === 'checkpoint') {
    const bytes = Buffer.from(given.note);
    // The last characters of base 64 hold bits that a lenient reader ignores.
    const at = random(bytes.length - 5);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random(7));
    return { ...given, note: bytes.toString('utf8') };
  }
  if (given.kind === 'inclusion') {
    if (way === 0) return { ...given, proof: spoil(given.proof) };
    if (way === 1) return { ...given, leaf: flip(given.leaf) };
    const index = random(given.size);
    return index === given.index ? { ...given, root: flip(given.root) } : { ...given, index };
  }
  if (given.kind === 'consistency') {
    // RFC 9162 defines no proof for an empty tree, and Go does not look at its root.
    if (given.first === 0) return null;
    if (way === 0) return { ...given, proof: spoil(given.proof) };
    return way === 1
      ? { ...given, root1: flip(given.root1) }
      : { ...given, root: flip(given.root) };
  }
  if (way === 0) return { ...given, left: spoil(given.left) };
  if (way === 1) return { ...given, right: spoil(given.right) };
  return { ...given, leaves: spoil(leaves.slice(given.lo, given.hi)) };
}

describe.skipIf(!GO)('Proofs of logs against the libraries of Go', () => {
  let folder = '';
  let program = '';
  const valid: Case[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tlog-oracle-'));
    cpSync(ORACLE, folder, { recursive: true });
    program = join(folder, 'oracle');
    const built = spawnSync('go', ['build', '-o', program, '.'], { cwd: folder, encoding: 'utf8' });
    if (built.status !== 0) throw new Error(`go build failed: ${built.stderr}`);
    growTree();
    for (const size of allSizes()) valid.push(...(await casesOf(size)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What Go says of each case: `ok`, or its error. */
  async function askGo(cases: readonly Case[]): Promise<string[]> {
    const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    const answers = text(child.stdout);
    for (const given of cases) {
      if (!child.stdin.write(`${lineOf(given)}\n`)) await once(child.stdin, 'drain');
    }
    child.stdin.end();
    const lines = (await answers).trimEnd().split('\n');
    expect((await ended)[0]).toBe(0);
    expect(lines.length).toBe(cases.length);
    return lines;
  }

  it('Go accepts every checkpoint and proof that this project makes', async () => {
    for (const given of valid) expect(await isAccepted(given)).toBe(true);
    const answers = await askGo(valid);
    const refused = answers.flatMap((answer, at) =>
      answer === 'ok' ? [] : [{ answer, given: present(valid[at]) }],
    );
    expect(refused).toEqual([]);
    expect(valid.length).toBeGreaterThan(9000);
  });

  it('Both refuse 10,000 of them after a change', async () => {
    const spoilt: Case[] = [];
    while (spoilt.length < MUTATIONS) {
      const changed = mutate(present(valid[random(valid.length)]));
      if (changed !== null) spoilt.push(changed);
    }
    const answers = await askGo(spoilt);
    for (const [at, given] of spoilt.entries()) {
      const verdicts = { go: answers[at] === 'ok', own: await isAccepted(given) };
      expect(verdicts, lineOf(given).slice(0, 2000)).toEqual({ go: false, own: false });
    }
  });

  it('Go makes the pinned vectors', () => {
    expect(existsSync(VECTORS)).toBe(true);
    const made = spawnSync(program, ['vectors'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    expect(made.status).toBe(0);
    expect(made.stdout).toBe(readFileSync(VECTORS, 'utf8'));
  });
});
