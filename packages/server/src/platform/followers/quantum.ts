import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { Clock, Stopwatch } from '../clock.js';
import type { Database } from '../database.js';
import { DamagedError, isContention, reasonOf, sqlState } from '../failures.js';
import { redactKeys } from '../secrets.js';
import type { Follower } from './follower.js';
import type { Batch, Source } from './source.js';
import { AfterCommitError } from './step.js';

export interface QuantumTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** A step takes about this long (ms): others wait for its transaction. */
  readonly stepMs: number;
  /** How many organisations are worked for, this one included. */
  readonly atWork: () => number;
}

/** What a follower has to do for a ledger. */
export interface Turn {
  readonly follower: Follower;
  readonly source: Source;
  /** The most records or subjects of the next step. */
  limit: number;
}

/** The smallest step, as a part of the largest, unless records fail: a busy machine makes every step slow. */
const SMALLEST = 1 / 4;
/** Requests get the database for as long as a step had it, or for this part of it while the follower falls behind. */
const PAUSE_BEHIND = 1 / 4;
const LONGEST_PAUSE_MS = 50;
const MAX_REASON_CHARS = 500;
/** SQLSTATE query_canceled. */
const STATEMENT_TIMEOUT = '57014';

/** What was done of a turn. */
export interface Worked {
  /** Whether a step was done: others may have to do something because of it. */
  readonly hasWorked: boolean;
  readonly hasMore: boolean;
}

/**
 * Takes steps until nothing is left or the quantum of the organisation is over.
 * @param ends when it is over, on the stopwatch
 * @throws what hinders the turn, such as a lost connection
 */
export async function workQuantum(
  tools: QuantumTools,
  turn: Turn,
  ends: number,
  signal: AbortSignal,
): Promise<Worked> {
  let hasWorked = false;
  while (!signal.aborted) {
    const before = tools.stopwatch();
    if (before >= ends) return { hasWorked, hasMore: true };
    const batch = await turn.source.next(turn.limit);
    if (batch === null) break;
    // More is left than the step may take.
    const isBehind = batch.size >= turn.limit;
    const outcome = await takeBatch(tools, turn, batch);
    if (outcome === 'end') break;
    hasWorked ||= outcome === 'done';
    const took = tools.stopwatch() - before;
    await giveWay(tools, isBehind ? took * PAUSE_BEHIND : took);
  }
  return { hasWorked, hasMore: false };
}

/** What a step did: something, nothing yet, or nothing because the turn is over. */
type Outcome = 'done' | 'nothing' | 'end';

async function takeBatch(tools: QuantumTools, turn: Turn, batch: Batch): Promise<Outcome> {
  const { stopwatch } = tools;
  const started = stopwatch();
  try {
    const isTaken = await batch.take();
    if (!isTaken) return 'nothing';
    turn.limit = nextLimit(turn, tools.stepMs, stopwatch() - started);
    return 'done';
  } catch (error) {
    if (error instanceof AfterCommitError) throw error;
    // The next look finds the ledger again.
    if (isContention(error)) return 'end';
    if (isOutage(error)) throw error;
    return fail(tools, turn, batch, error);
  }
}

/** Whether the database is away or busy, which hinders every step. A statement that took too long may be that of a step. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof LedgerError) || error.code !== 'unavailable') return false;
  return !(error instanceof DamagedError) && sqlState(error.cause) !== STATEMENT_TIMEOUT;
}

function nextLimit({ follower: { step }, limit }: Turn, stepMs: number, took: number): number {
  if (took < stepMs / 2) return Math.min(step, limit * 2);
  if (took <= stepMs) return limit;
  const fitting = Math.floor((limit * stepMs) / took);
  return Math.min(limit, Math.max(Math.ceil(step * SMALLEST), fitting));
}

/** Tries fewer records or subjects, down to a single one. */
async function fail(
  { clock }: QuantumTools,
  turn: Turn,
  batch: Batch,
  error: unknown,
): Promise<Outcome> {
  const isFatal = turn.follower.isFatal?.(error) === true;
  if (batch.size > 1 && !isFatal) {
    turn.limit = Math.floor(batch.size / 2);
    return 'nothing';
  }
  const reason = redactKeys(reasonOf(error)).slice(0, MAX_REASON_CHARS);
  const isOwn = !isFatal && !(error instanceof LedgerError);
  return (await batch.giveUp({ reason, at: clock.now() }, isOwn)) ? 'done' : 'end';
}

/**
 * Requests are served between two steps.
 * @param pause how long (ms) they have the database alone, if there are any
 */
async function giveWay({ db, atWork }: QuantumTools, pause: number): Promise<void> {
  await nextTurn();
  const { inUse, waiting } = db.pool();
  const others = atWork() - 1;
  if (inUse + waiting <= others) return;
  await sleep(Math.min(pause, LONGEST_PAUSE_MS), undefined, { ref: false });
}
