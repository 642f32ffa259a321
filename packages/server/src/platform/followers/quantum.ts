import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { Clock, Stopwatch } from '../clock.js';
import { DamagedError } from '../damage.js';
import type { Database } from '../database.js';
import { reasonOf } from '../reason.js';
import { redactKeys } from '../redact.js';
import { isContention, sqlState } from '../why-unavailable.js';
import type { Follower } from './follower.js';
import type { Batch, Source } from './source.js';
import { AfterCommitError } from './step.js';

export interface QuantumTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
}

/** What a follower has to do for a ledger. */
export interface Turn {
  readonly follower: Follower;
  readonly source: Source;
  /** The most records or subjects of the next step. */
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
  while (!signal.aborted) {
    const before = tools.stopwatch();
    if (before - started >= QUANTUM_MS) return true;
    const goesOn = await workStep(tools, turn);
    if (!goesOn) return false;
    await giveWay(tools.db, tools.stopwatch() - before);
  }
  return false;
}

/** @returns whether the turn goes on */
async function workStep(tools: QuantumTools, turn: Turn): Promise<boolean> {
  const { stopwatch } = tools;
  const batch = await turn.source.next(turn.limit);
  if (batch === null) return false;
  const started = stopwatch();
  try {
    await batch.take();
    turn.limit = nextLimit(turn.follower, turn.limit, stopwatch() - started);
    return true;
  } catch (error) {
    if (error instanceof AfterCommitError) throw error;
    // The next look finds the ledger again.
    if (isContention(error)) return false;
    if (isOutage(error)) throw error;
    return fail(tools, turn, batch, error);
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

/** Tries fewer records or subjects, down to a single one. */
async function fail(
  { clock }: QuantumTools,
  turn: Turn,
  batch: Batch,
  error: unknown,
): Promise<boolean> {
  const isFatal = turn.follower.isFatal?.(error) === true;
  if (batch.size > 1 && !isFatal) {
    turn.limit = Math.floor(batch.size / 2);
    return true;
  }
  const reason = redactKeys(reasonOf(error)).slice(0, MAX_REASON_CHARS);
  const isOwn = !isFatal && !(error instanceof LedgerError);
  return batch.giveUp({ reason, at: clock.now() }, isOwn);
}

/** Requests are served between two steps, and get the database for as long as a step had it. */
async function giveWay(db: Database, took: number): Promise<void> {
  await nextTurn();
  const { inUse, waiting } = db.pool();
  if (inUse + waiting > 0) await sleep(Math.min(took, STEP_MS), undefined, { ref: false });
}
