import type { Settings } from '@decision-ledger/contract/settings';
import { catchUpDue } from '../../../platform/followers/due-step.js';
import { type Due, hastenDue, selectDue } from '../../../platform/followers/due-work.js';
import type { DueFollower } from '../../../platform/followers/follower.js';
import { catchUp } from '../../../platform/followers/step.js';
import type { Ledger, LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { MOVEMENTS } from '../../record/financial-events/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { writeSuggestions } from '../../record/links/index.js';
import { movementFollower } from '../../record/movements/index.js';
import { drawAudits } from './audits.js';
import { checkQuality } from './check-quality.js';
import { featureFollower } from './extract.js';
import { keepScores } from './keep-scores.js';
import { currentScoringModel, refreshingModel } from './models.js';
import {
  type EventScore,
  type Scoring,
  type ScoringContext,
  scoreEvents,
  scoringContext,
} from './score-events.js';
import { selectUndrawnMonths } from './store/audits.js';
import { SUGGESTIONS, selectAwaited, selectEventFields } from './store/events-to-score.js';
import { selectWitnesses } from './store/leads.js';
import {
  type AttributionState,
  lockAttribution,
  SUGGESTION_QUALITY,
  selectNewestModel,
  selectQualityState,
  selectState,
} from './store/models.js';
import {
  type ConsideredLink,
  type EventReviewRow,
  selectConsideredLinks,
  selectLastReview,
  selectMovementVerdicts,
} from './store/reviews.js';
import { suggestionsOf } from './suggestions.js';

/** The most events of a step. */
const EVENTS_PER_STEP = 50;

/** Scores the events that wait, oldest first, and suggests links for them. */
export function suggestionFollower(hooks: RecordHooks): DueFollower {
  return {
    name: SUGGESTIONS,
    kind: 'recorder',
    subjects: 'evt',
    owns: [],
    step: EVENTS_PER_STEP,
    async advance(ledger, { due, isLast }) {
      const ready = await selectReady(ledger, due);
      if (ready.length === 0) return null;
      const settings = await readSettings(ledger);
      const model = await (isLast ? refreshingModel : currentScoringModel)(ledger, settings);
      const context = scoringContext(model, settings);
      const scoring = await scoreEvents(ledger, await selectEventFields(ledger, ready), context);
      return {
        lock: lockAttribution,
        write: (tx, ids) => write(tx, hooks, { scoring, context, settings, ids }),
      };
    },
  };
}

/**
 * The events (UUIDs) that became due before the first decision that was not extracted yet was recorded, and whose movements are
 * settled: a model that learns from every report of one payment takes it for many.
 */
async function selectReady(ledger: Ledger, due: readonly Due[]): Promise<string[]> {
  const { extracted } = await selectState(ledger);
  const subjects = due.map(({ subject }) => subject);
  const awaited = await selectAwaited(ledger, subjects, { extracted, before: MOVEMENTS });
  const { first_unextracted: first, unsettled } = awaited;
  return due.flatMap(({ subject, since }) =>
    (first === null || since < first) && !unsettled.includes(subject) ? [subject] : [],
  );
}

interface Scored {
  readonly scoring: Scoring;
  readonly context: ScoringContext;
  readonly settings: Settings;
  /** UUIDs of the events that wait still. */
  readonly ids: readonly string[];
}

/**
 * Writes scores and suggestions. An event that has changed since it was scored waits on. After a new decision, an erasure, or a
 * change of labels, settings or the model, all events do, because their suggestions may differ.
 * @returns UUIDs of the events that do not wait any more
 */
async function write(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { scoring, context, settings, ids }: Scored,
): Promise<string[]> {
  const state = await selectState(tx);
  if (isOtherState(state, scoring.state)) return [];
  if (await isOutdated(tx, context, settings)) return [];
  // An event that became a witness may have been made due meanwhile.
  const witnesses = await selectWitnesses(tx, ids);
  const leads = ids.filter((id) => !witnesses.includes(id));
  const unchanged = await selectUnchanged(tx, scoring.scores, leads);
  if (unchanged.length === 0) return witnesses;
  const suggested = unchanged.map((score) => suggestionsOf(score, context, state));
  await writeSuggestions(tx, hooks, suggested);
  await keepScores(tx, unchanged, { ...context, state }, tx.clock.now());
  await hastenDue(tx, SUGGESTION_QUALITY, [tx.ledgerId]);
  return [...unchanged.map(({ event }) => event.event_id), ...witnesses];
}

/** Whether the settings or the model changed after the events were scored. */
async function isOutdated(
  tx: LedgerReader,
  { model }: ScoringContext,
  settings: Settings,
): Promise<boolean> {
  const now = await readSettings(tx);
  if (JSON.stringify(now) !== JSON.stringify(settings)) return true;
  const newest = await selectNewestModel(tx);
  return newest !== null && newest.model_id !== model.id;
}

function isOtherState(now: AttributionState, before: AttributionState): boolean {
  return (
    now.extracted !== before.extracted ||
    now.erasures !== before.erasures ||
    now.label_withdrawn !== before.label_withdrawn
  );
}

async function selectUnchanged(
  tx: LedgerReader,
  scores: readonly EventScore[],
  ids: readonly string[],
): Promise<EventScore[]> {
  const waiting = new Set(ids);
  const links = await selectConsideredLinks(tx, ids);
  const verdicts = await selectMovementVerdicts(tx, ids);
  return scores.filter((score) => {
    const { event_id } = score.event;
    return (
      waiting.has(event_id) &&
      stateOf(links.filter((link) => link.event_id === event_id)) === stateOf(score.links) &&
      seqsOf(verdicts.filter((row) => row.event_id === event_id)) === seqsOf(score.verdicts)
    );
  });
}

function seqsOf(verdicts: readonly EventReviewRow[]): string {
  return verdicts.map(({ seq }) => seq).join();
}

function stateOf(links: readonly ConsideredLink[]): string {
  return links
    .map(({ link_id, status }) => `${link_id} ${status}`)
    .sort()
    .join();
}

/**
 * Settles movements and suggests links for all events that wait, now. Any number of processes may do this at once, and what
 * a process that was killed leaves is done by the next one.
 * @throws what a step throws
 */
export async function suggestNow(
  ledger: Ledger,
  hooks: RecordHooks,
  signal: AbortSignal,
): Promise<void> {
  const movements = movementFollower(hooks);
  const follower = suggestionFollower(hooks);
  for (let isDue = true; isDue; ) {
    await catchUpDue(ledger, movements, signal);
    await catchUp(ledger, featureFollower, signal);
    await catchUpDue(ledger, follower, signal);
    // A change of the label or of the model lets events wait again.
    await checkSuggestions(ledger);
    isDue = (await selectDue(ledger, SUGGESTIONS, ledger.clock.now(), 1)).length > 0;
  }
}

const DAY_MS = 86_400_000;

/** Learns from suggestions, checks them and draws audits, each day and after events were scored. */
export const suggestionQuality: DueFollower = {
  name: SUGGESTION_QUALITY,
  kind: 'recorder',
  subjects: 'led',
  owns: ['attribution_drifts'],
  step: 1,
  lane: 'long',
  async advance(ledger) {
    const now = ledger.clock.now();
    // Each part of a backlog would change what is learned and drawn.
    if ((await selectDue(ledger, SUGGESTIONS, now, EVENTS_PER_STEP + 1)).length > EVENTS_PER_STEP)
      return null;
    await checkSuggestions(ledger);
    return {
      lock: lockAttribution,
      write: async (tx, ids) => ((await isChecked(tx)) ? ids : []),
      again: (Math.floor(now / DAY_MS) + 1) * DAY_MS,
    };
  },
};

/** Every part can be repeated. */
async function checkSuggestions(ledger: Ledger): Promise<void> {
  await refreshingModel(ledger, await readSettings(ledger));
  await checkQuality(ledger);
  await drawAudits(ledger);
}

/** Whether no event was scored or reviewed since the check. */
async function isChecked(ledger: LedgerReader): Promise<boolean> {
  const { checked_reviews } = await selectQualityState(ledger);
  if (checked_reviews !== (await selectLastReview(ledger))) return false;
  return (await selectUndrawnMonths(ledger)).length === 0;
}
