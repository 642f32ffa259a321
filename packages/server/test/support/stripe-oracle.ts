import type { Payload } from './stripe-events.js';

/** Stripe's number of decimals for the currencies of the tests. */
const DECIMALS = { usd: 2, jpy: 0, kwd: 3, isk: 2 } as const;
export const CURRENCIES = ['usd', 'jpy', 'kwd', 'isk'] as const;

/** The expected value of a movement, in Stripe's smallest unit, and its time, in seconds. */
export interface Expected {
  readonly minor: bigint;
  readonly currency: string;
  readonly at: number;
}

interface Fact {
  readonly type: string;
  readonly created: number;
  readonly id: string;
  readonly object: Payload;
}

/**
 * The expected movements after these payloads, computed independently: one entry per movement,
 * named `object/kind`.
 */
export function expectedMovements(payloads: readonly Payload[]): Map<string, Expected> {
  const facts = new Map<string, Fact>();
  for (const payload of payloads) facts.set(text(payload.id), factOf(payload));
  const all = [...facts.values()];
  const expected = new Map<string, Expected>();
  for (const object of new Set(all.map((fact) => text(fact.object.id)))) {
    const own = all.filter((fact) => text(fact.object.id) === object);
    for (const [kind, sign, bringing] of kindsOf(own)) {
      if (bringing.length === 0) continue;
      const newest = bringing.reduce((a, b) => (isLater(b, a) ? b : a));
      const amount = newest.object.amount_captured ?? newest.object.amount;
      expected.set(`${object}/${kind}`, {
        minor: sign * BigInt(Number(amount)),
        currency: text(newest.object.currency).toUpperCase(),
        at: Math.min(...bringing.map(({ created }) => created)),
      });
    }
  }
  return expected;
}

function kindsOf(facts: readonly Fact[]): [kind: string, sign: bigint, bringing: Fact[]][] {
  const ofType = (type: string) => facts.filter((fact) => fact.type === type);
  const refunds = facts.filter(({ type }) => /refund/.test(type));
  const failures = refunds.filter(
    ({ type, object }) =>
      type === 'refund.failed' || object.status === 'failed' || object.status === 'canceled',
  );
  const successes = refunds.filter(
    (fact) => fact.object.status === 'succeeded' && !failures.includes(fact),
  );
  return [
    [
      'charge',
      1n,
      [
        ...ofType('charge.succeeded').filter((f) => f.object.captured === true),
        ...ofType('charge.captured'),
      ],
    ],
    ['refund', -1n, successes],
    ['refund_reversal', 1n, successes.length === 0 ? [] : failures],
    ['dispute', 0n, ofType('charge.dispute.created')],
    ['dispute_loss', -1n, ofType('charge.dispute.funds_withdrawn')],
    ['dispute_recovery', 1n, ofType('charge.dispute.funds_reinstated')],
  ];
}

function factOf({ type, created, id, data }: Payload): Fact {
  const inner = isPayload(data) ? data.object : undefined;
  if (!isPayload(inner)) throw new Error('a payload without an object');
  return { type: text(type), created: Number(created), id: text(id), object: inner };
}

function isPayload(value: Payload[string] | undefined): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLater(a: Fact, b: Fact): boolean {
  return a.created === b.created ? a.id > b.id : a.created > b.created;
}

const text = (value: Payload[string] | undefined) => String(value);

/** An answered amount in the smallest unit; throws for any other number of decimals. */
export function minorUnits(amount: string, currency: string): bigint {
  const entry = Object.entries(DECIMALS).find(([code]) => code === currency.toLowerCase());
  if (entry === undefined) throw new Error(`${currency} is not in these tests`);
  const [, decimals = ''] = amount.split('.');
  if (decimals.length !== entry[1]) throw new Error(`${amount} ${currency} has other decimals`);
  return BigInt(amount.replace('.', ''));
}

/** Sums in the smallest unit, one per currency. */
export function sums(
  parts: Iterable<{ readonly currency: string; readonly minor: bigint }>,
): Record<string, bigint> {
  const totals: Record<string, bigint> = {};
  for (const { currency, minor } of parts) totals[currency] = (totals[currency] ?? 0n) + minor;
  return totals;
}
