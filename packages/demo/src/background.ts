import type { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import { DAY, fromCents, HOUR } from './draft.js';
import { SeededRandom } from './random.js';

/** Money that no decision of an agent moved. */
export interface BackgroundEvent {
  /** ms. */
  readonly at: number;
  readonly body: Omit<FinancialEventBody, 'timestamp'>;
}

interface Regular {
  readonly source: string;
  readonly event_type: string;
  readonly description: string;
  readonly cents: number;
  /** Spread of the amounts: the standard deviation of their logarithm. */
  readonly spread: number;
  readonly days: number;
  readonly currency?: string;
}

const REGULAR: readonly Regular[] = [
  ...[
    { source: 'bank', event_type: 'rent', description: 'Rent, Hafenstrasse 12', cents: -840_000 },
    { source: 'payroll', event_type: 'payroll', description: 'Salaries', cents: -11_850_000 },
    { source: 'bank', event_type: 'tax', description: 'Advance payment of tax', cents: -620_000 },
    { source: 'bank', event_type: 'insurance', description: 'Insurance', cents: -74_000 },
  ].map((one) => ({ ...one, spread: 0.01, days: 30.4 })),
  ...[
    { source: 'bank', event_type: 'bank_fee', description: 'Account fees', cents: -1900, days: 6 },
    {
      source: 'cards',
      event_type: 'card_expense',
      description: 'Office supplies',
      cents: -4600,
      days: 4,
    },
    {
      source: 'cards',
      event_type: 'card_expense',
      description: 'Team lunch',
      cents: -11_800,
      days: 8,
    },
    {
      source: 'stripe',
      event_type: 'payout_fee',
      description: 'Fees of payouts',
      cents: -3100,
      days: 7,
    },
    {
      source: 'bank',
      event_type: 'interest_income',
      description: 'Interest',
      cents: 8800,
      days: 30,
    },
    {
      source: 'shop',
      event_type: 'gift_card_sale',
      description: 'Gift cards',
      cents: 31_000,
      days: 5,
    },
  ].map((one) => ({ ...one, spread: 0.5 })),
  // A fair in a currency for which nobody entered a rate.
  {
    source: 'cards',
    event_type: 'card_expense',
    description: 'Fair in Oslo, stand',
    cents: -184_000,
    spread: 0.6,
    days: 61,
    currency: 'NOK',
  },
];

/** Rent, salaries, fees and the like. */
export function makeBackground(seed: string, start: number, end: number): BackgroundEvent[] {
  const random = new SeededRandom(`${seed} background`);
  return REGULAR.flatMap(({ cents, spread, days, currency = 'EUR', ...regular }) => {
    const found: BackgroundEvent[] = [];
    let at = start + random.between(0, days) * DAY;
    while (at < end) {
      const amount = Math.round(random.logNormal(cents, spread));
      const body = { ...regular, amount: fromCents(amount), currency };
      found.push({
        at: Math.floor(at / HOUR) * HOUR,
        body: { ...body, external_id: `${regular.source}-${random.code(10)}` },
      });
      at += days * DAY * random.between(0.9, 1.1);
    }
    return found;
  });
}
