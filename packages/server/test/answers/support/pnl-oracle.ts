import { DecisionPage } from '@decision-ledger/contract/decision';
import { FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { LinkPage } from '@decision-ledger/contract/link';
import { type Client, dataOf } from '../../support/client.js';
import {
  absolute,
  type Fraction,
  isBelow,
  NOTHING,
  negative,
  over,
  parse,
  plus,
  times,
  toNumber,
  total,
  whole,
} from './fraction.js';
import { UNSIGNED } from './pnl-plan.js';

export const RATES = [
  { from: 'EUR', to: 'USD', date: '2026-03-10', rate: '1.1' },
  { from: 'EUR', to: 'USD', date: '2026-03-01', rate: '1.25' },
  { from: 'JPY', to: 'USD', date: '2026-03-05', rate: '0.0067' },
  { from: 'KWD', to: 'USD', date: '2026-01-05', rate: '3.257' },
  { from: 'CHF', to: 'EUR', date: '2026-03-01', rate: '9' },
];
export type Rate = (typeof RATES)[number];

/** The rate for a day (`2026-03-01`), or null if none is dated on or before it. */
function rateOn(rates: readonly Rate[], currency: string, day: string): Fraction | null {
  if (currency === 'USD') return whole(1);
  const [latest] = rates
    .filter(({ from, to, date }) => from === currency && to === 'USD' && date <= day)
    .sort((a, b) => (a.date < b.date ? 1 : -1));
  return latest === undefined ? null : parse(latest.rate);
}

/** A live link as the lists show it, with its exact share of the event. */
export interface LiveLink {
  readonly id: string;
  readonly decisionId: string;
  readonly agent: string;
  readonly actionType: string;
  readonly decisionCustomer: string | null;
  readonly type: 'revenue' | 'cost' | 'loss' | 'refund' | 'saving';
  readonly label: 'confirmed' | 'matched' | 'guessed';
  readonly share: Fraction;
}

export interface LiveEvent {
  readonly id: string;
  readonly at: number;
  readonly currency: string;
  readonly rate: Fraction | null;
  /** The amount with the sign that it counts with. */
  readonly counted: Fraction;
  readonly customer: string | null;
  readonly links: readonly LiveLink[];
}

type Listed = LinkPage['links'][number];

const isHuman = ({ status }: Listed) => status === 'CONFIRMED' || status === 'ML_INFERRED';
const isOutgoing = ({ link_type }: Listed) =>
  link_type === 'cost' || link_type === 'refund' || link_type === 'loss';

/** The sign rule, from the lists alone. */
function countedOf(
  event: FinancialEventPage['financial_events'][number],
  links: Listed[],
): Fraction {
  const amount = parse(event.amount);
  const human = links.filter(isHuman);
  const [first] = human;
  if (first !== undefined) {
    if (!human.every((one) => isOutgoing(one) && one.reversal === first.reversal)) return amount;
    return first.reversal ? absolute(amount) : negative(absolute(amount));
  }
  const sign = Object.entries(UNSIGNED).find(([type]) => type === event.event_type)?.[1] ?? 0;
  if (event.source !== 'unsigned') return amount;
  if (sign === 0) return parse('0');
  return sign < 0 ? negative(absolute(amount)) : absolute(amount);
}

/** A scalar `customer_id` as text. */
function customerIn(metadata: unknown): string | null {
  const value: unknown = Object(metadata).customer_id;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The live events of a ledger and the links that count, read from the lists. */
export async function readLive(client: Client, rates: readonly Rate[]): Promise<LiveEvent[]> {
  const { links } = dataOf(await client.get('/links?limit=500'), LinkPage);
  const events = dataOf(await client.get('/financial-events?limit=500'), FinancialEventPage);
  const { decisions } = dataOf(await client.get('/decisions?limit=500'), DecisionPage);
  return events.financial_events.map((event) => {
    const own = links.filter(
      (one) => one.financial_event_id === event.id && one.status !== 'REJECTED',
    );
    const hundredths = ({ correlation_strength }: Listed) => parse(String(correlation_strength));
    const sum = total(own.map(hundredths));
    const at = Date.parse(event.timestamp);
    return {
      ...{ id: event.id, at, currency: event.currency },
      rate: rateOn(rates, event.currency, new Date(at).toISOString().slice(0, 10)),
      counted: countedOf(event, own),
      customer: customerIn(event.metadata),
      links: own.map((one) => {
        const decision = decisions.find(({ decision_id }) => decision_id === one.decision_id);
        return {
          ...{ id: one.id, decisionId: one.decision_id, type: one.link_type },
          agent: decision?.agent_id ?? '',
          actionType: decision?.action_type ?? '',
          decisionCustomer: customerIn(decision?.metadata),
          label: isHuman(one) ? 'confirmed' : one.label === 'matched' ? 'matched' : 'guessed',
          share: over(hundredths(one), isBelow(whole(1), sum) ? sum : whole(1)),
        };
      }),
    };
  });
}

/**
 * The mean, variance and range of the confirmed and matched net, by enumerating the outcomes of each
 * event: one of its suggestions takes the share that settled links leave, or none does. A guess that is
 * the cause counts nothing.
 */
export function intervalOf(events: readonly LiveEvent[], counts: (link: LiveLink) => boolean) {
  let [mean, variance, bottom, top] = [NOTHING, NOTHING, NOTHING, NOTHING];
  for (const { links, rate, counted } of events) {
    if (rate === null) continue;
    const money = times(counted, rate);
    const settled = links.filter(({ label }) => label === 'confirmed');
    const open = plus(whole(1), negative(total(settled.map(({ share }) => share))));
    const own = total(settled.filter(counts).map(({ share }) => times(money, share)));
    const ways = links
      .filter(({ label, share }) => label !== 'confirmed' && share.n > 0n)
      .map((link) => ({
        outcome: link.label === 'matched' && counts(link) ? times(money, open) : NOTHING,
        probability: over(link.share, open),
      }));
    const first = total(ways.map(({ outcome, probability: p }) => times(outcome, p)));
    const second = total(
      ways.map(({ outcome, probability: p }) => times(times(outcome, outcome), p)),
    );
    const outcomes = [NOTHING, ...ways.map(({ outcome }) => outcome)];
    mean = total([mean, own, first]);
    variance = total([variance, second, negative(times(first, first))]);
    bottom = total([bottom, own, outcomes.reduce((a, b) => (isBelow(b, a) ? b : a))]);
    top = total([top, own, outcomes.reduce((a, b) => (isBelow(a, b) ? b : a))]);
  }
  const reach = 1.645 * Math.sqrt(toNumber(variance));
  return {
    low: Math.max(toNumber(mean) - reach, toNumber(bottom)),
    high: Math.min(toNumber(mean) + reach, toNumber(top)),
  };
}
