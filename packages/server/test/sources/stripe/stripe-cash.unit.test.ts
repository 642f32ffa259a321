import { parseJson } from '@decision-ledger/proof/gate';
import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movementsOf, type StripeMovement } from '#server/domains/sources/stripe/rules/movements';
import { readStripeEvent } from '#server/domains/sources/stripe/rules/stripe-event';
import { runs } from '../../../../proof/test/support/runs.js';
import { cashStories, generator, randomStory } from '../../support/stripe-cash.js';
import { charge, dispute, eventOf, type Payload, refund } from '../../support/stripe-events.js';

const read = (payload: Payload) => readStripeEvent(parseJson(JSON.stringify(payload)));
const movements = (payloads: readonly Payload[]) => movementsOf(payloads.map(read));
const cents = (list: readonly StripeMovement[]) =>
  Number(list.reduce((sum, { amount }) => sum.plus(amount), new Big(0)).times(100));

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

describe('Stripe by cash', () => {
  it.for(cashStories('told'))('The cash is exact in every order, with repeats: $name', (story) => {
    const { cash, events } = story;
    const expected = movements(events);
    expect(cents(expected)).toBe(cash);
    for (const order of permutations(events)) {
      expect(movements([...order, ...order.slice(1)].reverse())).toEqual(expected);
    }
  });

  it('The cash of random stories is exact in random orders, with repeats', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (n) => {
        const random = generator(n);
        const { cash, events } = randomStory(n, random);
        const order = events
          .flatMap((event) => [event, event])
          .map((event) => ({ event, at: random(1_000_000) }))
          .sort((a, b) => a.at - b.at)
          .map(({ event }) => event);
        const expected = movements(events);
        expect(cents(expected)).toBe(cash);
        expect(movements(order)).toEqual(expected);
      }),
      { numRuns: runs(3000) },
    );
  });

  const unbooked = refund({ balance_transaction: null });
  const typesOf = (...events: Payload[]) =>
    movements(events).map(({ event_type, amount, metadata }) => [
      event_type,
      amount,
      metadata.waiting_amount ?? metadata.released_amount,
    ]);

  it('A refund that is not booked waits while its charge is unknown, and names its amount', () => {
    const back = eventOf('refund.created', unbooked);
    expect(typesOf(back)).toEqual([['refund_waiting', '0.00', '10.99']]);
    const failed = eventOf('refund.failed', { ...unbooked, status: 'failed' });
    expect(typesOf(back, failed)).toEqual([['refund_waiting', '0.00', '10.99']]);
    expect(typesOf(back, eventOf('charge.updated', charge()))).toEqual([
      ['refund', '-10.99', undefined],
    ]);
    expect(typesOf(back, eventOf('charge.succeeded', charge({ captured: false })))).toEqual([
      ['refund_released', '0.00', '10.99'],
    ]);
  });

  it('A refund that is booked, or of no charge, is cash although its charge is unknown', () => {
    expect(typesOf(eventOf('refund.created', refund()))).toEqual([['refund', '-10.99', undefined]]);
    expect(typesOf(eventOf('refund.created', { ...unbooked, charge: null }))).toEqual([
      ['refund', '-10.99', undefined],
    ]);
  });

  it('A refund beyond what was not captured is cash for the rest of it, also if it fails', () => {
    const sold = eventOf('charge.captured', charge({ amount_captured: 600 }));
    const back = eventOf('refund.created', { ...unbooked, amount: 700 });
    const failed = eventOf('refund.failed', { ...unbooked, amount: 700, status: 'failed' });
    expect(typesOf(sold, back)).toEqual([
      ['charge', '6.00', undefined],
      ['refund', '-2.01', '4.99'],
    ]);
    expect(typesOf(sold, back, failed).slice(2)).toEqual([['refund_reversal', '2.01', undefined]]);
  });

  it('A charge that is pending or failed is not captured, whatever the flag says', () => {
    for (const status of ['pending', 'failed']) {
      const updated = eventOf('charge.updated', charge({ status }));
      const held = eventOf('charge.succeeded', charge({ captured: false }));
      expect(movements([updated, held])).toEqual([]);
    }
  });

  it('A total of refunds is one movement of the charge, with its metadata and the time of the first', () => {
    const metadata = { order: '1001' };
    const told = eventOf('charge.refunded', charge({ amount_refunded: 300, metadata }));
    expect(movements([told])).toMatchObject([
      {
        ...{ kind: 'unnamed_refund', event_type: 'refund', amount: '-3.00' },
        ...{ external_id: charge().id, timestamp: '2026-03-01T12:00:00.000Z' },
        metadata: { order: '1001', stripe_charge: charge().id },
      },
    ]);
  });

  it('A dispute in another currency than that of the account moves its own amount', () => {
    const moved = (currency: string) => [{ id: 'txn_1', amount: -800, currency }];
    const taken = (currency: string, list: Payload[] = moved(currency)) =>
      movements([
        eventOf('charge.dispute.funds_withdrawn', dispute({ balance_transactions: list })),
      ]).map(({ amount }) => amount);
    expect(taken('usd')).toEqual(['-8.00']);
    expect(taken('eur')).toEqual(['-10.99']);
    expect(taken('usd', [])).toEqual(['-10.99']);
    expect(taken('usd', [{ id: 'txn_1', amount: 'much' }])).toEqual(['-10.99']);
  });
});
