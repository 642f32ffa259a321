import { proveInclusion } from '@decision-ledger/proof/tlog/proofs';
import type { ChainName } from '../../../platform/chain/head.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { nodesOf } from './nodes.js';
import { readVerifierKey } from './published.js';
import { selectPublishedLog } from './store/published.js';

/** The proof that records of a chain are in its log. */
export interface ProvenRecords {
  /** C2SP signed-note. */
  readonly verifier_key: string;
  /** The last checkpoint, as a signed note. */
  readonly checkpoint: string;
  /** The inclusion proof of each record. */
  readonly paths: readonly (readonly Uint8Array[])[];
}

/**
 * Proves that records are in the log of their chain, under its last checkpoint.
 * @param seqs their positions in the chain
 * @returns null until a checkpoint covers all of them
 */
export async function proveRecords(
  ledger: LedgerReader,
  chain: ChainName,
  seqs: readonly number[],
): Promise<ProvenRecords | null> {
  const published = await selectPublishedLog(ledger, chain);
  if (published === null) return null;
  const { log, checkpoint } = published;
  if (seqs.some((seq) => seq > checkpoint.size)) return null;
  const nodes = nodesOf(ledger, log, checkpoint.size);
  const paths: Uint8Array[][] = [];
  for (const seq of seqs) paths.push(await proveInclusion(seq - 1, checkpoint.size, nodes));
  const verifier_key = await readVerifierKey(ledger, log);
  return { verifier_key, checkpoint: checkpoint.note, paths };
}
