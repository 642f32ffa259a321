import {
  AFTER_EVENT_MS,
  HOLDER_REACH_MS,
  windowMs,
} from '@decision-ledger/attribution/candidate-search';
import { extractFeatures } from '@decision-ledger/attribution/extraction';
import { sampleWeight } from '@decision-ledger/attribution/frequencies';
import {
  countedTokens,
  type HashedFeatures,
  hasher,
  hashFeatures,
  idTokens,
  lookupTokens,
  moneyTokens,
} from '@decision-ledger/attribution/hashed-features';
import { canonicalOf } from '@decision-ledger/attribution/identifiers';
import { isUndone, outcomeReader, type ReadOutcome } from '@decision-ledger/contract/outcome';
import type { Settings } from '@decision-ledger/contract/settings';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { statedValue } from '@decision-ledger/proof/upload';
import type { LogFollower } from '../../../platform/followers/follower.js';
import { OutdatedError } from '../../../platform/followers/step.js';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { readSettings } from '../../access/settings/index.js';
import { otherTokens } from './candidates.js';
import { newestScoringModel } from './models.js';
import { packFeatures } from './rules/packed-features.js';
import {
  countFields,
  type DecisionFieldsRow,
  FEATURES,
  type FeatureRow,
  insertFeatures,
  selectDecisionFields,
} from './store/decision-features.js';
import {
  type HeldToken,
  insertWaitingBetween,
  insertWaitingNaming,
  type TimeSpan,
} from './store/events-to-score.js';
import { lockAttributionState } from './store/models.js';
import { addFrequencies, type HoldingDecision, insertDecisionTokens } from './store/tokens.js';

/** Keeps decisions comparable with events. Events that a new decision may have caused are scored again. */
export const featureFollower: LogFollower = {
  name: FEATURES,
  kind: 'projection',
  follows: ['decisions'],
  owns: ['decision_features', 'decision_tokens', 'token_frequencies'],
  lane: 'heavy',
  step: 800,
  async advance(ledger, { after, until }) {
    const settings = await readSettings(ledger);
    const reading = readingOf(ledger.scope, settings);
    const counts = new Map<number, number>();
    const rows: FeatureRow[] = [];
    let fields = 0;
    for (let seq = after; seq < until; ) {
      const page = await selectDecisionFields(ledger, seq, until);
      rows.push(...(await mapInTurns(page.rows, (row) => toFeatures(reading, row, counts))));
      fields += page.rows.reduce((sum, row) => sum + row.fields, 0);
      seq = page.rows.at(-1)?.seq ?? until;
    }
    const windowMs = await selectWindow(ledger, settings);
    return {
      async write(tx) {
        await lockAttributionState(tx);
        // A field may have been erased after it was read.
        if ((await countFields(tx, after, until)) !== fields) throw new OutdatedError();
        await keep(tx, { rows, counts, windowMs });
      },
    };
  },
};

/** How long after a decision an event is attributed to it, in ms. */
export async function selectWindow(ledger: LedgerReader, settings: Settings): Promise<number> {
  const { snapshot } = await newestScoringModel(ledger, settings);
  return windowMs(settings.attribution, snapshot);
}

interface Extraction {
  readonly rows: readonly FeatureRow[];
  /** Decisions by token. */
  readonly counts: ReadonlyMap<number, number>;
  readonly windowMs: number;
}

async function keep(tx: LedgerWriter, { rows, counts, windowMs: window }: Extraction) {
  if (rows.length === 0) return;
  // Sent together: with many requests beside it, a round trip takes longer than most of these statements.
  await Promise.all([
    insertFeatures(tx, rows),
    insertDecisionTokens(tx, rows.map(toHolding)),
    counts.size > 0 && addFrequencies(tx, counts),
    letWait(tx, rows, window),
  ]);
}

/** Lets the events be scored that decisions may have caused. */
export async function letWait(
  tx: LedgerWriter,
  rows: readonly FeatureRow[],
  window: number,
): Promise<void> {
  const times = rows.map(({ timestamp }) => timestamp);
  await Promise.all([
    insertWaitingBetween(tx, spansOf(times, window)),
    insertWaitingNaming(tx, heldTokens(rows)),
  ]);
}

export function toHolding({ seq, timestamp, ids }: FeatureRow): HoldingDecision {
  return { seq, timestamp, tokens: ids };
}

/** When an event may follow one of the decisions: spans that do not overlap. */
function spansOf(times: readonly number[], windowMs: number): TimeSpan[] {
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

/** What the decisions of a ledger are read with. */
export interface Reading {
  readonly ledgerId: string;
  readonly outcomeOf: ReadOutcome;
}

export function readingOf({ ledgerId }: Scope, { liability }: Settings): Reading {
  return { ledgerId, outcomeOf: outcomeReader(liability.outcomes) };
}

/** @param counts decisions by token; the tokens of this decision are added */
export function toFeatures(
  { ledgerId, outcomeOf }: Reading,
  row: DecisionFieldsRow,
  counts: Map<number, number>,
): FeatureRow {
  const payload = {
    metadata: readField('metadata', row.metadata),
    inputs: statedValue(readField('inputs', row.inputs)),
    outputs: statedValue(readField('outputs', row.outputs)),
    alternatives: readField('alternatives', row.alternatives),
  };
  const features = hashFeatures(ledgerId, extractFeatures(payload));
  const ids = idTokens(features);
  addCounts(counts, features, sampleWeight(row.seq, row.decision_id));
  return {
    seq: row.seq,
    decisionId: row.decision_id,
    agentId: row.agent_id,
    actionType: row.action_type,
    timestamp: row.timestamp,
    saysItFailed: isUndone(outcomeOf({ ...payload, action_type: row.action_type })),
    ids,
    tokens: [...otherTokens(lookupTokens(features), ids), ...moneyTokens(features)],
    features: packFeatures(features),
  };
}

/** None of a decision that the follower passes over. */
export function legibleFeatures(reading: Reading, row: DecisionFieldsRow): FeatureRow[] {
  try {
    return [toFeatures(reading, row, new Map())];
  } catch {
    return [];
  }
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
  return disclosure === null ? null : JSON.parse(parseDisclosure(disclosure, name).value);
}

/** The token under which decisions that hold an identifier are indexed. */
export function identifierToken(ledgerId: string, text: string): number {
  return hasher(ledgerId)('id', canonicalOf(text));
}
