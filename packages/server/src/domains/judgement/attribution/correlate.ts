import { lockHead } from '../../../platform/chain/lock-head.js';
import { catchUp } from '../../../platform/followers/step.js';
import type { Ledger } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { writeSuggestions } from '../../record/links/index.js';
import { checkQuality } from './check-quality.js';
import { drawAudits } from './draw-audits.js';
import { features } from './extract.js';
import { keepScores } from './keep-scores.js';
import { currentModel, refreshingModel } from './models.js';
import { type EventScore, type Scoring, scoreEvents, scoringContext } from './score-events.js';
import { type AttributionState, lockState, selectState } from './store/attribution-states.js';
import { selectEventVerdicts } from './store/event-reviews.js';
import { deleteWaiting, selectWaiting } from './store/events-to-score.js';
import { selectWaitingEvents } from './store/financial-events.js';
import { type LinkRow, selectLinksOfEvents } from './store/link-reviews.js';
import type { Model } from './stored-model.js';
import { suggestionsOf } from './suggestions.js';

/** Events per transaction. */
const STEP = 50;

/**
 * Extracts the features of new decisions and checks the quality of suggestions, then scores the events
 * that wait, oldest first, and suggests links for them. An interrupted run is continued by the next one.
 */
export async function correlateNewEvents(
  ledger: Ledger,
  hooks: RecordHooks,
  signal: AbortSignal,
): Promise<void> {
  const settings = await readSettings(ledger);
  const modelBehind = (hasMore: boolean): Promise<Model> =>
    (hasMore ? currentModel : refreshingModel)(ledger, settings);
  await modelBehind((await selectWaitingEvents(ledger, STEP)).hasMore);
  await catchUp(ledger, features, signal);
  await checkQuality(ledger);
  while (!signal.aborted) {
    const waiting = await selectWaitingEvents(ledger, STEP);
    const model = await modelBehind(waiting.hasMore);
    // The model may have let events wait to be scored again.
    const { rows: events } =
      waiting.rows.length > 0 ? waiting : await selectWaitingEvents(ledger, STEP);
    if (events.length === 0) break;
    const context = scoringContext(model, settings);
    const scoring = await scoreEvents(ledger, events, context);
    await write(ledger, hooks, scoring, context);
  }
  await drawAudits(ledger);
}

/**
 * Writes scores and suggestions. An event that has changed since it was scored is left to the next run.
 * After a new decision, an erasure or a change of labels, all events are, because their suggestions may
 * differ.
 */
async function write(
  ledger: Ledger,
  hooks: RecordHooks,
  { scores, state: before }: Scoring,
  context: ReturnType<typeof scoringContext>,
): Promise<void> {
  const ids = scores.map(({ event }) => event.event_id);
  await ledger.write(async (tx) => {
    await lockHead(tx, 'activity');
    await lockState(tx);
    const state = await selectState(tx);
    if (isOtherState(state, before)) return;
    const waiting = new Set(await selectWaiting(tx, ids));
    const links = await selectLinksOfEvents(tx, ids);
    const verdicts = await selectEventVerdicts(tx, ids);
    const unchanged = scores.filter((score) => {
      const { event_id } = score.event;
      return (
        waiting.has(event_id) &&
        stateOf(links.filter((link) => link.event_id === event_id)) === stateOf(score.links) &&
        verdicts.filter((row) => row.event_id === event_id).length === score.verdicts.length
      );
    });
    if (unchanged.length === 0) return;
    const suggested = unchanged.map((score) => suggestionsOf(score, context, state));
    await writeSuggestions(tx, hooks, suggested);
    await keepScores(tx, unchanged, { ...context, state }, tx.clock.now());
    const done = unchanged.map(({ event }: EventScore) => event.event_id);
    await deleteWaiting(tx, done);
  });
}

function isOtherState(now: AttributionState, before: AttributionState): boolean {
  return (
    now.extracted !== before.extracted ||
    now.erasures !== before.erasures ||
    now.label_withdrawn !== before.label_withdrawn
  );
}

function stateOf(links: readonly LinkRow[]): string {
  return links
    .map(({ link_id, status }) => `${link_id} ${status}`)
    .sort()
    .join();
}
