import {
  type ComparedDecision,
  type ComparedEvent,
  compareEvent,
} from '@decision-ledger/attribution/comparison';
import { extractFeatures, type Payload } from '@decision-ledger/attribution/extraction';
import type { Frequencies } from '@decision-ledger/attribution/frequencies';
import { countedTokens, hashFeatures } from '@decision-ledger/attribution/hashed-features';
import { learnSnapshot } from '@decision-ledger/attribution/learning';
import type { ModelSnapshot } from '@decision-ledger/attribution/snapshot';
import {
  type AttributionSettings,
  DEFAULT_ATTRIBUTION,
} from '@decision-ledger/contract/attribution';
import type { JsonValue } from '@decision-ledger/proof/gate';

const LEDGER = 'ledger';
const HOUR = 3_600_000;
export const NOON = Date.UTC(2026, 2, 10, 12);

/** A model without reviews. */
export function priorSnapshot(settings: AttributionSettings = DEFAULT_ATTRIBUTION): ModelSnapshot {
  return learnSnapshot({ settings, choices: [], observations: [], today: 20_000 });
}

export interface SomeDecision extends Payload {
  readonly id: string;
  readonly action?: string;
  readonly agent?: string;
  /** Before the event. */
  readonly hours?: number;
}

export function toDecision(one: SomeDecision): ComparedDecision {
  const { id, action = 'act', agent = 'agent', hours = 5, ...payload } = one;
  return {
    decisionId: id,
    agentId: agent,
    actionType: action,
    timestamp: NOON - hours * HOUR,
    saysItFailed: false,
    features: hashFeatures(LEDGER, extractFeatures(payload)),
  };
}

export function toEvent(metadata: JsonValue, amount = '49.90', timestamp = NOON): ComparedEvent {
  return compareEvent({
    ledgerId: LEDGER,
    eventType: 'payment',
    amount,
    currency: 'EUR',
    externalId: null,
    metadata,
    timestamp,
    rates: new Map([['USD', 0.9]]),
  });
}

/** Frequencies of a ledger of 1,000 decisions of which only the given ones hold any value. */
export function frequenciesOf(decisions: readonly ComparedDecision[]): Frequencies {
  const byToken = new Map<number, number>();
  for (const { features } of decisions) {
    for (const token of countedTokens(features)) {
      byToken.set(token, (byToken.get(token) ?? 0) + 1);
    }
  }
  return { decisions: 1000, byToken };
}
