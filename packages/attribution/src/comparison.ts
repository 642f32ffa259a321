import { toMinorUnits } from '@decision-ledger/amounts/minor-units';
import { minorUnits } from '@decision-ledger/contract/currency';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { intervalOf, type TimeInterval } from './delays.js';
import { type KindValue, kindValuesOf } from './event-kinds.js';
import { extractFeatures, type Payload } from './extraction.js';
import { dayOf } from './free-text.js';
import { type HashedFeatures, hasher, hashFeatures } from './hashed-features.js';
import type { Features, Mention } from './mentions.js';
import { withoutCheckDigit } from './spellings.js';

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
  readonly interval: TimeInterval;
  /** Days that it states, not near its own: since the epoch, UTC. */
  readonly statedDays: ReadonlySet<number>;
  /** What one unit of another currency is worth in the currency of the event. */
  readonly rates: ReadonlyMap<string, number>;
  readonly features: HashedFeatures;
  /** What may say of which kind it is. */
  readonly kinds: readonly KindValue[];
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
  const { ledgerId, amount, currency } = event;
  const minor = Math.abs(Number(toMinorUnits(amount, currency)));
  const hash = hasher(ledgerId);
  const stated = [Math.abs(Number(amount)), minor].map(String);
  const features = statedBy(event);
  const interval = intervalOf(event.timestamp, event.timeZone ?? 'UTC');
  return {
    eventType: event.eventType,
    currency,
    minorUnits: minor === 0 ? null : minor,
    isNegative: Number(amount) < 0,
    minorPerUnit: 10 ** minorUnits(currency),
    amountTokens: [...new Set(stated)].map((text) => hash('amount', text)),
    interval,
    statedDays: statedDaysOf(features, interval),
    rates: event.rates ?? new Map(),
    features: hashFeatures(ledgerId, features),
    kinds: kindValuesOf(features, hash),
  };
}

/** What an event states in fields that a decision may state too. */
export const payloadOf = ({ metadata, externalId }: EventToCompare): Payload => ({
  metadata,
  ...(externalId !== null && { external_id: externalId }),
});

/** What an event states, with its identifiers also as they are without a check digit, which decisions may not know. */
export function statedBy(event: EventToCompare): Features {
  const { mentions, amounts } = extractFeatures(payloadOf(event));
  const shortened = mentions.flatMap((mention): Mention[] => {
    const canonical = mention.form === 'word' ? null : withoutCheckDigit(mention.canonical);
    if (canonical === null) return [];
    const key = { ...mention.key, name: `${mention.key.name} shortened` };
    return [{ ...mention, key, form: 'shortened', canonical, digits: '' }];
  });
  return { mentions: [...mentions, ...shortened], amounts };
}

/** The days that it states, apart from those of about its own time, of which its delay says as much. */
function statedDaysOf({ mentions }: Features, { from, to }: TimeInterval): Set<number> {
  const days = mentions.flatMap(({ form, canonical }) => {
    const day = form === 'word' ? dayOf(canonical) : null;
    return day === null ? [] : [day];
  });
  const [first, last] = [from, to].map((time) => Math.floor(time / DAY_MS));
  return new Set(
    days.filter((day) => day < (first ?? 0) - NEAR_DAYS || day > (last ?? 0) + NEAR_DAYS),
  );
}

const DAY_MS = 86_400_000;
const NEAR_DAYS = 3;
