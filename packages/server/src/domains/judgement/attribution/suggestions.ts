import { givenLabel } from '@decision-ledger/attribution/labels';
import type { Scored } from '@decision-ledger/attribution/score';
import type { LinkScore } from '@decision-ledger/contract/link';
import { uuidToId } from '../../../platform/ids.js';
import type { SuggestedLink, SuggestedLinks } from '../../record/links/index.js';
import { classifyEvent } from '../../record/money-signs/index.js';
import { linkPriority } from './priority.js';
import type { EventScore, ScoringContext } from './score-events.js';
import type { AttributionState } from './store/attribution-states.js';

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
