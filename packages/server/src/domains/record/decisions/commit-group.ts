import { DecisionBatchReceipt, type DecisionReceipt } from '@decision-ledger/contract/decision';
import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import { Parse } from 'typebox/value';
import { type LockedHead, lockHead } from '../../../platform/chain/lock-head.js';
import { moveHead } from '../../../platform/chain/move-head.js';
import { CommitUnknownError, type Database, type Transaction } from '../../../platform/database.js';
import {
  type FirstAnswer,
  findFirstAnswers,
  type IdempotencyMark,
  idempotencyConflict,
  keepFirstAnswers,
} from '../../../platform/idempotency.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import {
  describeEstimate,
  firstEstimate,
  type LiabilityModels,
  type Model,
  type NewEstimate,
  type Risk,
  recordFirstEstimates,
} from '../../judgement/liability/index.js';
import { type ChainedDecision, chainGroup } from './rules/chain-group.js';
import type { PreparedDecision } from './rules/prepare.js';
import { findSeqs, insertDecisions } from './store/decisions.js';

/** What one request brings: contiguous in the chain, taken whole or not at all. */
export interface Append {
  readonly decisions: readonly PreparedDecision<Risk>[];
  /** Whether the receipts hold the first estimates. */
  readonly tellsLiability: boolean;
  readonly idempotency: IdempotencyMark | null;
}

export interface Appended {
  readonly receipts: readonly DecisionReceipt[];
  /** True where an earlier request with the same key and body had this answer already. */
  readonly replayed: boolean;
}

export type Outcome = Appended | LedgerError;

interface GroupTools {
  readonly db: Database;
  readonly models: LiabilityModels;
}

/** A decision with its place in the chain and its first estimate. */
interface Recorded {
  readonly chained: ChainedDecision;
  readonly first: NewEstimate;
}

/**
 * Appends a group of requests in one transaction, in order.
 * @param take gives the group, once the head is locked: whatever has come to wait by then goes along
 * @returns an outcome for each; a key met with another body fails its own request alone
 * @throws when the transaction did not take place
 */
export async function commitGroup(
  { db, models }: GroupTools,
  scope: Scope,
  take: () => readonly Append[],
): Promise<Outcome[]> {
  let recorded: Recorded[] = [];
  let outcomes: Outcome[] = [];
  const model = await models.get(scope);
  try {
    await db.transaction(async (tx) => {
      const head = await lockHead(tx, scope, 'decisions');
      const appends = take();
      const earlier = await findEarlier(tx, scope, appends);
      const plan = planGroup(appends, earlier);
      const decisions = plan.fresh.flatMap((append) => append.decisions);
      recorded = chainGroup(decisions, placeOf(scope, head)).map((chained) =>
        assess(model, chained, head.now),
      );
      outcomes = settle(plan, recorded);
      await write(tx, scope, head, recorded, firstAnswers(plan, outcomes));
    });
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    await requireCommitted(db, scope, recorded, error);
  }
  return outcomes;
}

function placeOf(scope: Scope, head: LockedHead) {
  return {
    ...head,
    ledger: uuidToId('led', scope.ledgerId),
    createdAt: head.now,
    decisionIdText: (uuid: string) => uuidToId('dec', uuid),
  };
}

/** @param at ms */
function assess(
  model: Model,
  chained: ChainedDecision<PreparedDecision<Risk>>,
  at: number,
): Recorded {
  const { decision, timestamp, receipt } = chained;
  return { chained, first: firstEstimate(model, decision, receipt.seq, timestamp, at) };
}

async function findEarlier(
  tx: Transaction,
  scope: Scope,
  appends: readonly Append[],
): Promise<Map<string, FirstAnswer>> {
  const keys = appends.flatMap(({ idempotency }) => (idempotency === null ? [] : idempotency.key));
  return keys.length === 0 ? new Map() : findFirstAnswers(tx, scope, keys);
}

interface Plan {
  readonly appends: readonly Append[];
  readonly earlier: ReadonlyMap<string, FirstAnswer>;
  /** Requests that write, in order. */
  readonly fresh: readonly Append[];
  /** For each key, the request of this group that meets it first. */
  readonly first: ReadonlyMap<string, Append>;
}

function planGroup(appends: readonly Append[], earlier: Plan['earlier']): Plan {
  const first = new Map<string, Append>();
  const fresh = appends.filter((append) => {
    if (append.idempotency === null) return true;
    const { key } = append.idempotency;
    if (earlier.has(key) || first.has(key)) return false;
    first.set(key, append);
    return true;
  });
  return { appends, earlier, fresh, first };
}

function settle(plan: Plan, recorded: readonly Recorded[]): Outcome[] {
  const receipts = new Map<Append, DecisionReceipt[]>();
  let next = 0;
  for (const append of plan.fresh) {
    const mine = recorded.slice(next, next + append.decisions.length);
    receipts.set(append, mine.map(append.tellsLiability ? receiptWithLiability : receiptOf));
    next += append.decisions.length;
  }
  return plan.appends.map((append) => {
    const own = receipts.get(append);
    return own === undefined ? replay(plan, receipts, append) : { receipts: own, replayed: false };
  });
}

const receiptOf = ({ chained }: Recorded): DecisionReceipt => chained.receipt;

function receiptWithLiability({ chained, first }: Recorded): DecisionReceipt {
  return { ...chained.receipt, liability: describeEstimate(first.estimate) };
}

function replay(
  plan: Plan,
  receipts: ReadonlyMap<Append, DecisionReceipt[]>,
  { idempotency }: Append,
): Outcome {
  if (idempotency === null) throw new Error('only a request with a key can be a replay');
  const earlier = plan.earlier.get(idempotency.key);
  const sibling = plan.first.get(idempotency.key);
  const request = earlier?.request ?? sibling?.idempotency?.request;
  if (request !== idempotency.request) return idempotencyConflict();
  if (earlier !== undefined) return { receipts: readReceipts(earlier), replayed: true };
  return { receipts: (sibling && receipts.get(sibling)) ?? [], replayed: true };
}

function readReceipts({ response }: FirstAnswer): DecisionReceipt[] {
  return Parse(DecisionBatchReceipt, { decisions: JSON.parse(response) }).decisions;
}

function firstAnswers(plan: Plan, outcomes: readonly Outcome[]): FirstAnswer[] {
  return plan.appends.flatMap(({ idempotency }, index) => {
    const outcome = outcomes[index];
    if (idempotency === null || outcome === undefined || outcome instanceof LedgerError) return [];
    return outcome.replayed ? [] : { ...idempotency, response: JSON.stringify(outcome.receipts) };
  });
}

/** Sent in one go with the COMMIT behind: if any of it fails, all of it is undone. */
async function write(
  tx: Transaction,
  scope: Scope,
  head: LockedHead,
  recorded: readonly Recorded[],
  answers: readonly FirstAnswer[],
): Promise<void> {
  const last = recorded.at(-1)?.chained;
  if (last === undefined) return;
  const at = { epoch: head.epoch, firstSeq: head.seq + 1, createdAt: head.now };
  const to = { seq: last.receipt.seq, hash: last.hash, createdAt: head.now };
  const results = await Promise.allSettled([
    insertDecisions(tx, scope, at, recorded.map(chainedOf)),
    recordFirstEstimates(tx, scope, recorded.map(firstOf)),
    answers.length > 0 && keepFirstAnswers(tx, scope, answers, head.now),
    moveHead(tx, scope, 'decisions', to),
    tx.commit(),
  ]);
  // The first that failed says why; those behind it only that something did.
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

const chainedOf = ({ chained }: Recorded): ChainedDecision => chained;
const firstOf = ({ first }: Recorded): NewEstimate => first;

/**
 * Settles a COMMIT whose answer was lost. Taking the head's lock waits for a transaction that may
 * still be under way, so what is found afterwards is final.
 */
async function requireCommitted(
  db: Database,
  scope: Scope,
  recorded: readonly Recorded[],
  cause: Error,
): Promise<void> {
  const ids = recorded.map(({ chained }) => chained.decision.decisionId);
  const found = await db.transaction(async (tx) => {
    await lockHead(tx, scope, 'decisions');
    return findSeqs(tx, scope, ids);
  });
  if (found.length !== ids.length) {
    throw unavailable('the database connection was lost before the decisions were kept', 1, cause);
  }
}
