import { unavailable } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import { type LockedHead, lockHead, moveHead } from '../../../platform/chain/head.js';
import { CommitUnknownError } from '../../../platform/connection-loss.js';
import {
  type FirstAnswer,
  findFirstAnswers,
  keepFirstAnswers,
} from '../../../platform/idempotency.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import type { FirstEstimates } from '../hooks/index.js';
import { lockOpenUploads, takeUploads, type UploadClaim } from '../uploads/index.js';
import type { Append } from './decide-steps.js';
import { type AppendOutcome, type GroupPlan, planGroup } from './plan-group.js';
import type { ChainedDecision, ChainPlace } from './rules/chain-group.js';
import { findSeqs, insertDecisions } from './store/decisions.js';
import { insertAssignments, type NewAssignment } from './store/metadata.js';
import { insertRunningCosts, type NewRunningCost } from './store/running-costs.js';

interface WriteTools {
  readonly estimates: FirstEstimates;
  readonly settings: { get(scope: Scope): Promise<Settings> };
}

/**
 * Appends a group of requests in one transaction, in order.
 * @param take returns the group; called once the head is locked, so that requests which arrived
 *   during the wait for the lock are included
 * @returns an outcome for each request
 * @throws when nothing was recorded
 */
export async function writeGroup(
  ledger: Ledger,
  { estimates, settings }: WriteTools,
  take: () => readonly Append[],
): Promise<readonly AppendOutcome[]> {
  let plan: GroupPlan = { entries: [], estimateSnapshot: 0, answers: [], outcomes: [] };
  const model = await estimates.open(ledger.scope);
  const { max_lateness_seconds } = (await settings.get(ledger.scope)).recording;
  try {
    await ledger.write(async (tx) => {
      const head = await lockHead(tx, 'decisions');
      const appends = take();
      const known = { stored: await findStored(tx, appends), open: await lockOpen(tx, appends) };
      plan = planGroup(appends, known, placeOf(ledger.scope, head), model, max_lateness_seconds);
      await write(tx, head, plan);
    });
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    await requireCommitted(ledger, plan.entries, error);
  }
  return plan.outcomes;
}

function placeOf(scope: Scope, { epoch, seq, hash, now }: LockedHead): ChainPlace {
  return {
    ledger: uuidToId('led', scope.ledgerId),
    epoch,
    seq,
    hash,
    createdAt: now,
    decisionIdText: (uuid) => uuidToId('dec', uuid),
  };
}

/** Costs no round trip if no request has a key. */
async function findStored(
  tx: LedgerWriter,
  appends: readonly Append[],
): Promise<ReadonlyMap<string, FirstAnswer>> {
  const keys: string[] = [];
  for (const { idempotency, memberMarks } of appends) {
    if (idempotency !== null) keys.push(idempotency.key);
    for (const mark of memberMarks ?? []) if (mark !== null) keys.push(mark.key);
  }
  return keys.length === 0 ? new Map() : findFirstAnswers(tx, keys);
}

/** The uploads that may be taken, of those that are named. Costs no round trip if none is. */
async function lockOpen(tx: LedgerWriter, appends: readonly Append[]): Promise<Set<string>> {
  const ids: string[] = [];
  for (const { decisions } of appends) {
    for (const { claims } of decisions) for (const { uploadId } of claims) ids.push(uploadId);
  }
  return new Set(ids.length === 0 ? [] : await lockOpenUploads(tx, ids, tx.clock.now()));
}

/** One round trip: all statements and the COMMIT are sent together, and a failure undoes them all. */
async function write(
  tx: LedgerWriter,
  head: LockedHead,
  { entries, estimateSnapshot, answers }: GroupPlan,
): Promise<void> {
  const last = entries.at(-1);
  if (last === undefined) {
    // A request whose decisions were all recorded before under keys of their own.
    if (answers.length > 0) await keepFirstAnswers(tx, answers, head.now);
    return;
  }
  const { epoch, now: createdAt } = head;
  const at = { epoch, firstSeq: head.seq + 1, createdAt, estimateSnapshot };
  const to = { seq: last.receipt.seq, hash: last.hash, createdAt };
  const assignments = entries.flatMap(assignmentOf);
  const costs = entries.flatMap(runningCostOf);
  const claims = entries.flatMap(claimsOf);
  const results = await Promise.allSettled([
    insertDecisions(tx, at, entries),
    assignments.length > 0 && insertAssignments(tx, assignments),
    costs.length > 0 && insertRunningCosts(tx, costs),
    claims.length > 0 && takeUploads(tx, claims),
    answers.length > 0 && keepFirstAnswers(tx, answers, createdAt),
    moveHead(tx, 'decisions', to),
    tx.commit(),
  ]);
  // The first failure is the cause; those after it only say that the transaction was aborted.
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function assignmentOf({ decision, receipt, timestamp }: ChainedDecision): readonly NewAssignment[] {
  return decision.assignment === null
    ? NO_ASSIGNMENT
    : [{ ...decision.assignment, seq: receipt.seq, timestamp }];
}

const NO_ASSIGNMENT: readonly NewAssignment[] = [];

function runningCostOf({
  decision,
  receipt,
  timestamp,
}: ChainedDecision): readonly NewRunningCost[] {
  const { agentId, actionType, runningCost } = decision;
  return runningCost === null
    ? NO_COST
    : [{ ...runningCost, seq: receipt.seq, agentId, actionType, timestamp }];
}

const NO_COST: readonly NewRunningCost[] = [];

function claimsOf({ decision, receipt }: ChainedDecision): readonly TakenUpload[] {
  return decision.claims.length === 0
    ? NO_UPLOADS
    : decision.claims.map((claim) => ({ ...claim, seq: receipt.seq }));
}

interface TakenUpload extends UploadClaim {
  readonly seq: number;
}

const NO_UPLOADS: readonly TakenUpload[] = [];

/**
 * Finds out whether a COMMIT took place whose answer was lost. Locking the head waits for a
 * transaction that may still be running, so the result is final.
 * @throws LedgerError `unavailable` if it did not
 */
async function requireCommitted(
  ledger: Ledger,
  entries: readonly ChainedDecision[],
  cause: Error,
): Promise<void> {
  const ids = entries.map(({ decision }) => decision.decisionId);
  const found = await ledger.write(async (tx) => {
    await lockHead(tx, 'decisions');
    return findSeqs(tx, ids);
  });
  if (found.length !== ids.length) {
    throw unavailable(
      'the database connection was lost before the decisions were recorded',
      1,
      cause,
    );
  }
}
