import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Database } from '../../../platform/database.js';
import type { FollowerStep, LogFollower, Records } from '../../../platform/followers/follower.js';
import { catchUp } from '../../../platform/followers/step.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Installation } from '../../../platform/statement.js';
import { recordActivity } from '../../log/activity/index.js';
import { LogKeyError } from './log-key.js';
import { requireRecords, requireSound, type Signed, signTree } from './sign.js';
import type { SignedNotes } from './signed-notes.js';
import { type StartTools, startLogs } from './start-logs.js';
import {
  CHAINS,
  CHECKPOINTS,
  isAtFault,
  isRoundDue,
  type LogRow,
  lockLog,
  selectLog,
  selectUnsignedLedgers,
  updateFault,
} from './store/tlogs.js';
import { extendStep, faultOf, LEAVES_PER_STEP, LogFault } from './tree.js';

export interface RoundTools extends StartTools {
  readonly signedNotes: SignedNotes;
}

/**
 * Extends the trees of a ledger and signs checkpoints of them, one round in an interval: of the decisions, which is
 * chained as `checkpoint.signed`, then of the activity chain, which fixes the former. A fault of a log is noted: no more
 * rounds are due until a rebuild finds the log in order.
 */
export function checkpointFollower(tools: RoundTools): LogFollower {
  return {
    name: CHECKPOINTS,
    kind: 'recorder',
    follows: CHAINS,
    owns: ['checkpoints', 'tlog_tiles', 'tlogs.size', 'tlogs.frontier'],
    step: LEAVES_PER_STEP,
    isDue: isRoundDue,
    hasStopped: isAtFault,
    isFatal: (error) => error instanceof LogFault || error instanceof LogKeyError,
    failed: noteFault,
    async advance(ledger, records) {
      await startLogs(ledger, tools);
      // Nobody signs a log of a ledger whose other log is at fault, whether or not that has new records.
      if (records.log === 'decisions') await checkActivity(ledger);
      else if (records.isLast) await checkLog(ledger, tools, 'decisions');
      return signStep(tools, records);
    },
  };
}

/**
 * A round now. A tree that is signed already is not signed again. Any number of processes may do this at once, and a
 * process that was killed leaves a state that the next round goes on from.
 * @throws LogFault, which is also noted; LogKeyError
 */
export async function signRound(
  ledger: Ledger,
  tools: RoundTools,
  signal: AbortSignal,
): Promise<void> {
  await catchUp(ledger, checkpointFollower(tools), signal);
  for (const chain of CHAINS) await checkLog(ledger, tools, chain);
}

/** The longest time that a process works on last rounds before it stops, in ms. */
const LAST_ROUNDS_MS = 5000;

/**
 * Signs what was recorded since the last round, before a process stops. What takes too long is left to the
 * next start.
 */
export async function signLastRounds(
  tools: RoundTools & { readonly db: Database; readonly installation: Installation },
): Promise<void> {
  const signal = AbortSignal.timeout(LAST_ROUNDS_MS);
  const failures: unknown[] = [];
  for (const scope of await selectUnsignedLedgers(tools.installation)) {
    if (signal.aborted) break;
    await signRound(tools.db.ledger(scope), tools, signal).catch((error: unknown) =>
      failures.push(error),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, 'rounds of ledgers failed');
}

/** The tree grows with each step, and is signed by the last one. */
function signStep(tools: RoundTools, { log: chain, until, isLast }: Records): FollowerStep {
  let made: { readonly log: LogRow; readonly note: string } | null = null;
  return {
    write: (tx) =>
      asFault(async () => {
        const log = await extendStep(tx, await lockLog(tx, chain), until);
        if (log.size < until) {
          throw new LogFault(`the chain of ${chain} lacks a record after ${log.size}`);
        }
        if (!isLast) return;
        const signed = await signTree(tx, tools, log);
        if (signed === null) return;
        if (chain === 'decisions') await chainSigned(tx, signed);
        made = { log, note: signed.note };
      }),
    // Kept beside the database once it is stored.
    committed: async ({ scope }) => {
      if (made !== null) await tools.signedNotes.keep(scope, made.log, made.note);
    },
  };
}

/** The checkpoint and its record in the activity chain are one transaction. */
async function chainSigned(tx: LedgerWriter, signed: Signed): Promise<void> {
  await recordActivity(tx, namingOf(signed));
}

/** The record of the activity chain that names a checkpoint of the decisions. */
export function namingOf({ origin, size, root }: Omit<Signed, 'note'>) {
  return {
    type: 'checkpoint.signed',
    actor: 'engine',
    subject: origin,
    data: { origin, size, root: encodeBase64(root) },
  } as const;
}

/**
 * Notices a chain of activity that was cut, before records of new rounds take the place of those that it lost. Its log is
 * not locked: a chain that is whole has at least the records that its tree had earlier.
 * @throws LogFault, which is also noted
 */
async function checkActivity(ledger: Ledger): Promise<void> {
  const log = await selectLog(ledger, 'activity');
  if (log === null) return;
  await requireRecords(ledger, log).catch(async (error: unknown) => {
    await noteFault(ledger, 'activity', error);
    throw error;
  });
}

/** @throws LogFault, which is also noted */
async function checkLog(ledger: Ledger, tools: RoundTools, chain: ChainName): Promise<void> {
  const check = () =>
    ledger.write(async (tx) => {
      await requireSound(tx, tools, await lockLog(tx, chain));
    });
  try {
    await asFault(check);
  } catch (error) {
    await noteFault(ledger, chain, error);
    throw error;
  }
}

async function asFault(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw faultOf(error) ?? error;
  }
}

/** The first fault of a ledger is noted, which holds for both of its logs. */
async function noteFault(ledger: Ledger, chain: ChainName, error: unknown): Promise<void> {
  if (!(error instanceof LogFault)) return;
  const logs = [await selectLog(ledger, 'decisions'), await selectLog(ledger, 'activity')];
  const log = logs.find((one) => one?.chain === chain) ?? null;
  if (log === null || logs.some((one) => one !== null && one.fault !== null)) return;
  await ledger.write((tx) => updateFault(tx, log, error.message));
}
