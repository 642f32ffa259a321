import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import type { Risk } from '@decision-ledger/liability/risk';
import { Big } from 'big.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { estimateDecision, type LinkedMoney, shownFigures, toFigures } from './describe.js';
import { readFirstEstimates, withoutStored } from './first-estimates.js';
import { storedUntil } from './known-estimates.js';
import { riskOf } from './recorded-risk.js';
import type { NewEstimate, Reestimate, WhichDecisions } from './store/estimates.js';
import { type LinkedMoneyRow, selectLinkedMoney } from './store/link-allocations.js';
import { decisionPages, type SubjectRow, selectSubjects } from './store/subjects.js';
import type { EstimationModel } from './stored-snapshot.js';

/** Context of a transaction that changes estimates and holds the lock on the state. */
export interface Terms {
  readonly model: EstimationModel;
  /** ms. */
  readonly asOf: number;
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
  return changesOf(tx, { model, asOf }, { subjects, money }, isErased);
}

interface Estimated {
  readonly subjects: readonly Current[];
  readonly money: readonly LinkedMoneyRow[];
}

export async function changesOf(
  tx: LedgerReader,
  { model, asOf }: Terms,
  { subjects, money }: Estimated,
  isErased: boolean,
): Promise<ChangeOfEstimate[]> {
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

/** A lost estimate is left out: what it was is not known. A rebuild makes it. */
async function readSubjects(tx: LedgerReader, which: WhichDecisions): Promise<Current[]> {
  // Read first: what is not stored up to here is not stored later.
  const until = await storedUntil(tx);
  const stored = await selectSubjects(tx, which);
  const current: Current[] = stored.map((subject) => ({ subject, first: null }));
  const seqs = withoutStored(seqsOf(which), stored).filter((seq) => seq > until);
  const firsts = await readFirstEstimates(tx, { seqs });
  current.push(...firsts.map((first) => ({ subject: subjectOf(first), first })));
  return current.sort((one, other) => one.subject.seq - other.subject.seq);
}

function seqsOf(which: WhichDecisions): readonly number[] {
  if ('seqs' in which) return which.seqs;
  return Array.from({ length: which.until - which.after }, (_, n) => which.after + 1 + n);
}

/** A first estimate as if it had been stored and read. */
export function subjectOf(first: NewEstimate): SubjectRow {
  const { seq, variant, reading, timestamp, confidence, oversight, stated, estimate } = first;
  return {
    ...{ ...estimate, seq, variant, reading, timestamp, confidence, oversight },
    decision_id: first.decisionId,
    agent_id: first.agentId,
    action_type: first.actionType,
    denied: first.isDenied,
    provenance: first.provenance,
    stated_amount: stated?.amount ?? null,
    stated_currency: stated?.currency ?? null,
  };
}

/** The facts of decisions whose payload was read with other settings. */
export async function readAgain(
  tx: LedgerReader,
  model: EstimationModel,
  subjects: readonly SubjectRow[],
): Promise<Map<number, Risk>> {
  if (subjects.length === 0) return new Map();
  const seqs = subjects.map(({ seq }) => seq);
  const risks = new Map<number, Risk>();
  for await (const rows of decisionPages(tx, { seqs })) {
    for (const row of rows) risks.set(row.seq, riskOf(model, row));
  }
  return risks;
}

export function statedRisk(subject: SubjectRow): Risk {
  const { oversight, provenance, stated_amount, stated_currency, denied, variant, reading } =
    subject;
  const stated =
    stated_amount === null ? null : { amount: stated_amount, currency: stated_currency };
  return { oversight, provenance, stated, isDenied: denied, variant, reading };
}

export function isSameRisk(one: Risk, other: Risk): boolean {
  return (
    one.reading === other.reading &&
    one.variant === other.variant &&
    one.isDenied === other.isDenied &&
    one.provenance === other.provenance &&
    one.stated?.amount === other.stated?.amount &&
    one.stated?.currency === other.stated?.currency
  );
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
    roundToMinorUnit(before.exposure, before.currency) !==
      roundToMinorUnit(after.exposure, after.currency);
  const estimate = { ...figures.estimate, revision: subject.revision + (isRevised ? 1 : 0) };
  const restsOnRates = linked?.isConverted === true;
  return { subject, isRevised, restsOnRates, next: { ...risk, ...figures, seq, estimate } };
}
