import { proveInclusion } from '@decision-ledger/proof/tlog/proofs';
import { proveRange, type RangeProof } from '@decision-ledger/proof/tlog/range';
import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import type { ChainName } from '../../../platform/chain/head.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { nodesOf } from './nodes.js';
import type { LogPin } from './pin.js';
import { selectPinned } from './store/published.js';
import type { LogId } from './store/tlogs.js';

/** A tree of a log. */
interface LogTree extends LogId {
  /** Leaves in the tree. */
  readonly size: number;
}

/** A log in the state that an export holds: the tree that the checkpoint covers. */
interface PinnedLog extends LogTree {
  /** The checkpoint: a signed note. */
  readonly checkpoint: string;
  readonly verifierKey: string;
}

export type PinnedLogs = Readonly<Record<ChainName, PinnedLog>>;

/** Both logs in the state that an export holds. */
export async function readPinned(ledger: LedgerReader, pin: LogPin): Promise<PinnedLogs> {
  const rows = await selectPinned(ledger, pin);
  const logOf = (chain: ChainName): PinnedLog => {
    const row = rows.find((each) => each.chain === chain);
    if (row === undefined) {
      throw new Error(
        `the log of ${chain} of ledger ${ledger.ledgerId} has no checkpoint of ${pin[chain]}`,
      );
    }
    const { generation, origin, note, public_key } = row;
    const key = verifierKeyText(verifierKey(origin, public_key));
    return { chain, generation, size: pin[chain], checkpoint: note, verifierKey: key };
  };
  return { decisions: logOf('decisions'), activity: logOf('activity') };
}

/** The proof that the records from `first` to `last`, both included, stand at these places of a log. */
export function provePinned(
  ledger: LedgerReader,
  log: LogTree,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<RangeProof> {
  return proveRange(first - 1, last, log.size, nodesOf(ledger, log, log.size));
}

/** The inclusion proofs of records in a tree of their log. */
export async function proveEach(
  ledger: LedgerReader,
  log: LogTree,
  seqs: readonly number[],
): Promise<Uint8Array[][]> {
  const nodes = nodesOf(ledger, log, log.size);
  const paths: Uint8Array[][] = [];
  for (const seq of seqs) paths.push(await proveInclusion(seq - 1, log.size, nodes));
  return paths;
}
