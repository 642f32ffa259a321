import { windowMs } from '@decision-ledger/attribution/candidate-search';
import {
  type ComparedDecision,
  type ComparedEvent,
  compareEvent,
  type EventToCompare,
} from '@decision-ledger/attribution/comparison';
import { countedTokens } from '@decision-ledger/attribution/hashed-features';
import { type ScoredEvent, scoreEvent } from '@decision-ledger/attribution/score';
import type { MoneySignSettings } from '@decision-ledger/contract/money-signs';
import type { Settings } from '@decision-ledger/contract/settings';
import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { type Rates, ratesOf } from '../../record/money-signs/index.js';
import { findCandidates, followLinks, type OpenedCandidate, openCandidate } from './candidates.js';
import type { EventFieldsRow } from './store/events-to-score.js';
import { type AttributionState, selectState } from './store/models.js';
import {
  type ConsideredLink,
  type EventReviewRow,
  selectConsideredLinks,
  selectMovementVerdicts,
} from './store/reviews.js';
import { selectFrequencies } from './store/tokens.js';
import { openChoice } from './stored-choice.js';
import type { ScoringModel } from './stored-model.js';

/** What all events of a run are scored with. */
export interface ScoringContext {
  readonly model: ScoringModel;
  /** ms. */
  readonly window: number;
  readonly rates: Rates;
  readonly timeZone: string;
  /** Which type and direction a link has. */
  readonly signs: MoneySignSettings;
}

export function scoringContext(model: ScoringModel, settings: Settings): ScoringContext {
  return {
    model,
    window: windowMs(settings.attribution, model.snapshot),
    rates: ratesOf(settings),
    timeZone: settings.attribution.time_zone,
    signs: settings.attribution,
  };
}

/** A scored event, with what its score follows from. */
export interface EventScore {
  readonly event: EventFieldsRow;
  readonly compared: ComparedEvent;
  readonly scored: ScoredEvent;
  /** When the candidates were decided, in ms. */
  readonly times: ReadonlyMap<string, number>;
  /** Tokens, such as that of a ticket, through which later decisions may concern it as well. */
  readonly followed: readonly number[];
  /** The links of the event, and what was said of it as a whole, when it was scored. */
  readonly links: readonly ConsideredLink[];
  readonly verdicts: readonly EventReviewRow[];
  /** Share of the event that human links leave. */
  readonly left: number;
}

export interface Scoring {
  readonly scores: readonly EventScore[];
  /** The state when the candidates were found. */
  readonly state: AttributionState;
}

/** How events are scored for a person who names a decision. */
export interface Asked {
  /** Position of a decision that is compared whatever it holds; null for none. */
  readonly alsoSeq: number | null;
}

/**
 * Finds and scores the candidates of events. Nothing is written.
 * @param asked with it, decisions are compared that were reviewed before, and the whole event is shared
 */
export async function scoreEvents(
  ledger: LedgerReader,
  events: readonly EventFieldsRow[],
  context: ScoringContext,
  asked: Asked | null = null,
): Promise<Scoring> {
  const compared = await mapInTurns(events, (event) =>
    compareEvent(eventToCompare(ledger.scope, event, context)),
  );
  const tokens = compared.flatMap(({ features, amountTokens }) => [
    ...countedTokens(features),
    ...amountTokens,
  ]);
  const state = await selectState(ledger);
  const byToken = await selectFrequencies(ledger, [...new Set(tokens)]);
  const ids = events.map(({ event_id }) => event_id);
  const allLinks = await selectConsideredLinks(ledger, ids);
  const allVerdicts = await selectMovementVerdicts(ledger, ids);
  const found = await Promise.all(
    compared.map((event) =>
      findCandidates(ledger, event, {
        windowMs: context.window,
        frequencies: byToken,
        decisions: state.extracted,
        alsoSeq: asked?.alsoSeq ?? null,
      }),
    ),
  );
  const followed = await followLinks(
    ledger,
    compared.map((event, index) => ({ event, rows: (found[index] ?? []).map(openCandidate) })),
    byToken,
  );
  const frequencies = { decisions: state.extracted, byToken: followed.frequencies };
  const scores = await mapInTurns(events.entries(), ([index, event]): EventScore[] => {
    const about = compared[index];
    if (about === undefined) return [];
    const isAbout = ({ event_id }: { readonly event_id: string }) => event_id === event.event_id;
    const links = allLinks.filter(isAbout);
    const verdicts = allVerdicts.filter(isAbout);
    const left = asked === null ? unclaimed(links) : 1;
    const settled = asked === null ? settledDecisions(links, verdicts) : new Set<string>();
    const decisions = comparable(followed.rows[index] ?? [], settled);
    const scored = scoreEvent(about, decisions, frequencies, context.model.snapshot, left);
    const times = new Map(decisions.map(({ decisionId, timestamp }) => [decisionId, timestamp]));
    const through = followed.links[index] ?? [];
    return [{ event, compared: about, scored, times, followed: through, links, verdicts, left }];
  });
  return { scores: scores.flat(), state };
}

/** What of a stored event is compared with decisions. */
export function eventToCompare(
  { ledgerId }: Scope,
  event: ComparableEvent,
  { rates, timeZone }: Pick<ScoringContext, 'rates' | 'timeZone'>,
): EventToCompare {
  const metadata: JsonValue = event.metadata === null ? null : parseJson(event.metadata);
  return {
    ledgerId,
    eventType: event.event_type,
    amount: event.amount,
    currency: event.currency,
    externalId: event.external_id,
    metadata,
    timestamp: event.timestamp,
    timeZone,
    rates: rates.into(event.currency, event.timestamp),
  };
}

/** The members of a stored event that are compared. */
export type ComparableEvent = Pick<
  EventFieldsRow,
  'event_type' | 'amount' | 'currency' | 'external_id' | 'metadata' | 'timestamp'
>;

/**
 * Decisions with a reviewed link to the event, and those of which somebody said that none is the cause: a
 * reviewed pair is not suggested again.
 */
function settledDecisions(
  links: readonly ConsideredLink[],
  verdicts: readonly EventReviewRow[],
): ReadonlySet<string> {
  const settled = new Set(
    links
      .filter(({ status }) => status !== 'ML_SUGGESTED' && status !== 'INHERITED')
      .map(({ decision_id }) => decision_id),
  );
  for (const { verdict, choice } of verdicts) {
    if (verdict !== 'none') continue;
    for (const { decision_id } of openChoice(choice).candidates) settled.add(decision_id);
  }
  return settled;
}

function comparable(
  rows: readonly OpenedCandidate[],
  settled: ReadonlySet<string>,
): ComparedDecision[] {
  return rows
    .filter(({ decision_id }) => !settled.has(decision_id))
    .map((row) => ({
      decisionId: row.decision_id,
      agentId: row.agent_id,
      actionType: row.action_type,
      timestamp: row.timestamp,
      saysItFailed: row.says_it_failed,
      features: row.features,
    }));
}

/** The share of the event that human links leave. */
function unclaimed(links: readonly ConsideredLink[]): number {
  const claimed = links
    .filter(({ status }) => status === 'CONFIRMED' || status === 'ML_INFERRED')
    .reduce((sum, link) => sum + link.correlation_strength, 0);
  return Math.max(0, 1 - claimed);
}
