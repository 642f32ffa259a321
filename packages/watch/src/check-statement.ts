import { join } from 'node:path';
import { openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { checkInclusion, proveInclusion } from '@decision-ledger/proof/tlog/proofs';
import { openReceipt } from '@decision-ledger/proof/tlog/receipt';
import { type ReadTile, tileNodes } from '@decision-ledger/proof/tlog/tiles';
import { type VerifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { compareWithKept, isSameTree } from './follow-log.js';
import { ForkError } from './fork.js';
import { KeptNotes, type SeenCheckpoint } from './kept-notes.js';
import { readKeptKey, verifyEd25519 } from './log-key.js';
import { CHAINS, type Chain, type LogSource, SourceError } from './source.js';
import type { LogStatement } from './statements.js';

/**
 * `agrees`: with what was kept. `unproven`: it could not be compared. `foreign`: no kept key signed it. A contradiction
 * is a ForkError.
 */
export interface Checked {
  readonly kind: LogStatement['kind'];
  readonly result: 'agrees' | 'unproven' | 'foreign';
  readonly message: string;
}

interface Kept {
  readonly chain: Chain;
  readonly key: VerifierKey;
  readonly notes: KeptNotes;
}

/** Where trees are compared, and what was kept. */
export interface CheckTools {
  readonly folder: string;
  readonly source: LogSource;
  readonly now: () => number;
}

/**
 * Checks a signed note of a log against the checkpoints that were kept.
 * @throws ForkError if the log signed two statements that contradict each other
 */
export async function checkStatement(tools: CheckTools, statement: LogStatement): Promise<Checked> {
  const { kind, note } = statement;
  for (const chain of CHAINS) {
    const key = await readKeptKey(tools.folder, chain);
    if (key === null || (kind === 'receipt' && chain !== 'decisions')) continue;
    const check = kind === 'receipt' ? checkReceipt : checkCheckpoint;
    try {
      const notes = await KeptNotes.open(join(tools.folder, chain));
      return { kind, ...(await check(tools, { chain, key, notes }, note)) };
    } catch (error) {
      // Of the other chain, or of another ledger.
      if (!(error instanceof TlogError && error.code === 'signature_missing')) throw error;
    }
  }
  const message = 'no log that was followed signed it';
  return { kind, result: 'foreign', message };
}

type Answer = Pick<Checked, 'result' | 'message'>;

async function checkCheckpoint(tools: CheckTools, kept: Kept, note: string): Promise<Answer> {
  const { key, notes, chain } = kept;
  const seen = { ...(await openCheckpoint(note, key, verifyEd25519)), note };
  const same = await notes.at(seen.size);
  if (same !== null && isSameTree(same, seen)) {
    return { result: 'agrees', message: `its tree of ${seen.size} records was kept` };
  }
  if (same !== null) throw contradiction(tools, key, [same.note, note], 'its trees contradict');
  if (notes.last < 0) return { result: 'unproven', message: `nothing of the ${chain} was kept` };
  const log = { ...kept, source: tools.source };
  const problem = await compareWithKept(log, seen, tools.now);
  if (problem !== null) return { result: 'unproven', message: problem };
  return {
    result: 'agrees',
    message: `its tree of ${seen.size} records fits those that were kept`,
  };
}

async function checkReceipt(tools: CheckTools, kept: Kept, note: string): Promise<Answer> {
  const { key, notes, chain } = kept;
  const { seq, hash } = await openReceipt(note, key, verifyEd25519);
  const tree = notes.last < seq ? null : await notes.at(notes.last);
  if (tree === null) {
    return { result: 'unproven', message: `no checkpoint that was kept covers record ${seq} yet` };
  }
  try {
    const leaf = await readLeaf(tree, seq - 1, tools.source.tiles(chain));
    if (Buffer.from(leaf).toString('hex') === hash) {
      return { result: 'agrees', message: `record ${seq} is in the tree of ${tree.size} records` };
    }
  } catch (error) {
    if (!(error instanceof SourceError || error instanceof TlogError)) throw error;
    return { result: 'unproven', message: `record ${seq} could not be read: ${error.message}` };
  }
  throw contradiction(
    tools,
    key,
    [note, tree.note],
    `its receipt of record ${seq} and its tree of ${tree.size} records contradict`,
  );
}

/**
 * The hash of a leaf, which the root of the tree fixes.
 * @throws TlogError if the tiles do not make the tree
 */
async function readLeaf(tree: SeenCheckpoint, index: number, read: ReadTile): Promise<Uint8Array> {
  const nodes = tileNodes(tree.size, read);
  const [leaf = new Uint8Array()] = await nodes([{ level: 0, index }]);
  const proof = await proveInclusion(index, tree.size, nodes);
  checkInclusion({ index, size: tree.size, leaf, proof, root: tree.root });
  return leaf;
}

function contradiction(
  { now }: CheckTools,
  key: VerifierKey,
  notes: readonly [string, string],
  what: string,
): ForkError {
  return new ForkError({
    origin: key.name,
    verifier_key: verifierKeyText(key),
    found_at: new Date(now()).toISOString(),
    meaning: `${key.name} signed two histories: ${what} each other`,
    notes,
  });
}
