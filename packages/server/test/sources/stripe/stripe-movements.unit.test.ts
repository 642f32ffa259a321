import { parseJson } from '@decision-ledger/proof/gate';
import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movementsOf, type StripeMovement } from '#server/domains/sources/stripe/rules/movements';
import {
  readStripeEvent,
  type StripeEvent,
} from '#server/domains/sources/stripe/rules/stripe-event';
import {
  CREATED,
  charge,
  dispute,
  eventOf,
  everyOtherEvent,
  type Payload,
  refund,
} from '../../support/stripe-events.js';

const read = (payload: Payload) => readStripeEvent(parseJson(JSON.stringify(payload)));
const movements = (...payloads: Payload[]) => recordedOf(payloads.map(read));
const amounts = (...payloads: Payload[]) =>
  movements(...payloads).map(({ kind, amount }) => [kind, amount]);

/** A total that its refunds explain is not recorded. */
const recordedOf = (events: readonly StripeEvent[]) =>
  movementsOf(events).filter(
    ({ kind, amount }) => kind !== 'unnamed_refund' || !/^[0.]+$/.test(amount),
  );

describe('Charges', () => {
  const later = { created: CREATED + 3600 };

  it('A charge is a movement of the captured amount, with all known details', () => {
    const object = charge({ metadata: { order: '1001', stripe_note: 'mine' } });
    expect(movements(eventOf('charge.succeeded', object))).toEqual([
      {
        kind: 'charge',
        event_type: 'charge',
        amount: '10.99',
        currency: 'USD',
        external_id: 'ch_3QxK2eLkdIwHu7ix0aBcDeFg',
        timestamp: '2026-03-01T12:00:00.000Z',
        description: 'Order 1001',
        metadata: {
          order: '1001',
          stripe_note: 'mine',
          stripe_object: 'charge',
          stripe_payment_intent: 'pi_3QxK2eLkdIwHu7ix0hIjKlMn',
          stripe_customer: 'cus_RqExample0001',
        },
      },
    ]);
  });

  it('A movement omits what Stripe leaves empty', () => {
    const object = charge({ description: null, customer: null, payment_intent: null });
    const [movement] = movements(eventOf('charge.succeeded', object));
    expect(movement).not.toHaveProperty('description');
    expect(movement?.metadata).toEqual({ stripe_object: 'charge' });
  });

  it('A charge counts even if a copied member is not a text', () => {
    const odd = { customer: { id: 'cus_1' }, payment_intent: 7, description: ['x'], reason: {} };
    const payloads = [
      eventOf('charge.succeeded', { ...charge(), ...odd }),
      eventOf('refund.created', { ...refund(), ...odd, charge: {} }),
      eventOf('charge.dispute.funds_withdrawn', { ...dispute(), ...odd, charge: {} }),
    ];
    for (const payload of payloads) {
      const [movement] = movements(payload);
      expect(movement?.amount).toMatch(/^-?10\.99$/);
      expect(movement).not.toHaveProperty('description');
      expect(Object.keys(movement?.metadata ?? {})).toEqual(['stripe_object']);
    }
  });

  it("Merchant metadata cannot overwrite the names of Stripe's own details", () => {
    const metadata = {
      stripe_object: 'payout',
      stripe_charge: 'mine',
      stripe_customer: 'mine',
      stripe_reason: 'mine',
      stripe_failure_reason: 'mine',
      disputed_amount: '1.00',
    };
    const [movement] = movements(eventOf('charge.succeeded', charge({ metadata })));
    expect(movement?.metadata).toEqual({
      stripe_object: 'charge',
      stripe_payment_intent: 'pi_3QxK2eLkdIwHu7ix0hIjKlMn',
      stripe_customer: 'cus_RqExample0001',
    });
  });

  it('An authorised charge is not a movement until it is captured', () => {
    const authorised = eventOf('charge.succeeded', charge({ captured: false }));
    expect(movements(authorised)).toEqual([]);
    const captured = eventOf('charge.captured', charge({ amount_captured: 600 }), later);
    expect(amounts(authorised, captured)).toEqual([['charge', '6.00']]);
    expect(movements(captured, authorised)[0]?.timestamp).toBe('2026-03-01T13:00:00.000Z');
  });

  it('A charge is one movement, although two events report it', () => {
    const events = [
      eventOf('charge.succeeded', charge()),
      eventOf('charge.captured', charge(), later),
    ];
    expect(amounts(...events)).toEqual([['charge', '10.99']]);
    expect(movements(...events)[0]?.timestamp).toBe('2026-03-01T12:00:00.000Z');
  });

  it('A charge counts as captured by its capture event, whatever the object says', () => {
    const object = charge({ captured: false, amount_captured: 600 });
    expect(amounts(eventOf('charge.captured', object))).toEqual([['charge', '6.00']]);
  });

  it('A charge without amount_captured counts its amount, and one with 0 captured counts 0', () => {
    const { amount_captured, ...old } = charge();
    expect(amount_captured).toBe(1099);
    expect(amounts(eventOf('charge.succeeded', old))).toEqual([['charge', '10.99']]);
    const none = charge({ amount_captured: null });
    expect(amounts(eventOf('charge.succeeded', none))).toEqual([['charge', '10.99']]);
    const zero = charge({ amount_captured: 0 });
    expect(amounts(eventOf('charge.succeeded', zero))).toEqual([['charge', '0.00']]);
  });
});

describe('Refunds', () => {
  const created = (status: string) => eventOf('refund.created', refund({ status }));
  const failed = eventOf(
    'refund.failed',
    refund({ status: 'failed', failure_reason: 'declined' }),
    {
      created: CREATED + 60,
    },
  );

  it('A successful refund takes money once, whichever events report it', () => {
    expect(amounts(created('succeeded'))).toEqual([['refund', '-10.99']]);
    const updates = ['refund.updated', 'charge.refund.updated'].map((type) =>
      eventOf(type, refund(), { created: CREATED + 60 }),
    );
    for (const update of updates) expect(amounts(update)).toEqual([['refund', '-10.99']]);
    expect(amounts(created('pending'), ...updates)).toEqual([['refund', '-10.99']]);
    expect(movements(created('succeeded'), ...updates)).toHaveLength(1);
    expect(movements(created('pending'), ...updates)[0]).toMatchObject({
      timestamp: '2026-03-01T12:01:00.000Z',
      metadata: {
        stripe_object: 'refund',
        stripe_charge: 'ch_3QxK2eLkdIwHu7ix0aBcDeFg',
        stripe_reason: 'requested_by_customer',
      },
    });
  });

  it.for(['pending', 'requires_action', 'failed', 'canceled'])(
    'A refund that is %s is not a movement',
    (status) => {
      expect(movements(created(status))).toEqual([]);
    },
  );

  it('A refund that fails after success is kept and reversed by another movement', () => {
    expect(movements(failed, created('succeeded'))).toMatchObject([
      { kind: 'refund', amount: '-10.99', timestamp: '2026-03-01T12:00:00.000Z' },
      {
        kind: 'refund_reversal',
        event_type: 'refund_reversal',
        amount: '10.99',
        timestamp: '2026-03-01T12:01:00.000Z',
        metadata: { stripe_failure_reason: 'declined' },
      },
    ]);
    const [first] = movements(failed, created('succeeded'));
    expect(first?.metadata).not.toHaveProperty('stripe_failure_reason');
  });

  it.for(['failed', 'canceled'])('A refund updated to %s after success is reversed', (to) => {
    for (const type of ['refund.updated', 'charge.refund.updated']) {
      expect(amounts(created('succeeded'), eventOf(type, refund({ status: to })))).toEqual([
        ['refund', '-10.99'],
        ['refund_reversal', '10.99'],
      ]);
    }
  });

  it('A refund that fails without success moves nothing', () => {
    expect(movements(created('pending'), failed)).toEqual([]);
    expect(movements(failed)).toEqual([]);
    const odd = eventOf('refund.failed', refund({ status: 'succeeded' }));
    expect(movements(odd)).toEqual([]);
  });

  it('Conflicting events on a refund resolve to the latest, then to the greatest id', () => {
    const of = (amount: number, id: string, seconds: number) =>
      eventOf('refund.updated', refund({ amount, metadata: { id } }), {
        id,
        created: CREATED + seconds,
      });
    const events = [of(100, 'evt_c', 0), of(300, 'evt_a', 9), of(200, 'evt_b', 9)];
    expect(movements(...events)).toMatchObject([
      { amount: '-2.00', timestamp: '2026-03-01T12:00:00.000Z', metadata: { id: 'evt_b' } },
    ]);
  });
});

describe('Disputes', () => {
  const at = (type: string, object = dispute()) => eventOf(`charge.dispute.${type}`, object);

  it.for([
    ['usd', '0.00', '10.99'],
    ['jpy', '0', '1099'],
    ['kwd', '0.000', '1.099'],
  ] as const)('A dispute in %s moves no cash by itself', ([currency, zero, disputed]) => {
    expect(movements(at('created', dispute({ currency })))).toMatchObject([
      {
        kind: 'dispute',
        event_type: 'dispute',
        amount: zero,
        metadata: {
          disputed_amount: disputed,
          stripe_object: 'dispute',
          stripe_charge: 'ch_3QxK2eLkdIwHu7ix0aBcDeFg',
          stripe_reason: 'fraudulent',
        },
      },
    ]);
  });

  it('A dispute takes money when funds are withdrawn and returns it when they are reinstated', () => {
    expect(amounts(at('funds_reinstated'), at('funds_withdrawn'), at('created'))).toEqual([
      ['dispute', '0.00'],
      ['dispute_loss', '-10.99'],
      ['dispute_recovery', '10.99'],
    ]);
    expect(amounts(at('funds_withdrawn'))).toEqual([['dispute_loss', '-10.99']]);
  });
});

describe('Movements', () => {
  it('Other events give no movement, alone or beside events that count', () => {
    expect(movements(...everyOtherEvent())).toEqual([]);
    expect(movements()).toEqual([]);
    const counted = eventOf('charge.succeeded', charge());
    expect(movements(...everyOtherEvent(), counted)).toEqual(movements(counted));
  });

  it('Events of several charges are refused together', () => {
    const of = { charge: 'ch_other' };
    const events = [eventOf('charge.succeeded', charge()), eventOf('refund.created', refund(of))];
    expect(() => movements(...events)).toThrow(/ch_3QxK2eLkdIwHu7ix0aBcDeFg, ch_other/);
  });
});

/** Arbitrary events about one object: conflicting amounts, equal times, repeated ids. */
const amount = fc.integer({ min: 0, max: 5 });
const currency = fc.constantFrom('usd', 'jpy', 'kwd', 'isk');
const someCharge = fc.record({
  type: fc.constantFrom('charge.succeeded', 'charge.captured', 'charge.updated'),
  object: fc.record({ amount, currency, captured: fc.boolean() }).map(charge),
});
const someRefund = fc.record({
  type: fc.constantFrom(
    'refund.created',
    'refund.updated',
    'refund.failed',
    'charge.refund.updated',
  ),
  object: fc
    .record({
      amount,
      currency,
      status: fc.constantFrom('pending', 'requires_action', 'succeeded', 'failed', 'canceled'),
    })
    .map(refund),
});
const someDispute = fc.record({
  type: fc
    .constantFrom('created', 'updated', 'funds_withdrawn', 'funds_reinstated', 'closed')
    .map((name) => `charge.dispute.${name}`),
  object: fc.record({ amount, currency }).map(dispute),
});
const someEvents = fc
  .oneof(...[someCharge, someRefund, someDispute].map((one) => fc.array(one, { maxLength: 7 })))
  .chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(
        list.map((_, index) => index),
        { minLength: list.length },
      ),
      fc.array(fc.integer({ min: CREATED, max: CREATED + 2 }), {
        minLength: list.length,
        maxLength: list.length,
      }),
    ),
  )
  .map(([list, ids, times]) =>
    list.map(({ type, object }, index) =>
      read(eventOf(type, object, { id: `evt_${ids[index]}`, created: times[index] ?? CREATED })),
    ),
  );
const kinds = (list: readonly StripeMovement[]) => list.map(({ kind }) => kind);

describe('Arbitrary arrivals about an object', () => {
  it('Movements do not depend on the order or repetition of events', () => {
    const arrivals = someEvents.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray(events, { minLength: events.length }),
        fc.subarray(events),
        fc.subarray(events),
      ),
    );
    fc.assert(
      fc.property(arrivals, ([events, shuffled, again, andAgain]) => {
        const arrived = [...again, ...shuffled, ...andAgain].reverse();
        expect(movementsOf(arrived)).toEqual(movementsOf(events));
      }),
      { numRuns: 500 },
    );
  });

  it('Movements are the same in every order of four events', () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        const few = events.slice(0, 4);
        const expected = movementsOf(few);
        for (const order of permutations(few)) expect(movementsOf(order)).toEqual(expected);
      }),
    );
  });

  it('A later event never removes a movement, and each kind occurs at most once', () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        for (let count = 1; count <= events.length; count += 1) {
          const now = kinds(movementsOf(events.slice(0, count)));
          expect(now).toEqual(
            expect.arrayContaining(kinds(movementsOf(events.slice(0, count - 1)))),
          );
          expect(new Set(now).size).toBe(now.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('Movements have the sign of their kind, and no negative zero', () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        for (const movement of movementsOf(events)) {
          expect(movement.amount).toMatch(SHAPE_OF[movement.kind]);
          expect(movement.amount).not.toMatch(/^-[0.]*$/);
        }
      }),
    );
  });
});

const SHAPE_OF = {
  charge: /^\d/,
  refund: /^(-|[0.]+$)/,
  unnamed_refund: /^(-|[0.]+$)/,
  refund_reversal: /^\d/,
  dispute: /^[0.]+$/,
  dispute_loss: /^(-|[0.]+$)/,
  dispute_recovery: /^\d/,
};

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

describe.for([
  ['usd', 2],
  ['jpy', 0],
  ['kwd', 3],
  ['isk', 2],
] as const)('Sum of all movements in %s', ([code, decimals]) => {
  const cents = fc.integer({ min: 0, max: 99_999_999_999 });
  const story = fc.record({
    paid: cents,
    back: cents,
    returned: cents,
    disputed: cents,
    won: fc.boolean(),
  });

  it('The sum is exact to the minor unit, despite repeated and late deliveries', () => {
    fc.assert(
      fc.property(fc.array(story, { maxLength: 20 }), fc.boolean(), (stories, twice) => {
        let sum = new Big(0);
        let expected = 0n;
        for (const [index, { paid, back, returned, disputed, won }] of stories.entries()) {
          const events = storyEvents(code, index, { paid, back, returned, disputed, won });
          expected += BigInt(paid) - BigInt(back) - (won ? 0n : BigInt(disputed));
          const arrived = twice ? [...events, ...events].reverse() : events;
          for (const movement of movementsOf(arrived)) sum = sum.plus(movement.amount);
        }
        expect(
          sum
            .toFixed(decimals)
            .replace('.', '')
            .replace(/^(-?)0+(?=\d)/, '$1'),
        ).toBe(String(expected));
      }),
      { numRuns: 50 },
    );
  });
});

/** A payment, a lasting refund, a failing refund and a dispute. */
function storyEvents(
  code: string,
  index: number,
  story: { paid: number; back: number; returned: number; disputed: number; won: boolean },
): StripeEvent[] {
  const own = { charge: `ch_${index}`, currency: code };
  const paid = charge({ id: own.charge, currency: code, amount: story.paid });
  const back = refund({ ...own, id: `re_${index}`, amount: story.back });
  const failing = refund({ ...own, id: `re_f${index}`, amount: story.returned });
  const open = dispute({ ...own, id: `du_${index}`, amount: story.disputed });
  return [
    eventOf('charge.succeeded', paid),
    eventOf('charge.updated', paid),
    eventOf('charge.refunded', { ...paid, amount_refunded: story.back }),
    eventOf('refund.created', { ...back, status: 'pending' }),
    eventOf('refund.updated', back),
    eventOf('charge.refund.updated', back),
    eventOf('refund.created', failing),
    eventOf('refund.updated', { ...failing, status: 'failed' }),
    eventOf('refund.failed', { ...failing, status: 'failed' }),
    eventOf('charge.dispute.created', open),
    eventOf('charge.dispute.funds_withdrawn', open),
    ...(story.won ? [eventOf('charge.dispute.funds_reinstated', open)] : []),
    eventOf('charge.dispute.closed', { ...open, status: story.won ? 'won' : 'lost' }),
  ].map(read);
}
