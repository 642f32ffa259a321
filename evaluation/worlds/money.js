// Amounts of money and rates of exchange.
import { DAY, dayOf, START } from './time.js';

/** @param {number} cents @returns {string} decimal text */
export function decimal(cents) {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Cents of a price: log-normal, at least 1.00. */
export const cents = (random, median, sigma = 0.7) =>
  Math.max(100, Math.round(random.logNormal(median * 100, sigma)));

/**
 * A rate for each day, each a small step from that of the day before.
 * @param {import('../random.js').Random} random
 * @param {Record<string, number>} first units of the base currency for one unit, on the first day
 * @param {number} span ms
 */
export function walkRates(random, base_currency, first, span) {
  const days = Math.ceil(span / DAY) + 450;
  const rates = {};
  for (const [currency, start] of Object.entries(first)) {
    let rate = start;
    rates[currency] = {};
    for (let day = 0; day < days; day++) {
      rate *= Math.exp(0.004 * random.normal());
      rates[currency][dayOf(START + day * DAY)] = Number(rate.toPrecision(6));
    }
  }
  return { base_currency, rates };
}

/** Units of the base currency for one unit of the currency; 1 where a world has no rates. */
export function rateOn({ base_currency, rates }, currency, time) {
  if (currency === base_currency) return 1;
  return rates[currency]?.[dayOf(time)] ?? 1;
}
