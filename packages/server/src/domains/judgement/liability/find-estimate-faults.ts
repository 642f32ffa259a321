import type { Risk } from '@decision-ledger/liability/risk';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectErasures } from '../../record/decisions/index.js';
import {
  comparedFigures,
  estimatedAgain,
  figureDifferences,
  isNear,
  type Values,
} from './compare-figures.js';
import type { LinkedMoney } from './describe.js';
import { linkedMoney } from './estimate-changes.js';
import { readUnmakeable } from './first-estimates.js';
import { storedUntil } from './known-estimates.js';
import { openModels } from './models.js';
import { riskOf } from './recorded-risk.js';
import type { Figures } from './store/estimate-columns.js';
import { type LinkedMoneyRow, selectLinkedMoney } from './store/link-allocations.js';
import { selectNeutral } from './store/snapshots.js';
import { type StoredEstimate, selectStoredEstimates } from './store/stored-rows.js';
import { type RecordedRow, selectRecorded } from './store/subjects.js';
import type { EstimationModel } from './stored-snapshot.js';

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

/** What an estimate is made with, and the facts that were read of its decision. */
export type EstimateBasis = Pick<
  StoredEstimate,
  | ('seq' | 'snapshot_id' | 'revision' | 'estimated_at' | 'confidence')
  | ('oversight' | 'provenance' | 'stated_amount' | 'stated_currency' | 'denied' | 'variant')
>;

/** An estimate, and what its decision, the links and its snapshot make it. */
export interface EstimatedAgain<Row extends EstimateBasis = StoredEstimate> {
  readonly row: Row;
  readonly decision: RecordedRow;
  /** Fields of the decision were erased: the facts that were read before remain. */
  readonly isErased: boolean;
  readonly copy: Copy;
  readonly figures: Figures;
}

export interface Again {
  readonly estimates: readonly EstimatedAgain[];
  /** Stored estimates of no decision. */
  readonly unexpected: readonly StoredEstimate[];
  /** Decisions without an estimate that names a snapshot. */
  readonly missing: readonly RecordedRow[];
}

/** Estimates decisions again, with the snapshot and as of the time of each stored estimate. */
export async function estimateAgain(ledger: LedgerReader, span: Span): Promise<Again> {
  const stored = await selectStoredEstimates(ledger, span);
  const decisions = await selectRecorded(ledger, span);
  const [known, estimated] = [seqsOf(decisions), seqsOf(stored)];
  return {
    estimates: await estimateWith(ledger, decisions, stored),
    unexpected: stored.filter(({ seq }) => !known.has(seq)),
    missing: decisions.filter(({ seq }) => !estimated.has(seq)),
  };
}

const seqsOf = (rows: readonly { readonly seq: number }[]) => new Set(rows.map(({ seq }) => seq));

/** Estimates decisions with given snapshots and as of given times, those without a decision left out. */
export async function estimateWith<Row extends EstimateBasis>(
  ledger: LedgerReader,
  decisions: readonly RecordedRow[],
  rows: readonly Row[],
): Promise<EstimatedAgain<Row>[]> {
  const bySeq = new Map(decisions.map((decision) => [decision.seq, decision]));
  const models = await openModels(
    ledger,
    rows.map(({ snapshot_id }) => snapshot_id),
  );
  const money = new Map<number, LinkedMoneyRow[]>();
  for (const row of await selectLinkedMoney(ledger, { seqs: [...bySeq.keys()] })) {
    money.set(row.seq, [...(money.get(row.seq) ?? []), row]);
  }
  const neutral = new Set(await selectNeutral(ledger));
  const erased = await erasedAmong(ledger, decisions);
  return rows.flatMap((row): EstimatedAgain<Row>[] => {
    const decision = bySeq.get(row.seq);
    const model = models.get(row.snapshot_id);
    if (decision === undefined || model === undefined) return [];
    const linked = linkedMoney(model, money.get(row.seq) ?? []).get(row.seq) ?? null;
    return [
      againOf(model, {
        row,
        decision,
        linked,
        neutral,
        isErased: erased.has(decision.decision_id),
      }),
    ];
  });
}

/** The decisions (UUIDs) of which fields were erased. */
export async function erasedAmong(
  ledger: LedgerReader,
  decisions: readonly RecordedRow[],
): Promise<ReadonlySet<string>> {
  const ids = new Map(decisions.map((row) => [uuidToId('dec', row.decision_id), row.decision_id]));
  const erasures = await selectErasures(ledger, [...ids.keys()]);
  return new Set(erasures.flatMap(({ subject }) => ids.get(subject) ?? []));
}

/**
 * Compares what is stored of decisions: the copy of the decision, the facts that it states, and the figures. One that is not
 * stored yet is no fault, unless it cannot be made.
 */
export async function findEstimateFaults(
  ledger: LedgerReader,
  span: Span,
): Promise<EstimateFault[]> {
  const { estimates, unexpected, missing: all } = await estimateAgain(ledger, span);
  const unmakeable = await readUnmakeable(ledger, seqsOf(all));
  const until = await storedUntil(ledger);
  const missing = all.filter(({ seq }) => seq <= until || unmakeable.has(seq));
  return [
    ...estimates.flatMap(rowFaults),
    ...unexpected.map((row) => wholeRow('unexpected', row)),
    ...missing.map((row) => wholeRow('missing', row)),
  ];
}

interface Compared<Row extends EstimateBasis> {
  readonly row: Row;
  readonly decision: RecordedRow;
  readonly linked: LinkedMoney | null;
  /** Confidences that were neutral at some time. */
  readonly neutral: ReadonlySet<number>;
  readonly isErased: boolean;
}

function againOf<Row extends EstimateBasis>(
  model: EstimationModel,
  compared: Compared<Row>,
): EstimatedAgain<Row> {
  const { row, decision, linked, isErased } = compared;
  const read = riskOf(model, decision);
  const risk = isErased ? keptRisk(model, row) : read;
  const known = { ...decision, confidence: confidenceOf(compared, read.weighedConfidence) };
  return {
    ...{ row, decision, isErased },
    copy: expectedCopy(known, risk),
    figures: estimatedAgain(model, { row, decision: known, risk, linked }),
  };
}

/**
 * A fixed confidence was replaced by the one that was neutral when the decision was recorded.
 * @param weighed the one that is neutral in the snapshot of the estimate; null for a confidence that is not fixed
 */
function confidenceOf(
  { row, decision, neutral, isErased }: Compared<EstimateBasis>,
  weighed: number | null,
): number {
  const isReplaced = (isErased || weighed !== null) && neutral.has(row.confidence);
  if (isReplaced || row.confidence === decision.confidence) return row.confidence;
  return isErased ? decision.confidence : (weighed ?? decision.confidence);
}

export function rowFaults(again: EstimatedAgain): EstimateFault[] {
  const { row, decision, figures } = again;
  const about = { seq: decision.seq, decisionId: decision.decision_id };
  const copy = figureDifferences(comparable(again.copy), comparable(storedCopy(row)), Object.is);
  return [
    ...copy.map((difference) => ({ ...about, kind: 'copy' as const, ...difference })),
    ...figureDifferences(comparedFigures(figures), comparedFigures(storedFigures(row)), isNear).map(
      (difference) => ({
        ...{ ...about, kind: 'figure' as const },
        ...difference,
      }),
    ),
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
function keptRisk({ risk }: EstimationModel, row: EstimateBasis): Risk {
  const { oversight, provenance, stated_amount: amount, stated_currency, denied, variant } = row;
  const stated = amount === null ? null : { amount, currency: stated_currency };
  return { oversight, provenance, stated, isDenied: denied, variant, reading: risk.reading };
}

/** What an estimate keeps of its decision, and of the facts that it states. */
type Copy = ReturnType<typeof storedCopy>;

function expectedCopy(decision: RecordedRow, { oversight, stated, ...risk }: Risk): Copy {
  const { decision_id, agent_id, action_type, confidence, timestamp } = decision;
  return {
    ...{ decision_id, agent_id, action_type, confidence, timestamp, oversight },
    ...{ variant: risk.variant, denied: risk.isDenied, reading: risk.reading },
    provenance: risk.provenance,
    stated_amount: stated?.amount ?? null,
    stated_currency: stated?.currency ?? null,
  };
}

function storedCopy(row: StoredEstimate) {
  const { decision_id, agent_id, action_type, confidence, timestamp, oversight } = row;
  const { variant, denied, reading, provenance, stated_amount, stated_currency } = row;
  return {
    ...{ decision_id, agent_id, action_type, confidence, timestamp, oversight, variant, denied },
    ...{ reading, provenance, stated_currency, stated_amount },
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
