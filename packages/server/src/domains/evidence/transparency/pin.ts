import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import { proveInclusion } from '@decision-ledger/proof/tlog/proofs';
import { proveRange, type RangeProof } from '@decision-ledger/proof/tlog/range';
import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { type ChainName, lockHead } from '../../../platform/chain/head.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { recordActivity } from '../../log/activity/index.js';
import { nodesOf, readPublished } from './prove.js';
import { namingOf, type RoundTools, signRound } from './round.js';
import { insertExportCheckpoint, selectPinned } from './store/checkpoints.js';
import {
  type NamingRow,
  selectHeadSeq,
  selectLastNamed,
  selectNamedBefore,
  selectNamedFrom,
} from './store/leaves.js';
import { type LogId, lockLog } from './store/tlogs.js';

/** The state of both logs that an export holds. */
export interface LogPin {
  /** Records that the checkpoint of the decisions covers. */
  readonly decisions: number;
  /** Records that the checkpoint of the activity covers. */
  readonly activity: number;
  /** Seq of the record that names the former, which the latter covers. */
  readonly named: number;
}

/**
 * Signs both logs and keeps their checkpoints for an export. If no decision was recorded since `overAt`
 * (ms), the checkpoint of the decisions is chained again, so that a record of a later time names it.
 * @param exportId UUID
 * @throws LogFault, LogKeyError
 */
export async function pinLogs(
  ledger: Ledger,
  tools: RoundTools & { readonly signal: AbortSignal },
  { exportId, overAt }: { readonly exportId: string; readonly overAt: number },
): Promise<LogPin> {
  const { signal } = tools;
  await signRound(ledger, tools, signal);
  let last = await readNamed(ledger);
  if (last.named.created_at < overAt && (await nameAgain(ledger, overAt))) {
    await signRound(ledger, tools, signal);
    last = await readNamed(ledger);
  }
  const { log, activity, named } = last;
  const pin = {
    decisions: sizeIn(named),
    activity: activity.checkpoint.size,
    named: named.seq,
  };
  await ledger.write(async (tx) => {
    await insertExportCheckpoint(tx, exportId, log, pin.decisions);
    await insertExportCheckpoint(tx, exportId, activity.log, pin.activity);
  });
  return pin;
}

/** A record that names a checkpoint of the decisions. */
export interface Naming {
  readonly seq: number;
  /** Decisions that the checkpoint covers. */
  readonly size: number;
}

/**
 * The records that show what was recorded before a time and by another one (ms), without an entry: the last one
 * that names a checkpoint before the former, and the first one that does from the latter on.
 */
export async function readNamingsAround(
  ledger: LedgerReader,
  { named }: LogPin,
  { before, from }: { readonly before: number; readonly from: number },
): Promise<{ readonly lower: Naming | null; readonly upper: Naming | null }> {
  const { origin } = (await readPublished(ledger, 'decisions')).log;
  const lower = await selectNamedBefore(ledger, origin, before);
  const upper = await selectNamedFrom(ledger, origin, from, named);
  const namingFrom = (row: NamingRow | null) => row && { seq: row.seq, size: sizeIn(row) };
  return { lower: namingFrom(lower), upper: namingFrom(upper) };
}

function sizeIn({ data }: NamingRow): number {
  return new Shape(readJson(parseDisclosure(data, 'data').value)).count('size');
}

async function readNamed(ledger: LedgerReader) {
  const activity = await readPublished(ledger, 'activity');
  const { log } = await readPublished(ledger, 'decisions');
  // The last checkpoint of the decisions may be younger than that of the activity.
  const named = await selectLastNamed(ledger, log.origin, activity.checkpoint.size);
  if (named === null) throw new Error(`no record names a checkpoint of ${log.origin}`);
  return { log, activity, named };
}

/**
 * Chains the last checkpoint of the decisions again, if its time has come and it still covers them all.
 * @returns whether another round has something to sign: false while that time has not come
 */
async function nameAgain(ledger: Ledger, overAt: number): Promise<boolean> {
  return ledger.write(async (tx) => {
    await lockLog(tx, 'decisions');
    const { now } = await lockHead(tx, 'activity');
    if (now < overAt) return false;
    const { log, checkpoint } = await readPublished(tx, 'decisions');
    const { origin } = log;
    const { size, root } = checkpoint;
    if ((await selectHeadSeq(tx, 'decisions')) === size) {
      await recordActivity(tx, namingOf({ origin, size, root }));
    }
    return true;
  });
}

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
