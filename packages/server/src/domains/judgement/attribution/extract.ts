import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/scope.js';
import { HOLDER_REACH_MS, otherTokens } from './candidates.js';
import { AFTER_EVENT_MS } from './rules/compared.js';
import { extractFeatures, saysItFailed } from './rules/features.js';
import {
  countedTokens,
  type HashedFeatures,
  hashFeatures,
  idTokens,
  lookupTokens,
  moneyTokens,
} from './rules/hashed.js';
import { packFeatures } from './rules/packed.js';
import { sampleWeight } from './rules/sample.js';
import { lockState, selectState, updateState } from './store/attribution-states.js';
import {
  countFields,
  type DecisionRow,
  type FeatureRow,
  insertFeatures,
  selectNewDecisions,
} from './store/decision-features.js';
import { type HoldingDecision, insertDecisionTokens } from './store/decision-tokens.js';
import {
  type HeldToken,
  insertWaitingBetween,
  insertWaitingNaming,
  type Span,
} from './store/events-to-score.js';
import { addFrequencies } from './store/token-frequencies.js';

/** Decisions per transaction. */
const STEP = 250;

/**
 * Extracts the features of new decisions in the order of the chain. Events that a new decision may
 * have caused are correlated again.
 * @param windowMs how long after a decision an event is attributed to it
 */
export async function extractNewFeatures(
  ledger: Ledger,
  windowMs: number,
  signal: AbortSignal,
): Promise<void> {
  let isBehind = true;
  while (isBehind && !signal.aborted) {
    const { features_seq: after } = await selectState(ledger);
    const { rows, hasMore } = await selectNewDecisions(ledger, after, STEP);
    const isKept = rows.length === 0 || (await keep(ledger, { after, rows, windowMs }));
    isBehind = hasMore || !isKept;
  }
}

interface Extraction {
  readonly after: number;
  readonly rows: readonly DecisionRow[];
  readonly windowMs: number;
}

/** @returns false if a field was erased after the decisions were read: they must be read again */
async function keep(ledger: Ledger, { after, rows, windowMs }: Extraction): Promise<boolean> {
  const counts = new Map<number, number>();
  const features = await mapInTurns(rows, (row) => toFeatures(ledger.scope, row, counts));
  const spans = spansOf(
    rows.map(({ timestamp }) => timestamp),
    windowMs,
  );
  const until = rows.at(-1)?.seq ?? after;
  const fields = rows.reduce((sum, row) => sum + row.fields, 0);
  return ledger.write(async (tx) => {
    // Another process may have extracted them.
    const { features_seq } = await lockState(tx);
    if (features_seq !== after) return true;
    if ((await countFields(tx, after, until)) !== fields) return false;
    await insertFeatures(tx, features);
    await insertDecisionTokens(tx, features.map(toHolding));
    if (counts.size > 0) await addFrequencies(tx, counts);
    await insertWaitingBetween(tx, spans);
    await insertWaitingNaming(tx, heldTokens(features));
    await updateState(tx, until);
    return true;
  });
}

export function toHolding({ seq, timestamp, ids }: FeatureRow): HoldingDecision {
  return { seq, timestamp, tokens: ids };
}

/** When an event may follow one of the decisions: spans that do not overlap. */
function spansOf(times: readonly number[], windowMs: number): Span[] {
  const spans: { from: number; to: number }[] = [];
  for (const time of [...times].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    const next = { from: time - AFTER_EVENT_MS, to: time + windowMs };
    if (last !== undefined && next.from <= last.to) last.to = next.to;
    else spans.push(next);
  }
  return spans;
}

/** When an event that names an identifier of a decision may follow it. */
function heldTokens(features: readonly FeatureRow[]): HeldToken[] {
  return features.flatMap(({ timestamp, ids }) =>
    ids.map((token) => ({
      token,
      from: timestamp - AFTER_EVENT_MS,
      to: timestamp + HOLDER_REACH_MS,
    })),
  );
}

/** @param counts decisions by token; the tokens of this decision are added */
export function toFeatures(
  scope: Scope,
  row: DecisionRow,
  counts: Map<number, number>,
): FeatureRow {
  const outputs = readField('outputs', row.outputs);
  const features = hashFeatures(
    scope.ledgerId,
    extractFeatures({
      metadata: readField('metadata', row.metadata),
      inputs: readField('inputs', row.inputs),
      outputs,
      alternatives: readField('alternatives', row.alternatives),
    }),
  );
  const ids = idTokens(features);
  addCounts(counts, features, sampleWeight(row.seq, row.decision_id));
  return {
    seq: row.seq,
    decisionId: row.decision_id,
    agentId: row.agent_id,
    actionType: row.action_type,
    timestamp: row.timestamp,
    saysItFailed: saysItFailed(outputs),
    ids,
    tokens: [...otherTokens(lookupTokens(features), ids), ...moneyTokens(features)],
    features: packFeatures(features),
  };
}

export function addCounts(
  counts: Map<number, number>,
  features: HashedFeatures,
  weight: number,
): void {
  if (weight === 0) return;
  for (const token of countedTokens(features)) {
    counts.set(token, (counts.get(token) ?? 0) + weight);
  }
}

function readField(name: string, disclosure: string | null): JsonValue {
  return disclosure === null ? null : disclosedValue(disclosure, name);
}
