import type { KindValue } from './event-kind.js';
import type { Knowledge } from './knowledge.js';
import { timeEvidence } from './lag.js';
import type { Observation } from './observation.js';
import type { Weights } from './weights.js';

/** What one event says of whether events of its type have recorded causes. */
export interface EventEvidence {
  /** How much likelier its delays and amounts are with a recorded cause than without, by the amounts stated. */
  readonly sums: { readonly equal: number; readonly other: number; readonly none: number };
  /** The same of its delays alone. */
  readonly delays: number;
  /** The log-odds of a cause before that. */
  readonly level: number;
  /** Whether a decision shares an identifier. */
  readonly isShared: boolean;
  /** 1 if it names the transaction of one decision, 0 if it names none. */
  readonly transaction: number;
  /** What may say of which kind it is. */
  readonly kinds: readonly KindValue[];
}

/** The evidence of all observed events, by event type. */
export function evidenceByType(
  observations: readonly Observation[],
  knowledge: Knowledge,
  weights: Weights,
): Map<string, EventEvidence[]> {
  const types = new Map<string, EventEvidence[]>();
  for (const observation of observations) {
    const { event_type, options, sharing, transaction = 0, kinds = [] } = observation;
    if (options === undefined || sharing === undefined) continue;
    const events = types.get(event_type) ?? [];
    events.push({
      level: usualLevel(sharing, weights),
      transaction,
      isShared: sharing !== null,
      kinds,
      ...ratiosOf(observation, knowledge, weights),
    });
    types.set(event_type, events);
  }
  return types;
}

/** The log-odds of a cause before delays and amounts, by what the event shares with decisions. */
export const usualLevel = (sharing: number | null, { base, apart }: Weights): number =>
  base + (sharing ?? apart);

function ratiosOf(
  { event_type, options = [] }: Observation,
  knowledge: Knowledge,
  weights: Weights,
): Pick<EventEvidence, 'sums' | 'delays'> {
  let delays = 0;
  const sums = { equal: 0, other: 0, none: 0 };
  for (const [actionType, logHours, evidence, amount, ofAmount] of options) {
    const lags = knowledge.lags(actionType, event_type);
    const time = timeEvidence(Math.exp(logHours), knowledge.halfLife(actionType), lags);
    const compatibility = knowledge.compatibility(actionType, event_type);
    const learned = weights.time * time + weights.compatibility * compatibility;
    sums[amount] += Math.exp(evidence + learned);
    delays += Math.exp(evidence - ofAmount + learned);
  }
  return { sums, delays };
}
