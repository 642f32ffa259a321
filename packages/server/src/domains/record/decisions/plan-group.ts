import { DecisionReceipt, RefusedDecision } from '@decision-ledger/contract/decision';
import type { LedgerError } from '@decision-ledger/contract/errors';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import type { FirstAnswer, IdempotencyMark } from '../../../platform/idempotency.js';
import type { FirstModel } from '../hooks/index.js';
import {
  type Append,
  decideSteps,
  type Earlier,
  type GroupStep,
  type Known,
  type LatenessLimit,
  type MemberStep,
} from './decide-steps.js';
import { describeRefusal, inOrder, type Refusal, readRefusal } from './refusals.js';
import { type ChainedDecision, type ChainPlace, chainGroup } from './rules/chain-group.js';
import type { PreparedDecision } from './rules/prepare.js';

export interface Appended {
  readonly receipts: readonly DecisionReceipt[];
  /** Whether the request recorded nothing, because all of it was recorded before. */
  readonly replayed: boolean;
  /** Indexes of the receipts whose decisions were recorded before, if not all were. */
  readonly replays: readonly number[];
  /** What was refused, in order; absent if all or none are recorded. */
  readonly refused?: readonly Refusal[];
}

/** What is kept of an answer for repeats. */
type Kept = Pick<Appended, 'receipts' | 'refused'>;

/** The answer to a request, or the error that fails it alone. */
export type AppendOutcome = Appended | LedgerError;

/** What a group of requests writes and answers. */
export interface GroupPlan {
  /** In the order of the chain. */
  readonly entries: readonly ChainedDecision[];
  /** The snapshot of their first estimates. */
  readonly estimateSnapshot: number;
  /** Answers to store for repeats of the requests that have a key. */
  readonly answers: readonly FirstAnswer[];
  /** One for each request, in order. */
  readonly outcomes: readonly AppendOutcome[];
}

/**
 * Decides what each request of a group becomes: new entries, a replay or a refusal. Pure.
 * @param known read under the lock of the head
 * @param place the end of the chain, locked
 * @param maxLateness seconds; null: any
 */
export function planGroup(
  appends: readonly Append[],
  known: Known,
  place: ChainPlace,
  model: FirstModel,
  maxLateness: number | null,
): GroupPlan {
  const steps = decideSteps(appends, known, limitAt(place.createdAt, maxLateness));
  const entries = chainGroup(steps.flatMap(newDecisions), place);
  const answering = { model, entries, createdAt: place.createdAt };
  return { entries, estimateSnapshot: model.snapshot, ...answerSteps(steps, answering) };
}

/** Measured from the time of recording, which the chain has, so that everybody can check it. */
function limitAt(createdAt: number, seconds: number | null): LatenessLimit | null {
  return seconds === null ? null : { seconds, earliest: createdAt - seconds * 1000 };
}

function newDecisions(step: GroupStep): readonly PreparedDecision[] {
  if (step.kind !== 'append') return [];
  const { append, members } = step;
  if (members === null) return append.decisions;
  return append.decisions.filter((_, index) => members[index]?.kind === 'new');
}

/** What the requests of a group are answered from. */
interface Planned {
  readonly model: FirstModel;
  readonly entries: readonly ChainedDecision[];
  /** Of all entries, ms. */
  readonly createdAt: number;
}

/** The state of answering the requests of a group, in order. */
interface Answering extends Planned {
  /** Index of the next new entry. */
  next: number;
  readonly answers: FirstAnswer[];
  /** Answers of this group, by key. */
  readonly byKey: Map<string, Kept>;
}

function answerSteps(
  steps: readonly GroupStep[],
  planned: Planned,
): Pick<GroupPlan, 'answers' | 'outcomes'> {
  const state: Answering = { ...planned, next: 0, answers: [], byKey: new Map() };
  const outcomes = steps.map((step) => answerStep(state, step));
  return { answers: state.answers, outcomes };
}

function answerStep(state: Answering, step: GroupStep): AppendOutcome {
  if (step.kind === 'refused') return step.error;
  if (step.kind !== 'append') {
    return { ...earlierAnswer(state, step), replayed: true, replays: [] };
  }
  const { append, members } = step;
  const appended =
    members === null ? answerNew(state, append) : answerMembers(state, append, members);
  // Of what recorded nothing, a repeat is decided anew.
  if (append.idempotency !== null && appended.receipts.length > 0) {
    keep(state, append.idempotency, appended);
  }
  return appended;
}

function answerNew(state: Answering, { decisions, estimated }: Append): Appended {
  const own = state.entries.slice(state.next, state.next + decisions.length);
  state.next += decisions.length;
  const receipts = own.map(({ receipt, timestamp }, index) => {
    const body = estimated?.[index];
    if (body === undefined) return receipt;
    const { model, createdAt } = state;
    const liability = model.estimate(body, { timestamp, createdAt });
    // Spreading costs ten times as much.
    return Object.assign({}, receipt, { liability });
  });
  return { receipts, replayed: false, replays: [] };
}

function answerMembers(
  state: Answering,
  { memberMarks, lenient }: Append,
  members: readonly MemberStep[],
): Appended {
  const receipts: DecisionReceipt[] = [];
  const replays: number[] = [];
  const refused: Refusal[] = [];
  for (const [index, member] of members.entries()) {
    if (member.kind === 'new') {
      const receipt = nextReceipt(state);
      const mark = memberMarks?.[index] ?? null;
      if (mark !== null) keep(state, mark, { receipts: [receipt] });
      receipts.push(receipt);
    } else if (member.kind === 'refused') {
      refused.push({ index: lenient?.places[index] ?? index, error: member.error });
    } else {
      replays.push(receipts.length);
      receipts.push(...earlierAnswer(state, member).receipts.map(withoutLiability));
    }
  }
  const replayed = receipts.length > 0 && replays.length === receipts.length;
  if (lenient === undefined) return { receipts, replayed, replays };
  return { receipts, replayed, replays, refused: inOrder([...lenient.refused, ...refused]) };
}

function nextReceipt(state: Answering): DecisionReceipt {
  const entry = state.entries[state.next];
  if (entry === undefined) throw new Error('a new decision was left without an entry');
  state.next += 1;
  return entry.receipt;
}

/** Keeps an answer for repeats, in this group and later. */
function keep(
  { answers, byKey }: Answering,
  { key, request }: IdempotencyMark,
  { receipts, refused }: Kept,
): void {
  byKey.set(key, { receipts, ...(refused !== undefined && { refused }) });
  const answer =
    refused === undefined ? receipts : { receipts, refused: refused.map(describeRefusal) };
  answers.push({ key, request, response: JSON.stringify(answer) });
}

function earlierAnswer({ byKey }: Answering, earlier: Earlier): Kept {
  if (earlier.kind === 'replay') return readAnswer(earlier.answer);
  const answer = byKey.get(earlier.key);
  if (answer === undefined) throw new Error('a repeat precedes the request that it repeats');
  return answer;
}

/** A single decision with the same key may have been answered with its estimate. */
function withoutLiability({ liability: _estimate, ...receipt }: DecisionReceipt): DecisionReceipt {
  return receipt;
}

const Receipts = Type.Array(DecisionReceipt);
const LenientAnswer = Type.Object({ receipts: Receipts, refused: Type.Array(RefusedDecision) });

function readAnswer({ response }: FirstAnswer): Kept {
  const value: unknown = JSON.parse(response);
  if (Array.isArray(value)) return { receipts: Parse(Receipts, value) };
  const { receipts, refused } = Parse(LenientAnswer, value);
  return { receipts, refused: refused.map(readRefusal) };
}
