import type { LiabilityUpdate } from '@decision-ledger/contract/liability';
import type { Risk } from '@decision-ledger/liability/risk';
import { Big } from 'big.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { type Announcement, announce } from '../../log/announcements/index.js';
import { money, shownFigures, toFigures } from './describe.js';
import { estimateDecision, type LinkedMoney } from './estimate-decision.js';
import { readFirstEstimates, withoutStored } from './first-estimates.js';
import { riskOf } from './recorded-risk.js';
import {
  insertEstimates,
  insertHistory,
  type NewEstimate,
  type Reestimate,
  restoreFacts,
  updateEstimates,
  type WhichDecisions,
} from './store/estimates.js';
import { changeCells, dropEmptyCells } from './store/exposure.js';
import { type LinkedMoneyRow, selectLinkedMoney } from './store/link-allocations.js';
import { type SubjectRow, selectRecorded, selectSubjects } from './store/subjects.js';
import type { EstimationModel } from './stored-snapshot.js';

/** Context of a transaction that changes estimates and holds the lock on the state. */
export interface Terms {
  readonly model: EstimationModel;
  /** ms. */
  readonly asOf: number;
}

/**
 * Re-estimates decisions. If the exposure changes by a minor unit or more, the previous estimate is kept
 * in the history and the change is announced. A smaller change only updates the estimate.
 * @returns number of announced changes
 */
export async function reestimate(
  tx: LedgerWriter,
  { model, asOf }: Terms,
  which: WhichDecisions,
): Promise<number> {
  const changes = (await estimateChanges(tx, model, asOf, which)).filter(
    ({ subject, next, restsOnRates }) =>
      !isSame(subject, next) ||
      // The same figures do not follow from the other links and the rates of the former snapshot.
      ('seqs' in which && restsOnRates && subject.snapshot_id !== model.snapshotId),
  );
  if (changes.length === 0) return 0;
  const revised = changes.filter(({ isRevised }) => isRevised);
  const announcements = revised.map(({ subject, next }) => describeChange(subject, next));
  const rows = changes.map(({ next }) => next);
  const firsts = changes.flatMap(({ first }) => first ?? []);
  // Sent together, in this order: history and cells need the previous estimates, also those not stored yet.
  const results = await Promise.allSettled([
    insertEstimates(tx, firsts),
    revised.length > 0 &&
      insertHistory(
        tx,
        revised.map(({ subject }) => subject.seq),
      ),
    changeCells(tx, rows),
    updateEstimates(tx, model.snapshotId, rows, asOf),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  await dropEmptied(tx, changes);
  await announce(tx, announcements, asOf);
  return announcements.length;
}

/**
 * Re-estimates a decision of which fields were erased; its previous estimates are not kept. If the facts
 * still follow from the other fields, the estimate stays.
 * @param before the decision before the erasure
 * @returns whether the estimate was replaced
 */
export async function replaceEstimate(
  tx: LedgerWriter,
  { model, asOf }: Terms,
  before: SubjectRow,
): Promise<boolean> {
  const which = { seqs: [before.seq] };
  const left = (await readAgain(tx, model, [before])).get(before.seq);
  if (left !== undefined && isSameRisk(left, statedRisk(before))) {
    await restoreFacts(tx, before);
    return false;
  }
  const changes = await estimateChanges(tx, model, asOf, which, true);
  const rows = changes.map(({ next }) => next);
  await changeCells(tx, rows);
  await updateEstimates(tx, model.snapshotId, rows, asOf);
  await dropEmptied(tx, changes);
  return true;
}

/** A decision that has another version than before is in another cell. */
async function dropEmptied(tx: LedgerWriter, changes: readonly ChangeOfEstimate[]): Promise<void> {
  const moved = changes.filter(({ subject, next }) => subject.variant !== next.variant);
  if (moved.length > 0)
    await dropEmptyCells(
      tx,
      moved.map(({ next }) => next.seq),
    );
}

function isSameRisk(one: Risk, other: Risk): boolean {
  return (
    one.reading === other.reading &&
    one.variant === other.variant &&
    one.isDenied === other.isDenied &&
    one.stated?.amount === other.stated?.amount &&
    one.stated?.currency === other.stated?.currency
  );
}

/** The estimates that a model makes of decisions, beside their current ones, stored or not. */
export async function estimateChanges(
  tx: LedgerReader,
  model: EstimationModel,
  asOf: number,
  which: WhichDecisions,
  isErased = false,
): Promise<ChangeOfEstimate[]> {
  const [subjects, money] = await Promise.all([
    readSubjects(tx, which),
    selectLinkedMoney(tx, which),
  ]);
  const linked = linkedMoney(model, money);
  const { reading } = model.risk;
  const stale = subjects.flatMap(({ subject }) =>
    isErased || subject.reading !== reading ? subject : [],
  );
  const read = await readAgain(tx, model, stale);
  return subjects.map(({ subject, first }) => {
    const risk = read.get(subject.seq) ?? statedRisk(subject);
    const change = changeOf(model, { subject, risk }, linked.get(subject.seq) ?? null, asOf);
    return { ...change, first };
  });
}

/** A decision with its current estimate. */
interface Current {
  readonly subject: SubjectRow;
  /** Its estimate, if that is not stored yet. */
  readonly first: NewEstimate | null;
}

async function readSubjects(tx: LedgerReader, which: WhichDecisions): Promise<Current[]> {
  const stored = await selectSubjects(tx, which);
  const current: Current[] = stored.map((subject) => ({ subject, first: null }));
  const firsts = await readFirstEstimates(tx, { seqs: withoutStored(seqsOf(which), stored) });
  current.push(...firsts.map((first) => ({ subject: subjectOf(first), first })));
  return current.sort((one, other) => one.subject.seq - other.subject.seq);
}

function seqsOf(which: WhichDecisions): readonly number[] {
  if ('seqs' in which) return which.seqs;
  return Array.from({ length: which.until - which.after }, (_, n) => which.after + 1 + n);
}

/** A first estimate as if it had been stored and read. */
function subjectOf(first: NewEstimate): SubjectRow {
  const { seq, variant, reading, timestamp, confidence, oversight, stated, estimate } = first;
  return {
    ...{ ...estimate, seq, variant, reading, timestamp, confidence, oversight },
    decision_id: first.decisionId,
    agent_id: first.agentId,
    action_type: first.actionType,
    denied: first.isDenied,
    stated_amount: stated?.amount ?? null,
    stated_currency: stated?.currency ?? null,
  };
}

/** The facts of decisions whose payload was read with other settings. */
async function readAgain(
  tx: LedgerReader,
  model: EstimationModel,
  subjects: readonly SubjectRow[],
): Promise<Map<number, Risk>> {
  if (subjects.length === 0) return new Map();
  const seqs = subjects.map(({ seq }) => seq);
  const rows = await selectRecorded(tx, { seqs });
  return new Map(rows.map((row) => [row.seq, riskOf(model, row)]));
}

function statedRisk(subject: SubjectRow): Risk {
  const { oversight, stated_amount, stated_currency, denied, variant, reading } = subject;
  const stated =
    stated_amount === null ? null : { amount: stated_amount, currency: stated_currency };
  return { oversight, stated, isDenied: denied, variant, reading };
}

/** The money of the links of decisions, by seq; one without links is left out. */
export function linkedMoney(
  { convert, currency }: EstimationModel,
  rows: readonly LinkedMoneyRow[],
): Map<number, LinkedMoney> {
  const bySeq = new Map<number, LinkedMoney>();
  for (const row of rows) {
    const before = bySeq.get(row.seq) ?? NOTHING;
    const linked = convert(row.linked, row.currency, row.at);
    const lost = convert(row.lost, row.currency, row.at);
    bySeq.set(row.seq, {
      linked: before.linked.plus(linked ?? 0),
      lost: before.lost.plus(lost ?? 0),
      unconverted: before.unconverted + (linked === null ? row.links : 0),
      isConverted: before.isConverted || row.currency !== currency,
    });
  }
  return bySeq;
}

const NOTHING: LinkedMoney = {
  linked: new Big(0),
  lost: new Big(0),
  unconverted: 0,
  isConverted: false,
};

export interface ChangeOfEstimate extends Current {
  readonly next: Reestimate;
  readonly isRevised: boolean;
  /** Whether money of its links is in another currency. */
  readonly restsOnRates: boolean;
}

function changeOf(
  model: EstimationModel,
  { subject, risk }: { readonly subject: SubjectRow; readonly risk: Risk },
  linked: LinkedMoney | null,
  asOf: number,
): Omit<ChangeOfEstimate, 'first'> {
  const { seq, agent_id, action_type, confidence, timestamp, oversight } = subject;
  const facts = {
    ...{ ...risk, oversight, confidence, timestamp },
    ...{ agentId: agent_id, actionType: action_type },
  };
  const figures = toFigures(
    model,
    estimateDecision(model, facts, linked, asOf),
    subject.revision,
    asOf,
  );
  const [before, after] = [shownFigures(subject), shownFigures(figures.estimate)];
  const isRevised =
    before.currency !== after.currency ||
    money(before.exposure, before.currency) !== money(after.exposure, after.currency);
  const estimate = { ...figures.estimate, revision: subject.revision + (isRevised ? 1 : 0) };
  const restsOnRates = linked?.isConverted === true;
  return { subject, isRevised, restsOnRates, next: { ...risk, ...figures, seq, estimate } };
}

const COMPARED = [
  'version',
  'currency',
  'exposure',
  'low',
  'high',
  'own_currency',
  'own_exposure',
  'amount_at_risk',
  'realised',
  'open_share',
  'unconverted',
] as const;

function isSame(before: SubjectRow, { reading, variant, isDenied, estimate }: Reestimate): boolean {
  return (
    before.reading === reading &&
    before.variant === variant &&
    before.denied === isDenied &&
    COMPARED.every((name) => before[name] === estimate[name])
  );
}

function describeChange(before: SubjectRow, { estimate }: Reestimate): Announcement {
  const { version, revision } = estimate;
  const { currency, ...shown } = shownFigures(estimate);
  const previous = shownFigures(before);
  const decision_id = uuidToId('dec', before.decision_id);
  const data: LiabilityUpdate = {
    decision_id,
    expected: money(shown.exposure, currency),
    expected_low: money(shown.low, currency),
    expected_high: money(shown.high, currency),
    currency,
    version,
    revision,
    previous_expected: money(previous.exposure, previous.currency),
  };
  return { type: 'liability_estimate.updated', subject: decision_id, data };
}
