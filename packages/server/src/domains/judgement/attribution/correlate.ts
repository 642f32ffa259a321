import type { MoneySignSettings } from '@decision-ledger/contract/money-signs';
import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { readSettings } from '../../access/settings/index.js';
import { classify } from '../money-signs/index.js';
import { findCandidates, windowMs } from './candidates.js';
import { extractNewFeatures } from './extract.js';
import { readKnowledge } from './knowledge.js';
import { extractFeatures } from './rules/features.js';
import { hasher, hashFeatures, lookupTokens, unpackFeatures } from './rules/hashed.js';
import type { Knowledge } from './rules/knowledge.js';
import { labelOf } from './rules/label.js';
import { normaliseAmount } from './rules/normalise.js';
import { type ComparedEvent, describeScore, reviewPriority, suggest } from './rules/suggest.js';
import { type AttributionState, lockState, selectState } from './store/attribution-states.js';
import {
  type EventRow,
  lockWaitingEvents,
  selectNewEvents,
  updateCorrelated,
} from './store/financial-events.js';
import { type LinkRow, selectLinksOfEvents } from './store/link-reviews.js';
import type { CandidateRow } from './store/select-candidates.js';
import { selectFrequencies } from './store/token-frequencies.js';
import type { SuggestedLinks, WriteSuggestions } from './suggested-link.js';

export interface CorrelateTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly writeSuggestions: WriteSuggestions;
}

/** Events per transaction. */
const STEP = 50;

/**
 * Extracts the features of new decisions, then suggests links for the events that wait, oldest first.
 * An interrupted run is continued by the next one.
 */
export async function correlateNewEvents(
  tools: CorrelateTools,
  scope: Scope,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = tools;
  const knowledge = await readKnowledge(db, clock, scope);
  const window = windowMs(knowledge.longestHalfLifeHours);
  const { attribution: signs } = await readSettings(db, scope);
  await extractNewFeatures(db, scope, window, signal);
  let found = 1;
  while (found > 0 && !signal.aborted) {
    const events = await selectNewEvents(db, scope, STEP);
    found = events.length;
    if (found > 0) await correlateEvents(tools, scope, events, { knowledge, window, signs });
  }
}

interface Context {
  readonly knowledge: Knowledge;
  /** ms. */
  readonly window: number;
  readonly signs: MoneySignSettings;
}

async function correlateEvents(
  tools: CorrelateTools,
  scope: Scope,
  events: readonly EventRow[],
  { knowledge, window, signs }: Context,
): Promise<void> {
  const { db } = tools;
  const compared = events.map((event) => toCompared(scope, event));
  const tokens = new Set(compared.flatMap(({ features }) => lookupTokens(features)));
  const amounts = compared.flatMap(({ amountToken }) => amountToken ?? []);
  const state = await selectState(db, scope);
  const frequencies = {
    decisions: state.features_seq,
    byToken: await selectFrequencies(db, scope, [...tokens, ...amounts]),
  };
  const links = await selectLinksOfEvents(
    db,
    scope,
    events.map(({ event_id }) => event_id),
  );
  const found = await Promise.all(
    compared.map((event) =>
      findCandidates(db, scope, {
        eventTime: event.timestamp,
        windowMs: window,
        tokens: lookupTokens(event.features),
        frequencies: frequencies.byToken,
        decisions: frequencies.decisions,
      }),
    ),
  );
  const suggestions = events.map((event, index): Suggestions => {
    const own = links.filter(({ event_id }) => event_id === event.event_id);
    const about = compared[index];
    const decisions = comparable(found[index] ?? [], own);
    const suggested =
      about === undefined ? [] : suggest(about, decisions, unclaimed(own), frequencies, knowledge);
    const { link_type: linkType, reversal } = classify(signs, event);
    return {
      eventId: event.event_id,
      considered: own,
      suggested: suggested.map((suggestion) => ({
        decisionId: suggestion.decisionId,
        strength: suggestion.strength,
        linkType,
        reversal,
        label: labelOf(suggestion.score),
        reviewPriority: reviewPriority(suggestion.strength, about?.magnitude ?? null),
        score: describeScore(suggestion, knowledge, (decisionId) => uuidToId('dec', decisionId)),
      })),
    };
  });
  await write(tools, scope, suggestions, state);
}

interface Suggestions extends SuggestedLinks {
  /** The links of the event when it was scored. */
  readonly considered: readonly LinkRow[];
}

/**
 * Writes the suggestions. An event that has changed since it was scored is left to the next run. After
 * a new decision or an erasure, all events are, because their candidates may differ.
 * @param before the state when the candidates were found
 */
async function write(
  { db, writeSuggestions }: CorrelateTools,
  scope: Scope,
  suggestions: readonly Suggestions[],
  before: AttributionState,
): Promise<void> {
  const ids = suggestions.map(({ eventId }) => eventId);
  await db.transaction(async (tx) => {
    await lockHead(tx, scope, 'activity');
    const { features_seq, erasures } = await lockState(tx, scope);
    if (features_seq !== before.features_seq || erasures !== before.erasures) return;
    const waiting = new Set(await lockWaitingEvents(tx, scope, ids));
    const links = await selectLinksOfEvents(tx, scope, ids);
    const unchanged = suggestions.filter(({ eventId, considered }) => {
      const now = links.filter(({ event_id }) => event_id === eventId);
      return waiting.has(eventId) && stateOf(now) === stateOf(considered);
    });
    if (unchanged.length === 0) return;
    await writeSuggestions(tx, scope, unchanged);
    const done = unchanged.map(({ eventId }) => eventId);
    await updateCorrelated(tx, scope, done);
  });
}

function stateOf(links: readonly LinkRow[]): string {
  return links
    .map(({ link_id, status }) => `${link_id} ${status}`)
    .sort()
    .join();
}

/** Decisions without a reviewed link to the event: a reviewed pair is not suggested again. */
function comparable(rows: readonly CandidateRow[], links: readonly LinkRow[]) {
  const settled = new Set(
    links.filter(({ status }) => status !== 'ML_SUGGESTED').map(({ decision_id }) => decision_id),
  );
  return rows
    .filter(({ decision_id }) => !settled.has(decision_id))
    .map((row) => ({
      decisionId: row.decision_id,
      agentId: row.agent_id,
      actionType: row.action_type,
      timestamp: row.timestamp,
      saysItFailed: row.says_it_failed,
      features: unpackFeatures(row.features),
    }));
}

/** The share of the event that confirmed links leave. */
function unclaimed(links: readonly LinkRow[]): number {
  const claimed = links
    .filter(({ status }) => status === 'CONFIRMED' || status === 'ML_INFERRED')
    .reduce((sum, link) => sum + link.correlation_strength, 0);
  return Math.max(0, 1 - claimed);
}

function toCompared(scope: Scope, event: EventRow): ComparedEvent {
  const metadata: JsonValue = event.metadata === null ? null : parseJson(event.metadata);
  const features = extractFeatures({
    metadata,
    ...(event.external_id !== null && { external_id: event.external_id }),
  });
  const magnitude = normaliseAmount(event.amount);
  return {
    eventType: event.event_type,
    currency: event.currency,
    magnitude: magnitude === null ? null : Number(magnitude),
    amountToken: magnitude === null ? null : hasher(scope.ledgerId)('amount', magnitude),
    timestamp: event.timestamp,
    features: hashFeatures(scope.ledgerId, features),
  };
}
