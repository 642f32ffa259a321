import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { readPublished } from './published.js';
import { namingOf, type RoundTools, signRound } from './round.js';
import { insertExportCheckpoint } from './store/checkpoints.js';
import {
  type NamingRow,
  selectHeadSeq,
  selectLastNamed,
  selectNamedBefore,
  selectNamedFrom,
} from './store/leaves.js';
import { lockLog } from './store/tlogs.js';

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
  let last = await readNamed(db, scope);
  if (last.named.created_at < overAt && (await nameAgain(tools, scope, overAt))) {
    await signRound(tools, scope, signal);
    last = await readNamed(db, scope);
  }
  const { log, activity, named } = last;
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
  const { origin } = (await readPublished(db, scope, 'decisions')).log;
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

/**
 * Chains the last checkpoint of the decisions again, if its time has come and it still covers them all.
 * @returns whether another round has something to sign: false while that time has not come
 */
async function nameAgain(
  { db, recordActivity }: RoundTools,
  scope: Scope,
  overAt: number,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockLog(tx, scope, 'decisions');
    const { now } = await lockHead(tx, scope, 'activity');
    if (now < overAt) return false;
    const { log, checkpoint } = await readPublished(tx, scope, 'decisions');
    const { origin } = log;
    const { size, root } = checkpoint;
    if ((await selectHeadSeq(tx, scope, 'decisions')) === size) {
      await recordActivity(tx, scope, namingOf({ origin, size, root }));
    }
    return true;
  });
}
