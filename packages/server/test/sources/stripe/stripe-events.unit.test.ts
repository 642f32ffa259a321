import { CURRENCIES } from '@decision-ledger/contract/currency';
import { LedgerError } from '@decision-ledger/contract/errors';
import { parseJson } from '@decision-ledger/proof/gate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromStripeUnits, StripePayloadError } from '#server/domains/sources/stripe/rules/amount';
import {
  chargeOf,
  readStripeEvent,
  STRIPE_EVENT_TYPES,
} from '#server/domains/sources/stripe/rules/stripe-event';
import {
  charge,
  dispute,
  eventOf,
  everyMoneyEvent,
  everyOtherEvent,
  type Payload,
  refund,
} from '../../support/stripe-events.js';

const read = (payload: unknown) => readStripeEvent(parseJson(JSON.stringify(payload)));

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function fieldsOf(payload: unknown): string[] {
  const error = errorOf(() => read(payload));
  if (!(error instanceof LedgerError)) throw error;
  expect(error.code).toBe('validation_error');
  return Object.keys(error.details?.fields ?? {});
}

describe('Stripe amounts', () => {
  it.for([
    [500, 'JPY', '500'],
    [1234, 'KWD', '1.234'],
    [50_000, 'ISK', '500.00'],
    [50_000, 'UGX', '500.00'],
    [1099, 'USD', '10.99'],
    [7, 'EUR', '0.07'],
    [5, 'KWD', '0.005'],
    [1000, 'MGA', '1000'],
    [1000, 'HUF', '10.00'],
    [1000, 'IQD', '10.00'],
    [-1099, 'USD', '-10.99'],
    [-1, 'BHD', '-0.001'],
    [0, 'USD', '0.00'],
    [-0, 'USD', '0.00'],
    [-0, 'JPY', '0'],
    [0, 'KWD', '0.000'],
    [Number.MAX_SAFE_INTEGER, 'USD', '90071992547409.91'],
    [Number.MIN_SAFE_INTEGER, 'KWD', '-9007199254740.991'],
    [Number.MAX_SAFE_INTEGER, 'JPY', '9007199254740991'],
  ] as const)('The Stripe amount %d %s is %s', ([amount, currency, text]) => {
    expect(fromStripeUnits(amount, currency)).toBe(text);
  });

  it('An amount keeps every digit and nothing else, in every currency', () => {
    const currency = fc.constantFrom(...CURRENCIES.keys());
    fc.assert(
      fc.property(fc.maxSafeInteger(), currency, (amount, code) => {
        const text = fromStripeUnits(amount, code);
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{2,3})?$/);
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(amount));
      }),
    );
  });

  it('An amount has as many decimals as Stripe uses, which differs from ISO 4217 in places', () => {
    const decimals = (code: string) => fromStripeUnits(0, code).split('.')[1]?.length ?? 0;
    const others = [...CURRENCIES].filter(([code, exponent]) => decimals(code) !== exponent);
    expect(others.map(([code]) => code).sort()).toEqual(['IQD', 'ISK', 'LYD', 'MGA', 'UGX']);
  });

  it.for([
    [10.5, 'USD'],
    [2 ** 53, 'USD'],
    [Number.NaN, 'USD'],
    [Number.POSITIVE_INFINITY, 'USD'],
    [1, 'usd'],
    [1, 'USDC'],
    [1, ''],
  ] as const)('The Stripe amount %d %s is refused', ([amount, currency]) => {
    expect(() => fromStripeUnits(amount, currency)).toThrow(RangeError);
  });
});

describe('Stripe events', () => {
  it.for(everyMoneyEvent())(
    'An event of type $type concerns its object and its charge',
    (payload) => {
      const event = read(payload);
      const kind = event.event.data.object;
      expect(event.about).toBe('object' in kind ? kind.object : undefined);
      expect(event.about === null ? null : chargeOf(event)).toBe(charge().id);
      expect(event.event).toEqual(payload);
    },
  );

  it('An event of an object that names no charge, or one that cannot be stored, is of its own', () => {
    for (const of of [null, '', '\ud800', {}, 7]) {
      const event = readStripeEvent(eventOf('refund.created', { ...refund(), charge: of }));
      expect(event.about === null ? null : chargeOf(event)).toBe(refund().id);
    }
  });

  it('Every type that can move money is known', () => {
    expect(everyMoneyEvent().map(({ type }) => type)).toEqual(
      expect.arrayContaining([...STRIPE_EVENT_TYPES]),
    );
    expect(everyMoneyEvent()).toHaveLength(STRIPE_EVENT_TYPES.length);
  });

  it.for(everyOtherEvent())('An event of type $type is read and concerns nothing', (payload) => {
    const event = read(payload);
    expect(event.about).toBeNull();
  });

  it('An event of another type is still refused if it does not have the shape of an event', () => {
    expect(fieldsOf({ ...eventOf('payout.paid', {}), created: '2026-03-01' })).toEqual(['created']);
    expect(fieldsOf({ type: 'payout.paid' })).toEqual(['id', 'livemode', 'created', 'data']);
    expect(fieldsOf([])).toEqual(['event']);
    expect(fieldsOf(null)).toEqual(['event']);
  });

  it('An event about money is refused with every missing or wrong member named', () => {
    const { amount, currency, ...rest } = charge();
    expect([amount, currency]).toEqual([1099, 'usd']);
    expect(fieldsOf(eventOf('charge.succeeded', rest))).toEqual([
      'data.object.amount',
      'data.object.currency',
    ]);
    expect(fieldsOf(eventOf('refund.created', { ...refund(), amount: '10.99' }))).toEqual([
      'data.object.amount',
    ]);
    expect(fieldsOf(eventOf('charge.captured', { ...charge(), captured: 'yes' }))).toEqual([
      'data.object.captured',
    ]);
  });

  it('An event with another kind of object than its type is refused', () => {
    for (const [type, object] of [
      ['charge.succeeded', refund()],
      ['refund.created', dispute()],
      ['charge.dispute.created', charge()],
      ['charge.refund.updated', charge()],
    ] as const) {
      expect(fieldsOf(eventOf(type, object))).toContain('data.object.object');
    }
  });

  // The last has a dotless i, whose capital is I.
  it.for(['usdc', 'xau', '', '\u0131sk'])(
    'An event with the currency %j is refused, and the error names event and field',
    (currency) => {
      for (const payload of everyMoneyEvent({ currency })) {
        const error = errorOf(() => read(payload));
        expect(error).toBeInstanceOf(StripePayloadError);
        expect(error).toMatchObject({ eventId: payload.id, field: 'data.object.currency' });
        expect(String(error)).toContain(`${payload.id}`);
      }
    },
  );

  it('An event in a withdrawn currency is read if it is of its time, and refused afterwards', () => {
    const [last, later] = [Date.UTC(2023, 0, 14) / 1000, Date.UTC(2023, 0, 15) / 1000];
    for (const payload of everyMoneyEvent({ currency: 'hrk', created: last })) {
      expect(read(payload).about).not.toBeNull();
    }
    for (const payload of everyMoneyEvent({ currency: 'hrk', created: later })) {
      expect(String(errorOf(() => read(payload)))).toContain(
        'data.object.currency HRK was in use until 2023-01-14: use EUR after that day',
      );
    }
  });

  it.for([10.5, -1])(
    'An event with the amount %d is refused, and the error names event and field',
    (amount) => {
      for (const payload of everyMoneyEvent({ amount })) {
        const error = errorOf(() => read(payload));
        expect(error).toBeInstanceOf(StripePayloadError);
        expect(error).toMatchObject({ eventId: payload.id, field: 'data.object.amount' });
      }
      const captured: Payload = charge({ amount_captured: amount });
      expect(errorOf(() => read(eventOf('charge.captured', captured)))).toMatchObject({
        field: 'data.object.amount_captured',
      });
    },
  );
});
