import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { ChainName } from '../chain/head.js';
import type { Clock, Stopwatch } from '../clock.js';
import { DamagedError } from '../damage.js';
import type { Database } from '../database.js';
import { reasonOf } from '../reason.js';
import { redactKeys } from '../redact.js';
import type { Scope } from '../scope.js';
import { sqlState } from '../why-unavailable.js';
import type { Follower, Records } from './follower.js';
import { insertFailed, lockPosition, movePosition, noteFailure } from './positions.js';
import { AfterCommitError, nextRecords, take } from './step.js';

export interface QuantumTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
}

/** What a follower has to do for a ledger. */
export interface Turn {
  readonly scope: Scope;
  readonly follower: Follower;
  /** The logs that it has not come to the end of since the turn began. */
  logs: readonly ChainName[];
  /** The most records of the next step. */
  limit: number;
}

/** How long (ms) one ledger is worked for before another organisation has its turn. */
const QUANTUM_MS = 100;
/** A step takes about this long (ms): others wait for its transaction. */
const STEP_MS = 50;
/** The smallest step, as a part of the largest, unless records fail. */
const SMALLEST = 1 / 16;
const MAX_REASON_CHARS = 500;
/** SQLSTATE query_canceled. */
const STATEMENT_TIMEOUT = '57014';

/**
 * Works for a ledger until its quantum is over.
 * @returns whether there is more to do
 * @throws what hinders all records, such as a lost connection
 */
export async function workQuantum(
  tools: QuantumTools,
  turn: Turn,
  signal: AbortSignal,
): Promise<boolean> {
  const started = tools.stopwatch();
  while (turn.logs.length > 0 && !signal.aborted) {
    const before = tools.stopwatch();
    if (before - started >= QUANTUM_MS) return true;
    await workStep(tools, turn);
    await giveWay(tools.db, tools.stopwatch() - before);
  }
  return false;
}

async function workStep(tools: QuantumTools, turn: Turn): Promise<void> {
  const { db, stopwatch } = tools;
  const { scope, follower, limit } = turn;
  const ledger = db.ledger(scope);
  const [log, ...others] = turn.logs;
  if (log === undefined) return;
  const records = await nextRecords(ledger, follower, log, limit);
  if (records === null) {
    turn.logs = others;
    return;
  }
  const started = stopwatch();
  try {
    const isTaken = await take(ledger, follower, records);
    if (isTaken && records.isLast) turn.logs = others;
    turn.limit = nextLimit(follower, limit, stopwatch() - started);
  } catch (error) {
    if (error instanceof AfterCommitError || isOutage(error)) throw error;
    await fail(tools, turn, records, error);
  }
}

/** Whether the database is away or busy, which hinders every step. A statement that took too long may be that of a step. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof LedgerError) || error.code !== 'unavailable') return false;
  return !(error instanceof DamagedError) && sqlState(error.cause) !== STATEMENT_TIMEOUT;
}

function nextLimit({ step }: Follower, limit: number, took: number): number {
  if (took < STEP_MS / 2) return Math.min(step, limit * 2);
  if (took <= STEP_MS) return limit;
  return Math.min(limit, Math.max(Math.ceil(step * SMALLEST), Math.floor(limit / 2)));
}

/** Tries fewer records. A single one is passed over by a projection; any other follower stops before it. */
async function fail(
  { db, clock }: QuantumTools,
  turn: Turn,
  { log, after, until }: Records,
  error: unknown,
): Promise<void> {
  const { scope, follower } = turn;
  const isFatal = follower.isFatal?.(error) === true;
  if (until - after > 1 && !isFatal) {
    turn.limit = Math.floor((until - after) / 2);
    return;
  }
  const reason = redactKeys(reasonOf(error)).slice(0, MAX_REASON_CHARS);
  const failure = { reason, at: clock.now() };
  const isOfRecord = !isFatal && !(error instanceof LedgerError) && until > after;
  const isPassed = follower.kind === 'projection' && isOfRecord;
  await db.ledger(scope).write(async (tx) => {
    if ((await lockPosition(tx, follower.name, log)) !== after) return;
    if (!isPassed) return noteFailure(tx, follower.name, log, failure);
    await insertFailed(tx, follower.name, log, { ...failure, seq: until });
    await movePosition(tx, follower.name, log, until);
  });
  if (!isPassed) turn.logs = [];
}

/** Requests are served between two steps, and get the database for as long as a step had it. */
async function giveWay(db: Database, took: number): Promise<void> {
  await nextTurn();
  const { inUse, waiting } = db.pool();
  if (inUse + waiting > 0) await sleep(Math.min(took, STEP_MS), undefined, { ref: false });
}
