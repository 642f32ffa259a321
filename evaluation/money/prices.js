import { worth } from './currencies.js';

/** In cents of the base currency. The first one sells best: the n-th sells 1/n as often. */
const ARTICLES = [
  ...[1990, 2900, 990, 4990, 3490, 1490, 9900, 5900, 2490, 790, 12900, 6990, 1290, 3990, 19900],
  ...[899, 2250, 4500, 7900, 1650, 14900, 3200, 590, 8400, 24900, 1890, 2790, 11500, 5290, 39900],
];
const SHIPPING = 490;

/**
 * What a customer pays: mostly some pieces of one article, so that many pay the same; else what was agreed.
 * @param {import('./company.js').Company} company
 * @param {string} currency
 */
export function price({ random }, currency) {
  if (random.chance(0.35)) return worth(Math.round(random.logNormal(6500, 0.9)) + 100, currency);
  const article = random.weighted(RANKED).price;
  const pieces = random.chance(0.75) ? 1 : 2 + random.below(3);
  return listed(article, currency) * pieces + (random.chance(0.4) ? listed(SHIPPING, currency) : 0);
}

const RANKED = ARTICLES.map((price, index) => ({ price, share: 1 / (index + 1) }));

/** The list has the same figures in every currency, or a multiple of them. */
function listed(cents, currency) {
  if (currency === 'JPY') return cents;
  return currency === 'SEK' ? cents * 10 : cents;
}
