import { createRandom } from '../random.js';
import { converted, grossAndFee, netOfFee, taxed } from './bookings.js';
import { DAY } from './calendar.js';
import { createCompany } from './company.js';
import { decimal } from './currencies.js';
import { invoices } from './invoices.js';
import { closeMarketplace, MARKETPLACE } from './marketplace.js';
import { payouts } from './payouts.js';
import { chargedTwice, cost, disputedSale, refundedSale } from './returns.js';
import { sell } from './sales.js';
import { partialCapture, popular, subscription, voidedAuthorisation } from './stories.js';

const SHOP = [
  { share: 46, tell: (company) => sell(company, { category: 'sale' }) },
  { share: 5, tell: popular },
  { share: 1.5, tell: subscription },
  { share: 9, tell: refundedSale },
  { share: 0.7, tell: chargedTwice },
  { share: 4, tell: partialCapture },
  { share: 3, tell: voidedAuthorisation },
  { share: 4, tell: disputedSale },
  { share: 3, tell: netOfFee },
  { share: 4, tell: grossAndFee },
  { share: 7, tell: taxed },
  { share: 6, tell: converted },
  { share: 4, tell: invoices },
  { share: 6, tell: cost },
];

const PRESETS = {
  shop: { stories: SHOP, lumps: 'GBP', end: payouts },
  marketplace: { stories: MARKETPLACE, lumps: null, end: closeMarketplace },
};

export const NAMES = Object.keys(PRESETS);

/** @typedef {ReturnType<typeof makeBusiness>} Business */

/**
 * A year of a company, with what really happened beside what its sources say of it.
 * @param {{ seed: number, movements: number, preset?: string }} options movements: about how many, without payouts
 */
export function makeBusiness({ seed, movements, preset = 'shop' }) {
  const random = createRandom(seed);
  const { stories, lumps, end } = PRESETS[preset];
  const customers = Math.max(400, Math.round(movements / 8));
  const company = createCompany(random, { customers, lumps });
  while (company.movements.length < movements) random.weighted(stories).tell(company);
  end(company);
  editBooks(company);
  const { posts, webhooks, entries, rates, account } = company;
  const { toBase, settings } = rates;
  const sent = { posts, webhooks, entries, account };
  return { movements: company.movements, ...sent, rates: settings, toBase };
}

/** Bookkeepers correct texts and amounts, add the number of an order later, and delete what they posted twice. */
function editBooks(company) {
  const { random, entries } = company;
  for (const entry of [...entries]) {
    const [{ from, text }] = entry.versions;
    const edited = from + (5 + random.below(50)) * DAY;
    const change = (first) => {
      entry.versions = [
        { from, text: { ...text, ...first } },
        { from: edited, text },
      ];
    };
    const way = random.next();
    if (way < 0.03) change({ description: `${text.description} (to be checked)` });
    else if (way < 0.04) change({ postings: text.postings.map(mistyped) });
    else if (way < 0.045 && text.code !== undefined) change({ code: undefined });
    else if (way < 0.05) {
      const tags = { ...text.tags, voucher: company.voucher() };
      const again = { ...text, tags };
      entries.push({
        ...entry,
        voucher: tags.voucher,
        ends: edited,
        versions: [{ from, text: again }],
      });
    }
  }
}

/** Two digits are exchanged. */
function mistyped(posting) {
  const text = decimal(posting.amount, posting.currency);
  const swapped = text.replace(/(\d)(\d)$/, '$2$1').replace('.', '');
  return { ...posting, amount: Number(swapped) };
}
