import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { PayloadRisk } from '@decision-ledger/liability/risk';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { UnmakeableError } from '../../../platform/projections/projection.js';
import type { DecisionTimes, FirstEstimates, FirstModel } from '../../record/hooks/index.js';
import { describeEstimate, estimateDecision, toFigures } from './describe.js';
import { type LiabilityModels, openNamed } from './models.js';
import { riskOf } from './recorded-risk.js';
import type { Figures } from './store/estimate-columns.js';
import type { NewEstimate, WhichDecisions } from './store/estimates.js';
import { type DecisionSnapshotRow, decisionPages } from './store/subjects.js';
import type { EstimationModel } from './stored-snapshot.js';

/** First estimates with the newest model of each ledger. */
export function firstEstimates(models: LiabilityModels): FirstEstimates {
  return { open: async (scope) => firstModel(await models.get(scope)) };
}

export function firstModel(model: EstimationModel): FirstModel {
  return {
    snapshot: model.snapshotId,
    estimate: (body, times) =>
      describeEstimate(firstFigures(model, stated(model, body, times)).estimate),
  };
}

function stated(model: EstimationModel, body: DecisionBody, times: DecisionTimes): Decided {
  return {
    agentId: body.agent_id,
    actionType: body.action_type,
    confidence: body.confidence,
    timestamp: times.timestamp,
    createdAt: times.createdAt,
    risk: model.risk.read(body),
  };
}

/** First estimates of a page of decisions. */
export interface FirstPage {
  readonly made: readonly NewEstimate[];
  /** Decisions (seqs) whose estimate cannot be made, because the snapshot that they name is gone or damaged. */
  readonly unmade: readonly number[];
  /** The last decision of the page. */
  readonly until: number;
}

/**
 * The first estimates of recorded decisions, page by page in the order of the chain: each from its own snapshot
 * and as of its recording, so that they are the same whenever they are made.
 */
export async function* firstEstimatePages(
  ledger: LedgerReader,
  which: WhichDecisions,
): AsyncGenerator<FirstPage> {
  for await (const rows of decisionPages(ledger, which)) yield await pageOf(ledger, rows);
}

async function pageOf(
  ledger: LedgerReader,
  rows: readonly DecisionSnapshotRow[],
): Promise<FirstPage> {
  const models = await openNamed(ledger, rows);
  const unmade: number[] = [];
  const made: NewEstimate[] = [];
  await mapInTurns(rows, (row) => {
    const model = models.get(row.estimate_snapshot);
    if (model === undefined) unmade.push(row.seq);
    else made.push(estimateRecorded(model, row, riskOf(model, row)));
  });
  return { made, unmade, until: rows.at(-1)?.seq ?? 0 };
}

/**
 * The same at once.
 * @throws UnmakeableError if one cannot be made
 */
export async function readFirstEstimates(
  ledger: LedgerReader,
  which: WhichDecisions,
): Promise<NewEstimate[]> {
  const all: NewEstimate[] = [];
  for await (const { made, unmade } of firstEstimatePages(ledger, which)) {
    const [seq] = unmade;
    if (seq !== undefined) throw unmakeable(seq);
    all.push(...made);
  }
  return all;
}

export function unmakeable(seq: number): UnmakeableError {
  return new UnmakeableError(
    `the snapshot of decision ${seq} is missing or damaged: restore a backup`,
  );
}

/** Those that can be made, for answers that do not depend on all of them. */
export async function readMakeable(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<NewEstimate[]> {
  const all: NewEstimate[] = [];
  for await (const { made } of firstEstimatePages(ledger, { seqs })) all.push(...made);
  return all;
}

/** Those (seqs) that cannot be made. */
export async function readUnmakeable(
  ledger: LedgerReader,
  seqs: Iterable<number>,
): Promise<ReadonlySet<number>> {
  const all = new Set<number>();
  for await (const { unmade } of firstEstimatePages(ledger, { seqs: [...seqs] })) {
    for (const seq of unmade) all.add(seq);
  }
  return all;
}

/** Of decisions (seqs), those that have no stored estimate. */
export function withoutStored(
  seqs: readonly number[],
  stored: readonly { readonly seq: number }[],
): readonly number[] {
  if (stored.length === seqs.length) return [];
  const known = new Set(stored.map(({ seq }) => seq));
  return seqs.filter((seq) => !known.has(seq));
}

/** What a first estimate follows from. */
interface Decided extends DecisionTimes {
  readonly agentId: string;
  readonly actionType: string;
  readonly confidence: number;
  readonly risk: PayloadRisk;
}

/** Each member of the objects is named: on this path, spreading costs more than the estimate. */
function estimateRecorded(
  model: EstimationModel,
  row: DecisionSnapshotRow,
  risk: PayloadRisk,
): NewEstimate {
  const decided = {
    agentId: row.agent_id,
    actionType: row.action_type,
    confidence: row.confidence,
    timestamp: row.timestamp,
    createdAt: row.created_at,
    risk,
  };
  const { stake, events, sizes, estimate } = firstFigures(model, decided);
  return {
    seq: row.seq,
    decisionId: row.decision_id,
    agentId: row.agent_id,
    actionType: row.action_type,
    timestamp: row.timestamp,
    confidence: risk.weighedConfidence ?? row.confidence,
    oversight: risk.oversight,
    provenance: risk.provenance,
    stated: risk.stated,
    isDenied: risk.isDenied,
    variant: risk.variant,
    reading: risk.reading,
    snapshotId: model.snapshotId,
    stake,
    events,
    sizes,
    estimate,
  };
}

function firstFigures(model: EstimationModel, decided: Decided): Figures {
  const { agentId, actionType, timestamp, createdAt, risk } = decided;
  const subject = {
    agentId,
    actionType,
    confidence: risk.weighedConfidence ?? decided.confidence,
    timestamp,
    oversight: risk.oversight,
    provenance: risk.provenance,
    stated: risk.stated,
    isDenied: risk.isDenied,
    variant: risk.variant,
    reading: risk.reading,
  };
  return toFigures(model, estimateDecision(model, subject, null, createdAt), 0, createdAt);
}
