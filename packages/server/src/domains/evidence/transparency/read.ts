import { invalidField, notFound } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Consistency, DecisionProof, Log } from '@decision-ledger/contract/transparency';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { proveConsistency } from '@decision-ledger/proof/tlog/proofs';
import { parseTilePath, TILE_WIDTH, type Tile, tileWidth } from '@decision-ledger/proof/tlog/tiles';
import { tlogProofText } from '@decision-ledger/proof/tlog/tlog-proof';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Database } from '../../../platform/database.js';
import { idToUuid } from '../../../platform/ids.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { findLedger } from '../../access/organisations/index.js';
import { nodesOf, proveRecords, readPublished, readTileHashes, readVerifierKey } from './prove.js';
import { entryBundle } from './rules/tiles.js';
import type { PublishedLog } from './store/checkpoints.js';
import { selectDecisionLeaf, selectEntryTexts } from './store/leaves.js';

export async function describeLog(
  ledger: LedgerReader,
  { log, checkpoint }: PublishedLog,
): Promise<Log> {
  const { chain, generation, origin } = log;
  const { size, root, created_at } = checkpoint;
  const verifier_key = await readVerifierKey(ledger, log);
  const signed_at = formatTimestamp(created_at);
  return {
    chain,
    generation,
    origin,
    verifier_key,
    checkpoint: { size, root: encodeBase64(root), signed_at },
  };
}

/**
 * The bytes of a tile that the last checkpoint covers.
 * @param path of the tile, such as `tile/0/x001/234` or `tile/entries/000.p/7`
 * @param reads whether the caller may read entries, or the tree alone
 * @throws LedgerError `not_found`
 */
export async function readTile(
  ledger: LedgerReader,
  chain: ChainName,
  path: string,
  reads: 'entries' | 'tree',
): Promise<Buffer> {
  const tile = readPath(path);
  const { log, checkpoint } = await readPublished(ledger, chain);
  const level = tile.level === 'entries' ? 0 : tile.level;
  const width = tileWidth(checkpoint.size, level, tile.index);
  if (tile.width > width || (tile.level === 'entries' && reads === 'tree')) throw notFound('tile');
  if (tile.level !== 'entries') return readTileHashes(ledger, log, { ...tile, level });
  const first = tile.index * TILE_WIDTH + 1;
  return entryBundle(await selectEntryTexts(ledger, chain, first, first + tile.width - 1));
}

function readPath(path: string): Tile {
  try {
    return parseTilePath(path);
  } catch (error) {
    if (error instanceof TlogError) throw notFound('tile');
    throw error;
  }
}

/**
 * The proof that a tree of a log goes on from an earlier one.
 * @throws LedgerError `validation_error` for sizes that no checkpoint covers, `not_found`
 */
export async function readConsistency(
  ledger: LedgerReader,
  chain: ChainName,
  { first, second }: { readonly first: number; readonly second: number },
): Promise<Consistency> {
  const { log, checkpoint } = await readPublished(ledger, chain);
  if (second > checkpoint.size) {
    throw invalidField(
      'second',
      `must be at most ${checkpoint.size}, the size of the last checkpoint`,
    );
  }
  if (first > second) throw invalidField('first', 'must not be more than second');
  const proof = await proveConsistency(first, second, nodesOf(ledger, log, second));
  return { origin: log.origin, first, second, proof: proof.map(encodeBase64) };
}

/**
 * The proof that a decision is in the log, under the last checkpoint.
 * @throws LedgerError `not_found`
 */
export async function readDecisionProof(
  ledger: Ledger,
  decisionId: string,
): Promise<DecisionProof> {
  const uuid = idToUuid('dec', decisionId);
  const leaf = uuid === null ? null : await selectDecisionLeaf(ledger, uuid);
  if (leaf === null) throw notFound('decision');
  const decision = { decision_id: decisionId, ...leaf };
  const proven = await proveRecords(ledger, 'decisions', [leaf.seq]);
  if (proven === null) {
    return { ...decision, status: 'pending', verifier_key: null, tlog_proof: null };
  }
  const { verifier_key, checkpoint, paths } = proven;
  const [hashes = []] = paths;
  const tlog_proof = tlogProofText({ index: leaf.seq - 1, hashes, checkpoint });
  return { ...decision, status: 'covered', verifier_key, tlog_proof };
}

export interface PublicTools {
  readonly db: Database;
  readonly settings: { get(scope: Scope): Promise<Settings> };
}

/**
 * The ledger with a public id, if anybody may read the trees of its logs.
 * @throws LedgerError `not_found`, the same for a ledger that does not exist
 */
export async function findPublicLedger({ db, settings }: PublicTools, id: string): Promise<Ledger> {
  const uuid = idToUuid('led', id);
  const ledger = uuid === null ? null : await findLedger(db, uuid);
  if (ledger === null || (await settings.get(ledger.scope)).transparency.public !== 'tree') {
    throw notFound('log');
  }
  return ledger;
}
