import { Big } from 'big.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import {
  comparedFigures,
  type Difference,
  estimatedAgain,
  figureDifferences,
  isAsNear,
  isNear,
} from './compare-figures.js';
import type { LinkedMoney } from './describe.js';
import { openModels } from './models.js';
import { riskOf } from './recorded-risk.js';
import {
  type EarlierEstimate,
  type StoredEstimate,
  selectEarlier,
  selectLinkedSeqs,
  selectStoredEstimates,
} from './store/stored-rows.js';
import { type RecordedRow, selectRecorded } from './store/subjects.js';
import type { EstimationModel } from './stored-snapshot.js';

/** Earlier estimates of a decision that are not what the decision and their snapshots make them. */
export interface HistoryFault {
  readonly seq: number;
  /** UUID. */
  readonly decisionId: string;
  /** Of missing estimates the first and the last one. */
  readonly revisions: readonly [first: number, last: number];
  readonly kind: 'missing' | 'unexpected' | 'figure';
  /** Null: the whole row. */
  readonly column: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

export interface HistoryFaults {
  readonly faults: readonly HistoryFault[];
  /** How many estimates have a column that nothing proves. */
  readonly unproven: ReadonlyMap<string, number>;
}

/**
 * Makes earlier estimates again, with their snapshots and as of their times. What links moved then is not
 * known any more, so these amounts are taken as they are for decisions that have or had links.
 * @param span decisions by seq: `after` exclusive, `until` inclusive
 */
export async function findHistoryFaults(
  ledger: LedgerReader,
  span: { readonly after: number; readonly until: number },
): Promise<HistoryFaults> {
  const stored = await selectStoredEstimates(ledger, span);
  const history = grouped(await selectEarlier(ledger, span));
  const faults = stored.flatMap((current) => missingOf(current, history.get(current.seq) ?? []));
  const unproven = new Map<string, number>();
  if (history.size === 0) return { faults, unproven };
  const decisions = new Map((await selectRecorded(ledger, span)).map((row) => [row.seq, row]));
  const current = new Map(stored.map((row) => [row.seq, row]));
  const ids = [...history.values()].flat().map(({ snapshot_id }) => snapshot_id);
  const models = await openModels(ledger, ids);
  const linked = await selectLinkedSeqs(ledger, span);
  for (const [seq, rows] of history) {
    const [now, decision] = [current.get(seq), decisions.get(seq)];
    if (decision === undefined) continue;
    for (const row of rows) {
      const model = models.get(row.snapshot_id);
      if (now === undefined || row.revision >= now.revision || model === undefined) {
        faults.push(wholeRow('unexpected', decision, [row.revision, row.revision]));
        continue;
      }
      const taken = linked.has(seq) ? takenOf(row) : [];
      for (const column of taken) unproven.set(column, (unproven.get(column) ?? 0) + 1);
      faults.push(...rowFaults(model, { row, decision, now, isLinked: linked.has(seq) }));
    }
  }
  return { faults, unproven };
}

function takenOf({ amount_basis }: EarlierEstimate): readonly string[] {
  return amount_basis === 'linked'
    ? ['realised', 'unconverted', 'amount_at_risk']
    : ['realised', 'unconverted'];
}

interface Compared {
  readonly row: EarlierEstimate;
  readonly decision: RecordedRow;
  readonly now: StoredEstimate;
  readonly isLinked: boolean;
}

function rowFaults(
  model: EstimationModel,
  { row, decision, now, isLinked }: Compared,
): HistoryFault[] {
  // A confidence that was replaced when the decision was recorded is kept in the current estimate.
  const known = { ...decision, confidence: now.confidence };
  const risk = riskOf(model, decision);
  const estimation = { row, decision: known, risk, linked: isLinked ? moneyOf(row) : null };
  const {
    stake: _,
    events: __,
    sizes: ___,
    ...expected
  } = comparedFigures(estimatedAgain(model, estimation));
  const figures = { stake: 0, events: 0, sizes: 0, estimate: { ...row, version: model.version } };
  const { seq, decision_id: decisionId } = decision;
  const found = figureDifferences(expected, comparedFigures(figures), isLinked ? isAsNear : isNear);
  return found
    .filter(({ column }) => !(isLinked && column === 'unconverted'))
    .map((difference: Difference) => ({
      ...{ seq, decisionId, kind: 'figure' as const },
      ...{ revisions: [row.revision, row.revision] as const },
      ...difference,
    }));
}

/** What the links of a decision moved according to the estimate itself. */
function moneyOf({ amount_basis, amount_at_risk, realised }: EarlierEstimate): LinkedMoney {
  const linked = new Big(amount_basis === 'linked' ? amount_at_risk : 0);
  return { linked, lost: new Big(realised), unconverted: 0, isConverted: false };
}

/** Each revision before the current one has a row. */
function missingOf(now: StoredEstimate, rows: readonly EarlierEstimate[]): HistoryFault[] {
  const faults: HistoryFault[] = [];
  let next = 0;
  for (const { revision } of [...rows, { revision: now.revision }]) {
    if (revision > now.revision) break;
    if (revision > next) faults.push(wholeRow('missing', now, [next, revision - 1]));
    next = revision + 1;
  }
  return faults;
}

function wholeRow(
  kind: 'missing' | 'unexpected',
  { seq, decision_id }: Pick<RecordedRow, 'seq' | 'decision_id'>,
  revisions: readonly [number, number],
): HistoryFault {
  const nothing = { column: null, expected: null, actual: null };
  return { kind, seq, decisionId: decision_id, revisions, ...nothing };
}

function grouped(rows: readonly EarlierEstimate[]): ReadonlyMap<number, EarlierEstimate[]> {
  const bySeq = new Map<number, EarlierEstimate[]>();
  for (const row of rows) {
    const known = bySeq.get(row.seq);
    if (known === undefined) bySeq.set(row.seq, [row]);
    else known.push(row);
  }
  return bySeq;
}
