import type { Risk } from '@decision-ledger/liability/risk';
import type { LedgerReader } from '../../../platform/ledger.js';
import { differences, estimatedAgain, isNear, shown, type Values } from './compare-figures.js';
import type { LinkedMoney } from './estimate-decision.js';
import { openModels } from './models.js';
import { riskOf } from './recorded-risk.js';
import { linkedMoney } from './reestimate.js';
import type { Figures } from './store/estimate-columns.js';
import { type LinkedMoneyRow, selectLinkedMoney } from './store/link-allocations.js';
import { selectNeutral } from './store/snapshots.js';
import { type StoredEstimate, selectStoredEstimates } from './store/stored-estimates.js';
import { type RecordedRow, selectRecorded } from './store/subjects.js';
import type { Model } from './stored-snapshot.js';

/** A stored estimate that is not what its decision, the links and its snapshot make it. */
export interface EstimateFault {
  readonly seq: number;
  /** UUID. */
  readonly decisionId: string;
  readonly kind: 'missing' | 'unexpected' | 'copy' | 'figure';
  /** Null: the whole row. */
  readonly column: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** Decisions by seq: `after` exclusive, `until` inclusive. */
type Span = { readonly after: number; readonly until: number };

/** A stored estimate, and what its decision, the links and its snapshot make it. */
export interface EstimatedAgain {
  readonly row: StoredEstimate;
  readonly decision: RecordedRow;
  readonly copy: Copy;
  readonly figures: Figures;
}

export interface Again {
  readonly estimates: readonly EstimatedAgain[];
  /** Stored estimates of no decision, or of a snapshot that does not exist. */
  readonly unexpected: readonly StoredEstimate[];
  /** Decisions without an estimate that names a snapshot. */
  readonly missing: readonly RecordedRow[];
}

/**
 * Estimates decisions again, with the snapshot and as of the time of each stored estimate.
 * @param erased decisions (seq) of which fields were erased: the facts that were read before remain
 */
export async function estimateAgain(
  ledger: LedgerReader,
  span: Span,
  erased: ReadonlySet<number>,
): Promise<Again> {
  const stored = await selectStoredEstimates(ledger, span);
  const decisions = new Map((await selectRecorded(ledger, span)).map((row) => [row.seq, row]));
  const models = await openModels(
    ledger,
    stored.map(({ snapshot_id }) => snapshot_id),
  );
  const money = new Map<number, LinkedMoneyRow[]>();
  for (const row of await selectLinkedMoney(ledger, span)) {
    money.set(row.seq, [...(money.get(row.seq) ?? []), row]);
  }
  const neutral = new Set(await selectNeutral(ledger));
  const estimates: EstimatedAgain[] = [];
  const unexpected: StoredEstimate[] = [];
  for (const row of stored) {
    const { seq } = row;
    const decision = decisions.get(seq);
    const model = models.get(row.snapshot_id);
    decisions.delete(seq);
    if (decision === undefined || model === undefined) unexpected.push(row);
    else {
      const linked = linkedMoney(model, money.get(seq) ?? []).get(seq) ?? null;
      const inputs = { row, decision, linked, neutral, isErased: erased.has(seq) };
      estimates.push(againOf(model, inputs));
    }
  }
  return { estimates, unexpected, missing: [...decisions.values()] };
}

/**
 * Compares what is stored of decisions: the copy of the decision, the facts that it states, and the figures.
 * @param erased decisions (seq) of which fields were erased: the facts that were read before remain
 */
export async function findEstimateFaults(
  ledger: LedgerReader,
  span: Span,
  erased: ReadonlySet<number>,
): Promise<EstimateFault[]> {
  const { estimates, unexpected, missing } = await estimateAgain(ledger, span, erased);
  return [
    ...estimates.flatMap(rowFaults),
    ...unexpected.map((row) => wholeRow('unexpected', row)),
    ...missing.map((row) => wholeRow('missing', row)),
  ];
}

interface Compared {
  readonly row: StoredEstimate;
  readonly decision: RecordedRow;
  readonly linked: LinkedMoney | null;
  /** Confidences that were neutral at some time. */
  readonly neutral: ReadonlySet<number>;
  readonly isErased: boolean;
}

function againOf(model: Model, compared: Compared): EstimatedAgain {
  const { row, decision, linked, isErased } = compared;
  const read = riskOf(model, decision);
  const risk = isErased ? keptRisk(model, row) : read;
  const known = { ...decision, confidence: confidenceOf(compared, read.weighedConfidence) };
  return {
    ...{ row, decision },
    copy: expectedCopy(known, risk),
    figures: estimatedAgain(model, { row, decision: known, risk, linked }),
  };
}

/**
 * A fixed confidence was replaced by the one that was neutral when the decision was recorded.
 * @param weighed the one that is neutral in the snapshot of the estimate; null for a confidence that is not fixed
 */
function confidenceOf(
  { row, decision, neutral, isErased }: Compared,
  weighed: number | null,
): number {
  const isReplaced = (isErased || weighed !== null) && neutral.has(row.confidence);
  if (isReplaced || row.confidence === decision.confidence) return row.confidence;
  return isErased ? decision.confidence : (weighed ?? decision.confidence);
}

function rowFaults(again: EstimatedAgain): EstimateFault[] {
  const { row, decision, figures } = again;
  const about = { seq: decision.seq, decisionId: decision.decision_id };
  const copy = differences(comparable(again.copy), comparable(storedCopy(row)), Object.is);
  return [
    ...copy.map((difference) => ({ ...about, kind: 'copy' as const, ...difference })),
    ...differences(shown(figures), shown(storedFigures(row)), isNear).map((difference) => ({
      ...{ ...about, kind: 'figure' as const },
      ...difference,
    })),
  ];
}

function wholeRow(
  kind: 'missing' | 'unexpected',
  { seq, decision_id }: Pick<RecordedRow, 'seq' | 'decision_id'>,
): EstimateFault {
  const nothing = { column: null, expected: null, actual: null };
  return { kind, seq, decisionId: decision_id, ...nothing };
}

/** What was read of a decision before fields of it were erased. */
function keptRisk({ risk }: Model, row: StoredEstimate): Risk {
  const { oversight, stated_amount: amount, stated_currency, denied, variant } = row;
  const stated = amount === null ? null : { amount, currency: stated_currency };
  return { oversight, stated, isDenied: denied, variant, reading: risk.reading };
}

/** What an estimate keeps of its decision, and of the facts that it states. */
type Copy = ReturnType<typeof storedCopy>;

function expectedCopy(decision: RecordedRow, { oversight, stated, ...risk }: Risk): Copy {
  const { decision_id, agent_id, action_type, confidence, timestamp } = decision;
  return {
    ...{ decision_id, agent_id, action_type, confidence, timestamp, oversight },
    ...{ variant: risk.variant, denied: risk.isDenied, reading: risk.reading },
    stated_amount: stated?.amount ?? null,
    stated_currency: stated?.currency ?? null,
  };
}

function storedCopy(row: StoredEstimate) {
  const { decision_id, agent_id, action_type, confidence, timestamp, oversight } = row;
  const { variant, denied, reading, stated_amount, stated_currency } = row;
  return {
    ...{ decision_id, agent_id, action_type, confidence, timestamp, oversight, variant, denied },
    ...{ reading, stated_currency, stated_amount },
  };
}

/** The same amount may be written with more digits. */
function comparable(copy: Copy): Values {
  const { stated_amount: amount } = copy;
  return { ...copy, stated_amount: amount === null ? null : Number(amount) };
}

function storedFigures(row: StoredEstimate): Figures {
  return { stake: Number(row.stake), events: row.events, sizes: Number(row.sizes), estimate: row };
}
