import { isCurrency, minorUnits } from '@decision-ledger/contract/currency';
import type {
  AmountFit,
  Explanation,
  SharedIdentifier,
} from '@decision-ledger/contract/explanation';
import { fitAmounts, statesAmount } from './amount-fit.js';
import {
  type ComparedEvent,
  compareEvent,
  type EventToCompare,
  payloadOf,
  statedBy,
} from './comparison.js';
import { delayText } from './delay-text.js';
import { extractFeatures, type Payload } from './extraction.js';
import { findField } from './find-field.js';
import { hashFeatures } from './hashed-features.js';
import { indexEvent, type MatchForm, matchesOf } from './identifier-matches.js';
import type { Features, Mention } from './mentions.js';

/** An event and a decision, as they are recorded now. */
export interface Pair {
  readonly event: EventToCompare;
  readonly decision: {
    readonly payload: Payload;
    /** ms. */
    readonly timestamp: number;
  };
}

/** An identifier that both state. */
export interface SharedMention {
  readonly form: MatchForm;
  /** By which decisions that hold it are counted. */
  readonly token: number;
  readonly event: Mention;
  readonly decision: Mention;
}

/** What an event and a decision have in common, with the values as they are written. */
export interface ComparedPair extends Pair {
  readonly compared: ComparedEvent;
  readonly features: Features;
  readonly shared: readonly SharedMention[];
  readonly fit: AmountFit;
}

/** Compares an event with one decision, as scoring does. */
export function comparePair(pair: Pair): ComparedPair {
  const { event, decision } = pair;
  const compared = compareEvent(event);
  const features = extractFeatures(decision.payload);
  const hashed = hashFeatures(event.ledgerId, features);
  // Hashes stand in the order of what they are made of.
  const stated = statedBy(event).mentions;
  const shared = matchesOf(indexEvent(compared), hashed).ids.flatMap(
    ({ form, token, mention }): SharedMention[] => {
      const own = hashed.mentions.findIndex(
        ({ canonical, digits }) => canonical === token || digits === token,
      );
      const [its, held] = [
        stated[compared.features.mentions.indexOf(mention)],
        features.mentions[own],
      ];
      return its === undefined || held === undefined
        ? []
        : [{ form, token, event: its, decision: held }];
    },
  );
  return { ...pair, compared, features, shared, fit: fitAmounts(compared, hashed.amounts).fit };
}

const MAX_SHARED = 5;

/** What the ledger knows besides. */
export interface Known {
  /** About how many decisions hold each token. */
  readonly holders: ReadonlyMap<number, number>;
  /** Whether another decision of the same case names the transaction. */
  readonly isLinked: boolean;
}

/** Says what a cause rests on. */
export function explainPair(pair: ComparedPair, { holders, isLinked }: Known): Explanation {
  const { event, decision, fit } = pair;
  const shared = [...pair.shared]
    .map((one) => ({ ...one, decisions: Math.max(1, holders.get(one.token) ?? 1) }))
    .sort((a, b) => Number(namesEntity(a)) - Number(namesEntity(b)) || a.decisions - b.decisions)
    .slice(0, MAX_SHARED)
    .map(
      ({ event: { raw }, decision: { raw: held }, decisions }): SharedIdentifier => ({
        event_field: findField(payloadOf(event), raw),
        event_value: raw,
        decision_field: findField(decision.payload, held),
        decision_value: held,
        decisions,
      }),
    );
  const parts = [
    inBoth(pair, shared),
    ...(isLinked ? ['another decision of the same case names the transaction'] : []),
    ...amountTexts(pair),
    delayText(decision.timestamp, pair.compared),
  ];
  return { sentence: `${capital(parts.join('; '))}.`, shared, amount: fit };
}

/** A customer says less of one transaction than its order does. */
const namesEntity = ({ event, decision }: SharedMention): boolean =>
  event.key.namesAnEntity || decision.key.namesAnEntity;

const MAX_NAMED = 3;

function inBoth({ event, fit }: ComparedPair, shared: readonly SharedIdentifier[]): string {
  const named = shared.slice(0, MAX_NAMED).map(nameOf);
  if (!statesAmount(fit)) {
    return named.length === 0 ? 'no identifier appears in both' : `${listOf(named)} in both`;
  }
  const sum = moneyText(event.amount, event.currency);
  if (named.length === 0) return `${sum} appears in both, but no identifier does`;
  return `${listOf([...named, sum])} in both`;
}

/** `order SO-7003`, `customer C-7 (which about 40 decisions state)`. */
function nameOf({ event_field, event_value, decision_value, decisions }: SharedIdentifier): string {
  const remarks = [
    ...(event_value === decision_value ? [] : [`written ${decision_value} by the decision`]),
    ...(decisions > 1 ? [`which about ${decisions} decisions state`] : []),
  ];
  const remark = remarks.length === 0 ? '' : ` (${remarks.join(', ')})`;
  return `${kindOf(event_field)}${event_value}${remark}`;
}

const ID_ENDS = new Set([
  ...[
    'id',
    'ids',
    'no',
    'nr',
    'num',
    'number',
    'nummer',
    'numero',
    'ref',
    'reference',
    'code',
    'uuid',
  ],
]);

/** The kind of thing that the name of a field says: `sales order ` of `metadata.salesOrderNo`. */
function kindOf(field: string | null): string {
  const name = field?.split('.').findLast((part) => !/^[0-9]+$/.test(part)) ?? '';
  const words = name
    .replace(/(\p{Ll}|[0-9])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !ID_ENDS.has(word) && word !== 'external');
  return words.length === 0 ? 'reference ' : `${words.join(' ')} `;
}

function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length === 1
    ? `${last} appears`
    : `${names.slice(0, -1).join(', ')} and ${last} appear`;
}

/** How the amounts of the decision fit, where they are not equal. */
const FITS: { readonly [Fit in AmountFit]: (sum: string, stated: string | null) => string[] } = {
  equal: () => [],
  minor: () => [],
  converted: (sum) => [`${sum} is an amount of the decision, converted`],
  sum: (sum) => [`${sum} is a sum, a difference or a stated rate of amounts of the decision`],
  part: (sum) => [`${sum} is a usual part of an amount of the decision`],
  below: (sum, stated) => [otherAmount(sum, stated)],
  other: (sum, stated) => [otherAmount(sum, stated)],
  none: () => ['the decision states no amount'],
};

const otherAmount = (sum: string, stated: string | null): string =>
  `the decision states ${stated ?? 'other amounts'}, not ${sum}`;

function amountTexts({ event, features, fit }: ComparedPair): string[] {
  const size = Math.abs(Number(event.amount));
  const [nearest] = features.amounts
    .filter(({ isMoney }) => isMoney)
    .sort((a, b) => Math.abs(a.value - size) - Math.abs(b.value - size));
  const stated =
    nearest === undefined
      ? null
      : moneyText(String(nearest.value), nearest.currency ?? event.currency);
  return FITS[fit](moneyText(event.amount, event.currency), stated);
}

/** @param decimal its sign is left out; it has at least the digits of the currency */
function moneyText(decimal: string, currency: string): string {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const digits = fraction.padEnd(isCurrency(currency) ? minorUnits(currency) : 0, '0');
  return `${digits === '' ? whole : `${whole}.${digits}`} ${currency}`;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
