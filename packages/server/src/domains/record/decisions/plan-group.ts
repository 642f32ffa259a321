import { DecisionBatchReceipt, type DecisionReceipt } from '@decision-ledger/contract/decision';
import type { LedgerError } from '@decision-ledger/contract/errors';
import { Parse } from 'typebox/value';
import {
  type FirstAnswer,
  type IdempotencyMark,
  idempotencyConflict,
} from '../../../platform/idempotency.js';
import {
  describeEstimate,
  firstEstimate,
  type Model,
  type NewEstimate,
  type Risk,
} from '../../judgement/liability/index.js';
import { type ChainedDecision, type ChainPlace, chainGroup } from './rules/chain-group.js';
import type { PreparedDecision } from './rules/prepare.js';

/** The decisions of one request: contiguous in the chain, recorded all or none. */
export interface Append {
  readonly decisions: readonly PreparedDecision<Risk>[];
  /** Whether the receipts contain the first estimates. */
  readonly withLiability: boolean;
  readonly idempotency: IdempotencyMark | null;
}

export interface Appended {
  readonly receipts: readonly DecisionReceipt[];
  /** True if these are the receipts of an earlier request with the same key and body. */
  readonly replayed: boolean;
}

/** The answer to a request, or the error that fails it alone. */
export type Outcome = Appended | LedgerError;

/** A decision with its place in the chain and its first estimate. */
export interface NewEntry {
  readonly chained: ChainedDecision;
  readonly first: NewEstimate;
}

/** What a group of requests writes and answers. */
export interface GroupPlan {
  /** In the order of the chain. */
  readonly entries: readonly NewEntry[];
  /** Answers to store for repeats of the requests that have a key. */
  readonly answers: readonly FirstAnswer[];
  /** One for each request, in order. */
  readonly outcomes: readonly Outcome[];
}

/** What a request of the group becomes. */
type Step =
  | { readonly kind: 'append'; readonly append: Append }
  | { readonly kind: 'replay'; readonly answer: FirstAnswer }
  /** The same key and request as an earlier one of this group. */
  | { readonly kind: 'repeat'; readonly key: string }
  | { readonly kind: 'conflict' };

/**
 * Decides what each request of a group becomes: new entries, a replay or a conflict. Pure.
 * @param stored answers to earlier requests, by key
 * @param place the end of the chain, locked
 */
export function planGroup(
  appends: readonly Append[],
  stored: ReadonlyMap<string, FirstAnswer>,
  place: ChainPlace,
  model: Model,
): GroupPlan {
  const steps = decideSteps(appends, stored);
  const decisions = steps.flatMap((step) => (step.kind === 'append' ? step.append.decisions : []));
  const entries = chainGroup(decisions, place).map((chained) =>
    estimate(model, chained, place.createdAt),
  );
  return { entries, ...answerSteps(steps, entries) };
}

function decideSteps(
  appends: readonly Append[],
  stored: ReadonlyMap<string, FirstAnswer>,
): readonly Step[] {
  /** The request that was first to use each key in this group. */
  const first = new Map<string, string>();
  return appends.map((append): Step => {
    if (append.idempotency === null) return { kind: 'append', append };
    const { key, request } = append.idempotency;
    const answer = stored.get(key);
    if (answer !== undefined) {
      return answer.request === request ? { kind: 'replay', answer } : { kind: 'conflict' };
    }
    const sibling = first.get(key);
    if (sibling !== undefined) {
      return sibling === request ? { kind: 'repeat', key } : { kind: 'conflict' };
    }
    first.set(key, request);
    return { kind: 'append', append };
  });
}

/** @param at ms */
function estimate(
  model: Model,
  chained: ChainedDecision<PreparedDecision<Risk>>,
  at: number,
): NewEntry {
  const { decision, timestamp, receipt } = chained;
  return { chained, first: firstEstimate(model, decision, receipt.seq, timestamp, at) };
}

function answerSteps(
  steps: readonly Step[],
  entries: readonly NewEntry[],
): Pick<GroupPlan, 'answers' | 'outcomes'> {
  const answers: FirstAnswer[] = [];
  const outcomes: Outcome[] = [];
  const byKey = new Map<string, readonly DecisionReceipt[]>();
  let next = 0;
  for (const step of steps) {
    if (step.kind === 'conflict') {
      outcomes.push(idempotencyConflict());
    } else if (step.kind === 'replay') {
      outcomes.push({ receipts: readReceipts(step.answer), replayed: true });
    } else if (step.kind === 'repeat') {
      outcomes.push({ receipts: receiptsOf(byKey, step.key), replayed: true });
    } else {
      const { decisions, withLiability, idempotency } = step.append;
      const own = entries.slice(next, next + decisions.length);
      next += decisions.length;
      const receipts = own.map(withLiability ? receiptWithLiability : receiptOf);
      outcomes.push({ receipts, replayed: false });
      if (idempotency === null) continue;
      const { key, request } = idempotency;
      byKey.set(key, receipts);
      answers.push({ key, request, response: JSON.stringify(receipts) });
    }
  }
  return { answers, outcomes };
}

function receiptsOf(
  byKey: ReadonlyMap<string, readonly DecisionReceipt[]>,
  key: string,
): readonly DecisionReceipt[] {
  const receipts = byKey.get(key);
  if (receipts === undefined) throw new Error('a repeat precedes the request that it repeats');
  return receipts;
}

const receiptOf = ({ chained }: NewEntry): DecisionReceipt => chained.receipt;

function receiptWithLiability({ chained, first }: NewEntry): DecisionReceipt {
  return { ...chained.receipt, liability: describeEstimate(first.estimate) };
}

function readReceipts({ response }: FirstAnswer): DecisionReceipt[] {
  return Parse(DecisionBatchReceipt, { decisions: JSON.parse(response) }).decisions;
}
