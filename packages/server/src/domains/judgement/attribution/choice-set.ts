import type { KindValue } from '@decision-ledger/attribution/event-kinds';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { newestScoringModel } from './models.js';
import { scoreEvents, scoringContext } from './score-events.js';
import { selectAuditProbability } from './store/audits.js';
import { selectSeq } from './store/decision-features.js';
import { selectEventScore } from './store/event-scores.js';
import { type EventFieldsRow, selectLiveLead } from './store/events-to-score.js';
import {
  MAX_STORED,
  openCandidates,
  openObservation,
  type StoredChoice,
  toStored,
} from './stored-choice.js';

/** The candidates of an event as they stand, for a review of it. */
export interface ReviewChoice {
  readonly choice: StoredChoice;
  /** The model that scored them; null for none. */
  readonly modelId: number | null;
  readonly eventType: string;
}

/**
 * The candidates of an event when the report that leads its movement was scored last, with those of a named decision. One
 * that was not scored with that decision is scored now.
 * @param eventId UUID, like `decisionId`
 */
export async function readChoiceSet(
  tx: LedgerWriter,
  eventId: string,
  decisionId: string | null,
): Promise<ReviewChoice | null> {
  const event = await selectLiveLead(tx, eventId);
  if (event === null) return null;
  const eventType = event.event_type;
  const stored = await selectEventScore(tx, event.event_id);
  const audited = await selectAuditProbability(tx, eventId);
  const audit = audited === null ? {} : { audit_probability: audited };
  if (stored !== null) {
    const candidates = openCandidates(stored.candidates);
    const isKnown = candidates.some(({ decision_id }) => decision_id === decisionId);
    if (decisionId === null || isKnown) {
      const kinds = stored.observation === null ? [] : openObservation(stored.observation).kinds;
      const choice = { candidates, none_share: stored.none_share, ...kindsIn(kinds), ...audit };
      return { choice, modelId: stored.model_id, eventType };
    }
  }
  const fresh = await scoreNow(tx, event, decisionId);
  return { ...fresh, choice: { ...fresh.choice, ...audit }, eventType };
}

async function scoreNow(
  tx: LedgerWriter,
  event: EventFieldsRow,
  decisionId: string | null,
): Promise<Omit<ReviewChoice, 'eventType'>> {
  const settings = await readSettings(tx);
  const model = await newestScoringModel(tx, settings);
  const seq = decisionId === null ? null : await selectSeq(tx, decisionId);
  const context = scoringContext(model, settings);
  const { scores } = await scoreEvents(tx, [event], context, { alsoSeq: seq });
  const [score] = scores;
  const all = score?.scored;
  const times = score?.times ?? new Map<string, number>();
  const shown = (all?.candidates ?? []).filter(
    (candidate, index) => index < MAX_STORED || candidate.decisionId === decisionId,
  );
  return {
    choice: {
      candidates: shown.map((candidate) => toStored(candidate, times)),
      none_share: all?.none ?? 1,
      ...kindsIn(all?.observation.kinds),
    },
    modelId: model.id === 0 ? null : model.id,
  };
}

/** An event without any is stored as before. */
const kindsIn = (kinds: readonly KindValue[] = []): Pick<StoredChoice, 'kinds'> =>
  kinds.length === 0 ? {} : { kinds: kinds.map(([key, value]) => [key, value]) };

/** Whether the movement of an event (UUID) was drawn for an audit. */
export async function isAudit(tx: LedgerWriter, eventId: string): Promise<boolean> {
  return (await selectAuditProbability(tx, eventId)) !== null;
}
