import { DAY, dayOf, YEAR_DAYS, YEAR_START } from './calendar.js';

/** The company keeps its books in this currency. */
export const BASE = 'EUR';

/** The share of sales, the digits of the minor unit, and what one costs in the base currency at first. */
const CURRENCIES = {
  EUR: { share: 0.66, digits: 2, price: 1 },
  USD: { share: 0.16, digits: 2, price: 0.92 },
  GBP: { share: 0.08, digits: 2, price: 1.17 },
  SEK: { share: 0.06, digits: 2, price: 0.088 },
  JPY: { share: 0.04, digits: 0, price: 0.0062 },
};

export const CODES = Object.keys(CURRENCIES);

/** @param {string} currency */
export const digitsOf = (currency) => CURRENCIES[currency].digits;

/** @param {import('../random.js').Random} random */
export function pickCurrency(random) {
  return random.weighted(CODES.map((code) => ({ code, share: CURRENCIES[code].share }))).code;
}

/**
 * An amount in minor units as decimal text.
 * @param {number} minor
 * @param {string} currency
 */
export function decimal(minor, currency) {
  const digits = digitsOf(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const sign = minor < 0 ? '-' : '';
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, point)}.${text.slice(point)}`;
}

/**
 * Amounts in a currency that are worth about the same as in the base currency.
 * @param {number} base minor units of the base currency
 * @param {string} currency
 */
export function worth(base, currency) {
  const { digits, price } = CURRENCIES[currency];
  return Math.max(1, Math.round((base / 100 / price) * 10 ** digits));
}

/** Rates of each day, as the settings of the service hold them. @param {import('../random.js').Random} random */
export function createRates(random) {
  const days = Array.from({ length: YEAR_DAYS + 150 }, (_, day) => dayOf(YEAR_START + day * DAY));
  const byCurrency = new Map(
    CODES.filter((code) => code !== BASE).map((code) => {
      let price = CURRENCIES[code].price;
      const ofDays = days.map((day) => {
        price *= 1 + 0.004 * random.normal();
        return /** @type {const} */ ([day, price.toPrecision(6)]);
      });
      return [code, new Map(ofDays)];
    }),
  );
  return {
    /** Minor units of the base currency. @param {number} minor */
    toBase(minor, currency, at) {
      const rate = currency === BASE ? 1 : Number(byCurrency.get(currency)?.get(dayOf(at)));
      return Math.round((minor / 10 ** digitsOf(currency)) * rate * 100);
    },
    settings: [...byCurrency].flatMap(([from, ofDays]) =>
      [...ofDays].map(([date, rate]) => ({ from, to: BASE, date, rate })),
    ),
  };
}
