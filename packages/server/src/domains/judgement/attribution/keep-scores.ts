import { idTokens } from '@decision-ledger/attribution/hashed-features';
import { givenLabel } from '@decision-ledger/attribution/labels';
import type { Scored } from '@decision-ledger/attribution/score';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { frameEvents } from './frame-events.js';
import { ownLogOdds } from './recompute.js';
import type { EventScore, ScoringContext } from './score-events.js';
import {
  type EventScoreRow,
  type FormerScore,
  insertObservations,
  selectFormerScores,
  upsertEventScore,
} from './store/event-scores.js';
import { type AttributionState, addIdentified } from './store/models.js';
import { insertEventTokens } from './store/tokens.js';
import { candidatesText, MAX_STORED, observationText, openObservation } from './stored-choice.js';
import type { ScoringModel } from './stored-model.js';
import { eventPriority } from './suggestions.js';

/** What scores were made with. */
interface KeptContext extends Pick<ScoringContext, 'model' | 'rates'> {
  readonly state: Pick<AttributionState, 'label_withdrawn'>;
}

/**
 * Stores how events were scored, what they teach, and the identifiers that they name or are linked to, by
 * which later decisions find them. The caller holds the lock on the state of the ledger.
 * @param now ms
 */
export async function keepScores(
  tx: LedgerWriter,
  scores: readonly EventScore[],
  context: KeptContext,
  now: number,
): Promise<void> {
  const ids = scores.map(({ event }) => event.event_id);
  const former = new Map((await selectFormerScores(tx, ids)).map((row) => [row.event_id, row]));
  const rows = scores.map((score) => toRow(score, context, former.get(score.event.event_id)));
  for (const row of rows) await upsertEventScore(tx, row, now);
  await keepObservations(tx, rows, former);
  const named = scores.map(({ event, compared, followed }) => ({
    eventId: event.event_id,
    timestamp: event.timestamp,
    tokens: [...idTokens(compared.features), ...followed],
  }));
  await insertEventTokens(tx, named);
  const unframed = scores.filter(({ event }) => former.get(event.event_id)?.is_framed !== true);
  await frameEvents(tx, unframed, context.rates, now);
}

function toRow(
  { event, compared, scored, times, links, verdicts, left }: EventScore,
  { model, rates, state }: KeptContext,
  former: FormerScore | undefined,
): EventScoreRow {
  const worth = rates.worth(event.amount, event.currency, event.timestamp);
  const [best] = scored.candidates;
  const size = Math.abs(Number(worth ?? event.amount));
  // Settled decisions are not among the candidates, so the score of such an event teaches nothing new.
  const isSettled =
    verdicts.length > 0 ||
    links.some(({ status }) => status !== 'ML_SUGGESTED' && status !== 'INHERITED');
  const given = scored.candidates.map(({ share, label, isSuggested }) => ({
    ...{ share, isSuggested },
    label: givenLabel(label, state.label_withdrawn),
  }));
  return {
    event_id: event.event_id,
    model_id: model.id,
    candidates: candidatesText(scored.candidates.slice(0, MAX_STORED), times),
    decision_ids: scored.candidates.slice(0, MAX_STORED).map(({ decisionId }) => decisionId),
    compared: scored.candidates.length,
    none_share: scored.none,
    left_share: left,
    rest_log_odds: logSum(competingRest(scored.candidates, model)),
    source: event.source,
    currency: event.currency,
    ends_at: compared.interval.to,
    worth,
    label: best?.label ?? null,
    is_suggested: scored.candidates.some(({ isSuggested }) => isSuggested),
    observation:
      isSettled && former !== undefined ? former.observation : observationText(scored.observation),
    priority: eventPriority(given, scored.none, left, size),
    is_open: left > 0 && size > 0 && verdicts.length === 0,
    ...(isSettled ? NOT_WATCHED : watchedIn(scored.candidates)),
  };
}

const NOT_WATCHED = { shares_identifier: null, lag_hours: null, best_share: null };

const IDENTIFIERS = ['exact', 'canonical', 'digits', 'text'] as const;

/** What drift is looked for in. */
function watchedIn(candidates: readonly Scored[]) {
  const [best] = candidates;
  return {
    shares_identifier: candidates.some(({ features }) =>
      IDENTIFIERS.some((form) => (features[`identifier_${form}`] ?? 0) > 0),
    ),
    lag_hours: best?.isSuggested === true ? best.hours : null,
    best_share: best?.share ?? 0,
  };
}

/** The log-odds of the candidates that compete but are not stored: those as likely as the last stored one. */
function competingRest(
  candidates: readonly Scored[],
  { snapshot: { weights } }: ScoringModel,
): number[] {
  const least = candidates[MAX_STORED - 1];
  if (least === undefined) return [];
  const limit = ownLogOdds(least.features, weights);
  return candidates
    .slice(MAX_STORED)
    .map(({ features }) => ownLogOdds(features, weights))
    .filter((own) => own >= limit);
}

/** The logarithm of the sum of exponentials, without overflow; null for none. */
function logSum(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const most = values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

async function keepObservations(
  tx: LedgerWriter,
  rows: readonly EventScoreRow[],
  former: ReadonlyMap<string, FormerScore>,
): Promise<void> {
  const before = (row: EventScoreRow) => former.get(row.event_id)?.observation ?? null;
  const changed = rows.filter((row) => row.observation !== before(row));
  const gained = changed.reduce(
    (sum, row) => sum + identifiesCause(row.observation) - identifiesCause(before(row)),
    0,
  );
  await insertObservations(
    tx,
    changed.map(({ event_id, observation }) => ({ eventId: event_id, observation })),
  );
  await addIdentified(tx, gained);
}

/** 1 if an observation names the cause of its event, or a clock, else 0. */
export function identifiesCause(observation: string | null): number {
  if (observation === null) return 0;
  const { identified, clock } = openObservation(observation);
  return identified !== null || clock !== undefined ? 1 : 0;
}
