import type { LedgerReader } from '../../../platform/ledger.js';
import { differences, estimatedAgain, isNear, shown, type Values } from './compare-figures.js';
import type { LinkedMoney } from './estimate-decision.js';
import { openModels } from './models.js';
import { riskOf } from './recorded-risk.js';
import { linkedMoney } from './reestimate.js';
import type { Risk } from './rules/risk.js';
import type { Figures } from './store/estimate-columns.js';
import { selectLinkedMoney } from './store/link-allocations.js';
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

/**
 * Estimates decisions again, with the snapshot and as of the time of each stored estimate, and compares
 * what is stored: the copy of the decision, the facts that it states, and the figures.
 * @param erased decisions (seq) of which fields were erased: the facts that were read before remain
 */
export async function findEstimateFaults(
  ledger: LedgerReader,
  span: Span,
  erased: ReadonlySet<number>,
): Promise<EstimateFault[]> {
  const stored = await selectStoredEstimates(ledger, span);
  const decisions = new Map((await selectRecorded(ledger, span)).map((row) => [row.seq, row]));
  const models = await openModels(
    ledger,
    stored.map(({ snapshot_id }) => snapshot_id),
  );
  const money = await selectLinkedMoney(ledger, span);
  const neutral = new Set(await selectNeutral(ledger));
  const faults: EstimateFault[] = [];
  for (const row of stored) {
    const { seq } = row;
    const decision = decisions.get(seq);
    const model = models.get(row.snapshot_id);
    decisions.delete(seq);
    if (decision === undefined || model === undefined) {
      faults.push(wholeRow('unexpected', row));
      continue;
    }
    const own = money.filter((sum) => sum.seq === seq);
    const linked = linkedMoney(model, own).get(seq) ?? null;
    faults.push(...rowFaults(model, { row, decision, linked, neutral, isErased: erased.has(seq) }));
  }
  return [...faults, ...[...decisions.values()].map((row) => wholeRow('missing', row))];
}

interface Compared {
  readonly row: StoredEstimate;
  readonly decision: RecordedRow;
  readonly linked: LinkedMoney | null;
  /** Confidences that were neutral at some time. */
  readonly neutral: ReadonlySet<number>;
  readonly isErased: boolean;
}

function rowFaults(model: Model, compared: Compared): EstimateFault[] {
  const { row, decision, linked, neutral, isErased } = compared;
  const read = riskOf(model, decision);
  const risk = isErased ? keptRisk(model, row) : read;
  // A fixed confidence was replaced by the one that was neutral when the decision was recorded.
  const isReplaced = (isErased || read.weighedConfidence !== null) && neutral.has(row.confidence);
  const known = isReplaced ? { ...decision, confidence: row.confidence } : decision;
  const { seq, decision_id: decisionId } = decision;
  const about = { seq, decisionId };
  const copy = differences(expectedCopy(known, risk), storedCopy(row), Object.is);
  const figures = shown(estimatedAgain(model, { row, decision: known, risk, linked }));
  return [
    ...copy.map((difference) => ({ ...about, kind: 'copy' as const, ...difference })),
    ...differences(figures, shown(storedFigures(row)), isNear).map((difference) => ({
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

function expectedCopy(decision: RecordedRow, { oversight, stated, ...risk }: Risk): Values {
  const { decision_id, agent_id, action_type, confidence, timestamp } = decision;
  return {
    ...{ decision_id, agent_id, action_type, confidence, timestamp, oversight },
    ...{ variant: risk.variant, denied: risk.isDenied, reading: risk.reading },
    stated_amount: stated === null ? null : Number(stated.amount),
    stated_currency: stated?.currency ?? null,
  };
}

function storedCopy(row: StoredEstimate): Values {
  const { decision_id, agent_id, action_type, confidence, timestamp, oversight } = row;
  const { variant, denied, reading, stated_amount, stated_currency } = row;
  return {
    ...{ decision_id, agent_id, action_type, confidence, timestamp, oversight, variant, denied },
    ...{ reading, stated_currency },
    stated_amount: stated_amount === null ? null : Number(stated_amount),
  };
}

function storedFigures(row: StoredEstimate): Figures {
  return { stake: Number(row.stake), events: row.events, sizes: Number(row.sizes), estimate: row };
}
