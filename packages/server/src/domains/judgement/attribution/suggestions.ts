import { givenLabel } from '@decision-ledger/attribution/labels';
import type { Scored } from '@decision-ledger/attribution/score';
import type { LinkScore } from '@decision-ledger/contract/link';
import { uuidToId } from '../../../platform/ids.js';
import type { SuggestedLink, SuggestedLinks } from '../../record/links/index.js';
import { classifyEvent } from '../../record/money-signs/index.js';
import type { EventScore, ScoringContext } from './score-events.js';
import type { AttributionState } from './store/models.js';

const MAX_RIVALS = 5;

/** The links that are suggested for a scored event, the strongest first. */
export function suggestionsOf(
  score: EventScore,
  context: ScoringContext,
  { label_withdrawn }: Pick<AttributionState, 'label_withdrawn'>,
): SuggestedLinks {
  const { event, scored } = score;
  const worth = context.rates.worth(event.amount, event.currency, event.timestamp) ?? event.amount;
  const { link_type: linkType, reversal } = classifyEvent(context.signs, event);
  const suggested = scored.candidates
    .filter(({ isSuggested, share }) => isSuggested && share > 0)
    .map(
      (candidate): SuggestedLink => ({
        decisionId: candidate.decisionId,
        strength: candidate.share,
        linkType,
        reversal,
        label: givenLabel(candidate.label, label_withdrawn),
        reviewPriority: linkPriority(candidate.share, Math.abs(Number(worth))),
        score: { ...describeScore(candidate, score, context) },
      }),
    );
  return { eventId: event.event_id, suggested };
}

/** The score as stored with a link: with the model that it names, everything needed to recompute it. */
function describeScore(
  candidate: Scored,
  { scored, left }: EventScore,
  { model }: ScoringContext,
): LinkScore {
  const rivals = scored.candidates
    .filter((rival) => rival !== candidate)
    .slice(0, MAX_RIVALS)
    .map(({ decisionId, share, probability }) => ({
      decision_id: uuidToId('dec', decisionId),
      share,
      probability,
    }));
  return {
    version: model.snapshot.version,
    model: model.id,
    probability: candidate.probability,
    share: candidate.share,
    none_share: scored.none,
    left_share: left,
    candidates: scored.candidates.length,
    rivals,
    features: { ...candidate.features },
    evidence: { ...candidate.evidence },
  };
}

/** Even where the model is sure, it may be wrong. */
const LEAST_DOUBT = 0.02;

/**
 * How much a review of an event would teach: the chance that it changes what is counted, times the
 * money. Only matched suggestions are counted before a review; of any other event, all that may have
 * a recorded cause would change.
 * @param left share of the event that human links left
 * @param worth in the base currency; in its own if there is no rate
 */
export function eventPriority(
  candidates: readonly Pick<Scored, 'share' | 'label' | 'isSuggested'>[],
  none: number,
  left: number,
  worth: number,
): number {
  if (left <= 0) return 0;
  const counted = candidates
    .filter(({ label, isSuggested }) => isSuggested && label === 'matched')
    .reduce((sum, { share }) => sum + share, 0);
  const change = counted > 0 ? left - counted : left - none;
  return Math.max(LEAST_DOUBT * left, change) * worth;
}

/**
 * The same for one suggested link.
 * @param strength its share of the event
 */
function linkPriority(strength: number, worth: number): number {
  return 4 * strength * (1 - strength) * (1 + Math.log10(1 + worth));
}
