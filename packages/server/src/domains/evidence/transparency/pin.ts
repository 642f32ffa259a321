import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import { proveInclusion } from '@decision-ledger/proof/tlog/proofs';
import { proveRange, type RangeProof } from '@decision-ledger/proof/tlog/range';
import type { ChainName } from '../../../platform/chain/head.js';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { nodesOf } from './nodes.js';
import { readPublished, readVerifierKey } from './published.js';
import { namingOf, type RoundTools, signRound } from './round.js';
import { insertExportCheckpoint, selectCheckpoint } from './store/checkpoints.js';
import {
  type NamingRow,
  selectHeadSeq,
  selectLastNamed,
  selectNamedBefore,
  selectNamedFrom,
} from './store/leaves.js';
import { type LogRow, lockLog, selectLog } from './store/tlogs.js';

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
  tools: RoundTools,
  scope: Scope,
  { exportId, overAt }: { readonly exportId: string; readonly overAt: number },
  signal: AbortSignal,
): Promise<LogPin> {
  const { db } = tools;
  await signRound(tools, scope, signal);
  if ((await readNamed(db, scope)).named.created_at < overAt) {
    await nameAgain(tools, scope, overAt);
    await signRound(tools, scope, signal);
  }
  const { log, activity, named } = await readNamed(db, scope);
  const pin = {
    decisions: sizeIn(named),
    activity: activity.checkpoint.size,
    named: named.seq,
  };
  await insertExportCheckpoint(db, scope, exportId, log, pin.decisions);
  await insertExportCheckpoint(db, scope, exportId, activity.log, pin.activity);
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
  db: Queryable,
  scope: Scope,
  { named }: LogPin,
  { before, from }: { readonly before: number; readonly from: number },
): Promise<{ readonly lower: Naming | null; readonly upper: Naming | null }> {
  const { origin } = await currentLog(db, scope, 'decisions');
  const lower = await selectNamedBefore(db, scope, origin, before);
  const upper = await selectNamedFrom(db, scope, origin, from, named);
  const namingFrom = (row: NamingRow | null) => row && { seq: row.seq, size: sizeIn(row) };
  return { lower: namingFrom(lower), upper: namingFrom(upper) };
}

function sizeIn({ data }: NamingRow): number {
  return new Shape(readJson(parseDisclosure(data, 'data').value)).count('size');
}

async function readNamed(db: Queryable, scope: Scope) {
  const activity = await readPublished(db, scope, 'activity');
  const { log } = await readPublished(db, scope, 'decisions');
  // The last checkpoint of the decisions may be younger than that of the activity.
  const named = await selectLastNamed(db, scope, log.origin, activity.checkpoint.size);
  if (named === null) throw new Error(`no record names a checkpoint of ${log.origin}`);
  return { log, activity, named };
}

/** Chains the last checkpoint of the decisions again, if its time has come and it still covers them all. */
async function nameAgain(
  { db, recordActivity }: RoundTools,
  scope: Scope,
  overAt: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockLog(tx, scope, 'decisions');
    const { log, checkpoint } = await readPublished(tx, scope, 'decisions');
    const { origin } = log;
    const { size, root } = checkpoint;
    const { now } = await lockHead(tx, scope, 'activity');
    if (now < overAt || (await selectHeadSeq(tx, scope, 'decisions')) !== size) return;
    await recordActivity(tx, scope, namingOf({ origin, size, root }));
  });
}

/** The signed checkpoint of a log that an export holds. */
export async function readPinned(
  db: Queryable,
  scope: Scope,
  chain: ChainName,
  pin: LogPin,
): Promise<string> {
  const log = await currentLog(db, scope, chain);
  const checkpoint = await selectCheckpoint(db, scope, log, pin[chain]);
  if (checkpoint === null) throw new Error(`${log.origin} has no checkpoint of ${pin[chain]}`);
  return checkpoint.note;
}

/** The verifier key of the log of a chain. */
export async function readLogKey(db: Queryable, scope: Scope, chain: ChainName): Promise<string> {
  return readVerifierKey(db, scope, await currentLog(db, scope, chain));
}

/** The proof that the decisions from `first` to `last`, both included, stand at these places of the log. */
export async function provePinned(
  db: Queryable,
  scope: Scope,
  { decisions: size }: LogPin,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<RangeProof> {
  const log = await currentLog(db, scope, 'decisions');
  return proveRange(first - 1, last, size, nodesOf(db, scope, log, size));
}

/** The inclusion proofs of records of the activity chain under the checkpoint that an export holds. */
export async function proveActivity(
  db: Queryable,
  scope: Scope,
  { activity: size }: LogPin,
  seqs: readonly number[],
): Promise<Uint8Array[][]> {
  const log = await currentLog(db, scope, 'activity');
  const nodes = nodesOf(db, scope, log, size);
  const paths: Uint8Array[][] = [];
  for (const seq of seqs) paths.push(await proveInclusion(seq - 1, size, nodes));
  return paths;
}

async function currentLog(db: Queryable, scope: Scope, chain: ChainName): Promise<LogRow> {
  const log = await selectLog(db, scope, chain);
  if (log === null) throw new Error(`ledger ${scope.ledgerId} has no log of its ${chain} chain`);
  return log;
}
