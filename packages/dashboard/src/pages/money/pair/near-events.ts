import type { Ledger } from '@decision-ledger/client';
import type {
  FinancialEventQuery,
  ReportedEvent,
} from '@decision-ledger/client/api/financial-event';
import { absoluteOf, isDecimal } from '../../../format/decimal.ts';

const DAY_MS = 86_400_000;
/** Sources report one payment within these days. */
const NEAR_DAYS = 45;
/** What taxes and fees come to at most, as a part of the amount. */
const NEAR_AMOUNT = 0.35;
const READ = 100;
const SHOWN = 12;

type Own = Pick<ReportedEvent, 'id' | 'amount' | 'currency' | 'timestamp' | 'movement'>;

/**
 * Events that may report the same money as one, the nearest in amount and time first.
 * @param text an id, an amount, words, a source or a customer; empty for all that are near
 */
export async function findPartners(
  ledger: Ledger,
  own: Own,
  text: string,
  signal: AbortSignal,
): Promise<ReportedEvent[]> {
  const found = await read(ledger, text === '' ? [nearTo(own)] : queriesOf(text), signal);
  if (text.startsWith('evt_')) found.push(await ledger.events.get(text, { signal }));
  return nearestFirst(own, found).slice(0, SHOWN);
}

async function read(ledger: Ledger, queries: readonly FinancialEventQuery[], signal: AbortSignal) {
  const pages = await Promise.all(
    queries.map((query) => ledger.events.list({ ...query, limit: READ }, { signal }).page()),
  );
  return pages.flatMap(({ financial_events }) => financial_events);
}

function nearTo({ amount, timestamp }: Own): FinancialEventQuery {
  const size = Math.abs(Number(amount));
  const at = Date.parse(timestamp);
  const limit = (factor: number) => (size * factor).toFixed(2);
  return {
    ...{ min_amount: limit(1 - NEAR_AMOUNT), max_amount: limit(1 + NEAR_AMOUNT) },
    start: new Date(at - NEAR_DAYS * DAY_MS).toISOString(),
    end: new Date(at + NEAR_DAYS * DAY_MS).toISOString(),
  };
}

function queriesOf(text: string): FinancialEventQuery[] {
  if (text.startsWith('evt_')) return [];
  const amount = absoluteOf(text.replaceAll(',', ''));
  if (isDecimal(amount)) return [{ amount }, { text }];
  return [{ text }, { source: text }, { metadata_value: text }];
}

/**
 * Without those of its movement. One per cent of the amount is as far as one day, another currency as 20, and the opposite
 * direction as 100.
 */
export function nearestFirst<Event extends Own>(own: Own, found: readonly Event[]): Event[] {
  const size = Math.abs(Number(own.amount));
  const distanceOf = ({ amount, currency, timestamp }: Own) =>
    (size === 0 ? 0 : Math.abs(Math.abs(Number(amount)) / size - 1) * 100) +
    Math.abs(Date.parse(timestamp) - Date.parse(own.timestamp)) / DAY_MS +
    (currency === own.currency ? 0 : 20) +
    (amount.startsWith('-') === own.amount.startsWith('-') ? 0 : 100);
  const others = new Map(
    found
      .filter(({ id }) => !own.movement.reports.includes(id))
      .map((event) => [event.id, { event, distance: distanceOf(event) }]),
  );
  return [...others.values()]
    .sort((one, other) => one.distance - other.distance)
    .map(({ event }) => event);
}
