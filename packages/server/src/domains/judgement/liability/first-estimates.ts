import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { PayloadRisk } from '@decision-ledger/liability/risk';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { DecisionTimes, FirstEstimates, FirstModel } from '../../record/hooks/index.js';
import { describeEstimate, toFigures } from './describe.js';
import { estimateDecision } from './estimate-decision.js';
import { type LiabilityModels, openNamed } from './models.js';
import { riskOf } from './recorded-risk.js';
import type { Figures } from './store/estimate-columns.js';
import type { NewEstimate, WhichDecisions } from './store/estimates.js';
import { type DecidedRow, selectDecided } from './store/subjects.js';
import type { Model } from './stored-snapshot.js';

/** First estimates with the newest model of each ledger. */
export function firstEstimates(models: LiabilityModels): FirstEstimates {
  return { open: async (scope) => firstModel(await models.get(scope)) };
}

export function firstModel(model: Model): FirstModel {
  return {
    snapshot: model.snapshotId,
    estimate: (body, times) =>
      describeEstimate(firstFigures(model, stated(model, body, times)).estimate),
  };
}

function stated(model: Model, body: DecisionBody, times: DecisionTimes): Decided {
  return {
    agentId: body.agent_id,
    actionType: body.action_type,
    confidence: body.confidence,
    timestamp: times.timestamp,
    createdAt: times.createdAt,
    risk: model.risk.read(body),
  };
}

/**
 * The first estimates of recorded decisions, page by page in the order of the chain: each from its own snapshot
 * and as of its recording, so that they are the same whenever they are made.
 */
export async function* firstEstimatePages(
  ledger: LedgerReader,
  which: WhichDecisions,
): AsyncGenerator<readonly NewEstimate[]> {
  for (let after = 0, hasMore = true; hasMore; ) {
    const page = await selectDecided(ledger, which, after);
    const { rows } = page;
    const models = await openNamed(ledger, rows);
    yield await mapInTurns(rows, (row) => firstEstimate(modelOf(models, row), row));
    after = rows.at(-1)?.seq ?? after;
    ({ hasMore } = page);
  }
}

/** The same at once. */
export async function readFirstEstimates(
  ledger: LedgerReader,
  which: WhichDecisions,
): Promise<NewEstimate[]> {
  const all: NewEstimate[] = [];
  for await (const page of firstEstimatePages(ledger, which)) all.push(...page);
  return all;
}

/** The estimates of those decisions that have no stored one. */
export async function readMissing(
  ledger: LedgerReader,
  seqs: readonly number[],
  stored: readonly { readonly seq: number }[],
): Promise<readonly NewEstimate[]> {
  if (stored.length === seqs.length) return [];
  const known = new Set(stored.map(({ seq }) => seq));
  return readFirstEstimates(ledger, { seqs: seqs.filter((seq) => !known.has(seq)) });
}

function modelOf(
  models: ReadonlyMap<number, Model>,
  { seq, estimate_snapshot }: DecidedRow,
): Model {
  const model = models.get(estimate_snapshot);
  if (model === undefined) throw new Error(`the snapshot of decision ${seq} is missing`);
  return model;
}

/** What a first estimate follows from. */
interface Decided extends DecisionTimes {
  readonly agentId: string;
  readonly actionType: string;
  readonly confidence: number;
  readonly risk: PayloadRisk;
}

/** Each member of the objects is named: on this path, spreading costs more than the estimate. */
function firstEstimate(model: Model, row: DecidedRow): NewEstimate {
  const risk = riskOf(model, row);
  const { stake, events, sizes, estimate } = firstFigures(model, {
    agentId: row.agent_id,
    actionType: row.action_type,
    confidence: row.confidence,
    timestamp: row.timestamp,
    createdAt: row.created_at,
    risk,
  });
  return {
    seq: row.seq,
    decisionId: row.decision_id,
    agentId: row.agent_id,
    actionType: row.action_type,
    timestamp: row.timestamp,
    confidence: risk.weighedConfidence ?? row.confidence,
    oversight: risk.oversight,
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

function firstFigures(model: Model, decided: Decided): Figures {
  const { agentId, actionType, timestamp, createdAt, risk } = decided;
  const subject = {
    agentId,
    actionType,
    confidence: risk.weighedConfidence ?? decided.confidence,
    timestamp,
    oversight: risk.oversight,
    stated: risk.stated,
    isDenied: risk.isDenied,
    variant: risk.variant,
    reading: risk.reading,
  };
  return toFigures(model, estimateDecision(model, subject, null, createdAt), 0, createdAt);
}
