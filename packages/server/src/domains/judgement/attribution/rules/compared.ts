import { minorUnits } from '@decision-ledger/contract/currency';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { toMinorUnits } from '../../amounts/index.js';
import { extractFeatures } from './features.js';
import { type HashedFeatures, hasher, hashFeatures } from './hashed.js';
import { type Interval, intervalOf } from './interval.js';

/** An event, prepared for comparison. */
export interface ComparedEvent {
  readonly eventType: string;
  readonly currency: string;
  /** Magnitude in minor units of the currency; null for an amount of zero. */
  readonly minorUnits: number | null;
  /** Whether the money goes out. */
  readonly isNegative: boolean;
  /** Minor units per unit of the currency: 100 for EUR. */
  readonly minorPerUnit: number;
  /** Hashes of the amount as decisions may state it: first decimal, then in minor units. */
  readonly amountTokens: readonly number[];
  /** When it happened: a day if the timestamp is midnight. */
  readonly interval: Interval;
  /** What one unit of another currency is worth in the currency of the event. */
  readonly rates: ReadonlyMap<string, number>;
  readonly features: HashedFeatures;
}

export interface ComparedDecision {
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  /** ms. */
  readonly timestamp: number;
  readonly saysItFailed: boolean;
  readonly features: HashedFeatures;
}

/** The number of decisions, and the number with each token. A missing token is rare. */
export interface Frequencies {
  readonly decisions: number;
  readonly byToken: ReadonlyMap<number, number>;
}

/** An event as it is recorded. */
export interface EventToCompare {
  readonly ledgerId: string;
  readonly eventType: string;
  /** Decimal text, signed. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly externalId: string | null;
  readonly metadata: JsonValue;
  /** ms. */
  readonly timestamp: number;
  /** IANA name of the organisation's time zone. */
  readonly timeZone?: string;
  readonly rates?: ReadonlyMap<string, number>;
}

/** Prepares an event for comparison. Its look-up tokens are those of `features`. */
export function compareEvent(event: EventToCompare): ComparedEvent {
  const { ledgerId, amount, currency, externalId, metadata } = event;
  const minor = Math.abs(Number(toMinorUnits(amount, currency)));
  const hash = hasher(ledgerId);
  const stated = [Math.abs(Number(amount)), minor].map(String);
  const features = extractFeatures({
    metadata,
    ...(externalId !== null && { external_id: externalId }),
  });
  return {
    eventType: event.eventType,
    currency,
    minorUnits: minor === 0 ? null : minor,
    isNegative: Number(amount) < 0,
    minorPerUnit: 10 ** minorUnits(currency),
    amountTokens: [...new Set(stated)].map((text) => hash('amount', text)),
    interval: intervalOf(event.timestamp, event.timeZone ?? 'UTC'),
    rates: event.rates ?? new Map(),
    features: hashFeatures(ledgerId, features),
  };
}

/** Clocks differ: a decision may be dated this long after the event that it caused. */
export const AFTER_EVENT_MS = 5 * 60_000;
/** Decisions that hold an identifier of the event are candidates for this long. */
export const HOLDER_REACH_DAYS = 400;
/** At most this many holders are compared, the newest. */
export const MAX_HOLDERS = 200;
/** The nearest decisions before the event, whatever they hold. */
export const MAX_NEAREST = 50;
