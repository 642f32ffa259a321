import { notFound } from '@decision-ledger/contract/errors';
import { proveInclusion, type ReadNodes } from '@decision-ledger/proof/tlog/proofs';
import { TILE_WIDTH, type Tile, tileNodes } from '@decision-ledger/proof/tlog/tiles';
import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import type { ChainName } from '../../../platform/chain/head.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type PublishedLog, selectPublishedLog } from './store/checkpoints.js';
import { selectLeaves } from './store/leaves.js';
import { selectTile } from './store/tiles.js';
import { selectLogKey } from './store/tlog-keys.js';
import type { LogId, LogRow } from './store/tlogs.js';

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

/**
 * A log and its last checkpoint.
 * @throws LedgerError `not_found` before the first checkpoint
 */
export async function readPublished(ledger: LedgerReader, chain: ChainName): Promise<PublishedLog> {
  const published = await selectPublishedLog(ledger, chain);
  if (published === null) throw notFound('checkpoint');
  return published;
}

/** The text of the public key of a log. */
export async function readVerifierKey(ledger: LedgerReader, log: LogRow): Promise<string> {
  const { public_key } = await selectLogKey(ledger, log);
  return verifierKeyText(verifierKey(log.origin, public_key));
}

/** Hashes of a tile. Those of level 0 are the hashes of the chain. */
export async function readTileHashes(
  ledger: LedgerReader,
  log: LogId,
  { level, index, width }: Tile & { readonly level: number },
): Promise<Buffer> {
  if (level > 0) return selectTile(ledger, log, { level, tile: index, offset: 0 }, width);
  const after = index * TILE_WIDTH;
  const { hashes } = await selectLeaves(ledger, log.chain, {
    after,
    until: after + width,
    limit: width,
  });
  return hashes;
}

/** Reads the nodes of a log's tree of `size` leaves. */
export function nodesOf(ledger: LedgerReader, log: LogId, size: number): ReadNodes {
  return tileNodes(size, (tile) => readTileHashes(ledger, log, tile));
}
