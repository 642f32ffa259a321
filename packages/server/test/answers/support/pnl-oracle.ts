import {
  absolute,
  cents,
  type Fraction,
  isBelow,
  NOTHING,
  negative,
  over,
  parse,
  plus,
  rounded,
  times,
  toNumber,
  total,
  whole,
} from './fraction.js';
import { type PlannedEvent, type PlannedLink, TYPES } from './pnl-plan.js';

export const RATES = [
  { from: 'EUR', to: 'USD', date: '2026-03-10', rate: '1.1' },
  { from: 'EUR', to: 'USD', date: '2026-03-01', rate: '1.25' },
  { from: 'JPY', to: 'USD', date: '2026-03-05', rate: '0.0067' },
  { from: 'CHF', to: 'EUR', date: '2026-03-01', rate: '9' },
];

/** The rate for a day, or null if none is dated on or before it. */
function rateOn(currency: string, day: number): Fraction | null {
  if (currency === 'USD') return whole(1);
  if (currency === 'EUR') return parse(day >= 10 ? '1.1' : '1.25');
  if (currency === 'JPY' && day >= 5) return parse('0.0067');
  return null;
}

/** A link that counts, with its whole signed event and its share of it. */
interface Counted {
  readonly link: PlannedLink;
  readonly isConfirmed: boolean;
  readonly currency: string;
  readonly rate: Fraction | null;
  readonly amount: Fraction;
  readonly share: Fraction;
}

interface CountedEvent {
  readonly currency: string;
  readonly rate: Fraction | null;
  readonly amount: Fraction;
  readonly links: readonly Counted[];
}

function countedEvents(events: readonly PlannedEvent[]): CountedEvent[] {
  return events
    .filter(({ fate }) => fate !== 'deleted')
    .map((event) => {
      const isCorrected = event.fate === 'corrected';
      const amount = parse(isCorrected ? event.corrected : event.amount);
      const links = event.links.filter(
        ({ fate }) =>
          fate === 'stands' || fate === 'confirmed' || (fate === 'suggested' && !isCorrected),
      );
      const strengths = links.reduce((sum, { strength }) => sum + strength, 0);
      const { currency } = event;
      const rate = rateOn(currency, event.day);
      return {
        ...{ currency, rate, amount },
        links: links.map((link) => ({
          ...{ link, currency, rate, isConfirmed: link.fate !== 'suggested' },
          amount: signed(event.eventType, link, amount),
          share: over(whole(link.strength), whole(Math.max(100, strengths))),
        })),
      };
    });
}

function signed(eventType: string, { type }: PlannedLink, amount: Fraction): Fraction {
  if (type === 'revenue' || type === 'saving') return amount;
  const isReversal = /revers|recovery|reinstated/i.test(eventType);
  return isReversal ? absolute(amount) : negative(absolute(amount));
}

const NAMES = {
  ...{ revenue: 'revenue', cost: 'costs', loss: 'losses', refund: 'refunds', saving: 'savings' },
} as const;

const partOf = ({ amount, share, rate }: Counted): Fraction =>
  times(times(amount, share), rate ?? whole(1));

function figures(links: readonly Counted[]) {
  const named = TYPES.map((type) => [
    NAMES[type],
    cents(total(links.filter(({ link }) => link.type === type).map(partOf))),
  ]);
  return { ...Object.fromEntries(named), net: cents(total(links.map(partOf))) };
}

/** The profit and loss of a plan, computed by an independent method. */
export function expectedPnl(plan: readonly PlannedEvent[], ofDecision: (n: number) => boolean) {
  const events = countedEvents(plan);
  const all = events.flatMap(({ links }) => links).filter(({ link }) => ofDecision(link.decision));
  const converted = all.filter(({ rate }) => rate !== null);
  const rest = events.map(({ currency, rate, amount, links }) => ({
    ...{ currency, rate },
    amount: times(amount, plus(whole(1), negative(total(links.map(({ share }) => share))))),
  }));
  return {
    expected: figures(converted),
    confirmed: figures(converted.filter(({ isConfirmed }) => isConfirmed)),
    interval: interval(events, ofDecision),
    unattributed: cents(
      total(rest.flatMap(({ amount, rate }) => (rate === null ? [] : [times(amount, rate)]))),
    ),
    unconverted: byCurrency(
      all.filter(({ rate }) => rate === null).map((one) => [one.currency, partOf(one)]),
    ),
    unattributed_unconverted: byCurrency(
      rest.filter(({ rate }) => rate === null).map(({ currency, amount }) => [currency, amount]),
    ),
  };
}

function byCurrency(amounts: readonly (readonly [string, Fraction])[]) {
  return [...new Set(amounts.map(([currency]) => currency))].sort().map((currency) => ({
    currency,
    amount: rounded(
      total(amounts.flatMap(([own, amount]) => (own === currency ? [amount] : []))),
      currency === 'JPY' ? 0 : 2,
    ),
  }));
}

/**
 * The mean, variance and range of the net, by enumerating the outcomes of each event: one of its
 * suggestions takes the share that settled links leave, or none does.
 */
function interval(events: readonly CountedEvent[], ofDecision: (n: number) => boolean) {
  let [mean, variance, bottom, top] = [NOTHING, NOTHING, NOTHING, NOTHING];
  for (const { links, rate } of events) {
    if (rate === null) continue;
    const settled = links.filter(({ isConfirmed }) => isConfirmed);
    const open = plus(whole(1), negative(total(settled.map(({ share }) => share))));
    const own = total(settled.filter(({ link }) => ofDecision(link.decision)).map(partOf));
    const ways = links
      .filter(({ isConfirmed, share }) => !isConfirmed && share.n > 0n)
      .map(({ link, amount, share }) => ({
        outcome: ofDecision(link.decision) ? times(times(amount, rate), open) : NOTHING,
        probability: over(share, open),
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
