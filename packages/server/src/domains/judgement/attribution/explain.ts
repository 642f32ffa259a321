import { comparePair, explainPair } from '@decision-ledger/attribution/explanation';
import type { Decision } from '@decision-ledger/contract/decision';
import type { Explanation } from '@decision-ledger/contract/explanation';
import { idToUuid } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { ratesOf } from '../../record/money-signs/index.js';
import { type ComparableEvent, eventToCompare } from './score-events.js';
import { selectEventScore } from './store/event-scores.js';
import { selectFrequencies } from './store/tokens.js';
import { knownFeatures, openCandidates } from './stored-choice.js';

/** An event that is recorded. */
interface RecordedEvent extends ComparableEvent {
  /** UUID. */
  readonly event_id: string;
}

/** Says what an event and a decision have in common, as both are recorded now. */
export async function explainCause(
  ledger: LedgerReader,
  event: RecordedEvent,
  decision: Decision,
): Promise<Explanation> {
  const settings = await readSettings(ledger);
  const context = { rates: ratesOf(settings), timeZone: settings.attribution.time_zone };
  const { metadata, outputs, inputs, alternatives } = decision;
  const pair = comparePair({
    event: eventToCompare(ledger.scope, event, context),
    decision: {
      payload: { metadata, outputs, inputs, alternatives },
      timestamp: Date.parse(decision.timestamp),
    },
  });
  const tokens = pair.shared.map(({ token }) => token);
  return explainPair(pair, {
    holders: await selectFrequencies(ledger, tokens),
    isLinked: await isLinked(ledger, event.event_id, decision.decision_id),
  });
}

/** Whether the last score of the event found another decision of the same case that names its transaction. */
async function isLinked(
  ledger: LedgerReader,
  eventId: string,
  decisionId: string,
): Promise<boolean> {
  const score = await selectEventScore(ledger, eventId);
  const uuid = idToUuid('dec', decisionId);
  const candidates = score === null ? [] : openCandidates(score.candidates);
  const candidate = candidates.find(({ decision_id }) => decision_id === uuid);
  return candidate !== undefined && (knownFeatures(candidate).identifier_linked ?? 0) > 0;
}
