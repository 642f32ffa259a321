import type { SeededRandom } from './random.js';

const FIRST = [
  ...['Amelia', 'Aisha', 'Anton', 'Beatriz', 'Callum', 'Chiara', 'Daniel', 'Dilara', 'Elin'],
  ...['Emeka', 'Emma', 'Felix', 'Freya', 'Grace', 'Hanna', 'Hugo', 'Ines', 'Isaac', 'Jakub'],
  ...['Jonas', 'Julia', 'Kamil', 'Klara', 'Lars', 'Leila', 'Liam', 'Lucia', 'Maja', 'Marek'],
  ...['Mateo', 'Maya', 'Nadia', 'Niamh', 'Noah', 'Olivia', 'Oscar', 'Paula', 'Pieter', 'Priya'],
  ...['Rasmus', 'Rosa', 'Samir', 'Sofia', 'Stefan', 'Tara', 'Theo', 'Valentina', 'Yusuf', 'Zofia'],
] as const;
const LAST = [
  ...['Adeyemi', 'Andersson', 'Baker', 'Becker', 'Bianchi', 'Brennan', 'Carter', 'Costa', 'Dubois'],
  ...[
    'Evans',
    'Fischer',
    'Fontaine',
    'Garcia',
    'Hansen',
    'Hoffmann',
    'Hughes',
    'Ivanova',
    'Jansen',
  ],
  ...['Kaya', 'Keller', 'Kowalski', 'Larsen', 'Lindgren', 'Marino', 'Martin', 'Meyer', 'Morgan'],
  ...['Murphy', 'Nowak', 'Okafor', 'Oliveira', 'Patel', 'Petrov', 'Quinn', 'Reid', 'Romano'],
  ...['Santos', 'Schmid', 'Singh', 'Sørensen', 'Taylor', 'Vermeer', 'Virtanen', 'Walsh', 'Weber'],
] as const;

/** The currencies of the business; the first one is that of its books. */
export const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'PLN'] as const;
export type Currency = (typeof CURRENCIES)[number];

const MARKETS: readonly [Market, ...Market[]] = [
  { country: 'DE', currency: 'EUR', weight: 28 },
  { country: 'FR', currency: 'EUR', weight: 17 },
  { country: 'NL', currency: 'EUR', weight: 9 },
  { country: 'GB', currency: 'GBP', weight: 16 },
  { country: 'US', currency: 'USD', weight: 14 },
  { country: 'CH', currency: 'CHF', weight: 6 },
  { country: 'SE', currency: 'SEK', weight: 6 },
  { country: 'PL', currency: 'PLN', weight: 4 },
];

interface Market {
  readonly country: string;
  readonly currency: Currency;
  readonly weight: number;
}

export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly country: string;
  readonly currency: Currency;
}

/** Customers who buy for themselves. */
export function makeCustomers(random: SeededRandom, count: number): readonly Customer[] {
  return Array.from({ length: count }, (_, index) => {
    const [first, last] = [random.pick(FIRST), random.pick(LAST)];
    const { country, currency } = marketOf(random);
    const address = `${first}.${last}${index}`.toLowerCase().replace('ø', 'o');
    return {
      id: `cus_${10_000 + index}`,
      name: `${first} ${last}`,
      email: `${address}@example.com`,
      country,
      currency,
    };
  });
}

const TRADES = ['Interiors', 'Hotels', 'Offices', 'Studios', 'Schools', 'Restaurants'] as const;
const FORMS: Readonly<Record<string, string>> = { DE: 'GmbH', FR: 'SARL', NL: 'BV', GB: 'Ltd' };

/** Companies that buy on invoice. */
export function makeCompanies(random: SeededRandom, count: number): readonly Customer[] {
  return Array.from({ length: count }, (_, index) => {
    const { country, currency } = marketOf(random);
    const name = `${random.pick(LAST)} ${random.pick(TRADES)} ${FORMS[country] ?? 'AG'}`;
    return {
      id: `acc_${2000 + index}`,
      name,
      email: `accounts${index}@example.com`,
      country,
      currency,
    };
  });
}

function marketOf(random: SeededRandom): Market {
  let left = random.next() * MARKETS.reduce((sum, { weight }) => sum + weight, 0);
  for (const market of MARKETS) {
    left -= market.weight;
    if (left < 0) return market;
  }
  return MARKETS[0];
}

/** People of the finance team, who review links. */
export const REVIEWERS = ['Marta Okafor', 'Jonas Keller', 'Priya Raman'] as const;
/** People who approve what an agent may not decide alone. */
export const APPROVERS = ['m.okafor', 'd.laurent', 's.whitfield'] as const;
