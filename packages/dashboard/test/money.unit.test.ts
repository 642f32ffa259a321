import { describe, expect, it } from 'vitest';
import { readMoney } from '#dashboard/app/search-params.ts';
import { problemOfRate, withRate } from '#dashboard/components/rates.ts';
import { nearestFirst } from '#dashboard/pages/money/pair/near-events.ts';
import { eventQuery, filtersOf, isFiltered } from '#dashboard/pages/money/queries.ts';
import { settlementOf } from '#dashboard/pages/money/settlement-facts.ts';

describe('The address of the money page', () => {
  it('A list takes the filters that it has and leaves the others', () => {
    const search = readMoney({
      tab: 'events',
      currency: 'eur',
      status: 'CONFIRMED',
      event: 'evt_1',
    });
    expect(filtersOf('events', search)).toEqual({ currency: 'EUR' });
    expect(filtersOf('links', search)).toEqual({ status: 'CONFIRMED' });
    expect(eventQuery(filtersOf('events', search), 0)).toEqual({ currency: 'EUR' });
    expect(isFiltered('connections', search)).toBe(false);
  });

  it('Amounts, words, a customer and an age become the filters of the API', () => {
    const search = readMoney({
      ...{ amount: 12.5, min: '3', max: '40', text: 'order', customer: 'c-7' },
      ...{ age: '30', standing: 'unclassified', payment: 'unknown', to: '2026-04-30' },
    });
    expect(eventQuery(search, Date.parse('2026-05-10T12:00:00Z'))).toEqual({
      ...{ amount: '12.5', min_amount: '3', max_amount: '40', text: 'order' },
      ...{ metadata_value: 'c-7', standing: 'unclassified', end: '2026-04-09' },
      reverses_unknown: true,
    });
    expect(eventQuery({ ...search, to: '2026-04-01' }, Date.parse('2026-05-10'))).toMatchObject({
      end: '2026-04-01',
    });
    expect(readMoney({ age: '31', standing: 'maybe' })).toEqual(readMoney({}));
  });

  it('The part of unconverted money is a choice, and no filter', () => {
    expect(isFiltered('unconverted', readMoney({ part: 'linked' }))).toBe(false);
    expect(filtersOf('unconverted', readMoney({ part: 'linked' }))).toEqual({ part: 'linked' });
  });

  it('What an address cannot mean is left out', () => {
    const search = readMoney({ tab: 'secrets', status: 'open', from: 'yesterday', part: 'all' });
    expect(Object.values(search).filter((value) => value !== undefined)).toEqual([]);
  });
});

describe('An exchange rate', () => {
  it.each(['1', '1.0825', '0.000000000001', '123456789012.5'])('%s is one', (text) => {
    expect(problemOfRate(text)).toBeNull();
  });

  it.each(['', '0', '0.00', '-1', '1,08', '1e3', '.5', '1234567890123', '0.0000000000001'])(
    '%s is none, with a reason',
    (text) => {
      expect(problemOfRate(text)).toMatch(/\.$/);
    },
  );

  it('One of the same pair and day is replaced, and all others stay', () => {
    const rate = { from: 'EUR', to: 'USD', date: '2026-01-01', rate: '1.1' };
    const others = [
      { ...rate, from: 'GBP' },
      { ...rate, date: '2026-02-01' },
    ];
    const added = { ...rate, rate: '1.2' };
    expect(withRate([rate, ...others], added)).toEqual([...others, added]);
  });
});

describe('What was settled', () => {
  const charge = {
    source: 'stripe',
    metadata: { stripe_settled: '92.13 EUR', stripe_fee: '1.20 EUR', stripe_rate: '0.9213' },
  };
  const booked = {
    source: 'accounting/main',
    metadata: { transaction: { currency: 'EUR', settled: '90.93', fee: '-1.2' } },
  };

  it('Each member is of the first report that states it, with its source', () => {
    const eur = (amount: string, source: string) => ({
      ...{ value: { amount, currency: 'EUR' }, source },
    });
    expect(settlementOf([charge, booked])).toEqual({
      ...{ settled: eur('92.13', 'stripe'), fee: eur('1.20', 'stripe') },
      rate: { value: '0.9213', source: 'stripe' },
    });
    const { stripe_fee: _unknown, ...metadata } = charge.metadata;
    expect(settlementOf([{ ...charge, metadata }, booked])).toMatchObject({
      ...{ settled: eur('92.13', 'stripe'), fee: eur('-1.2', 'accounting/main') },
    });
  });

  it('What no report states, or states in another form, is not known, and never zero', () => {
    const unknown = { settled: null, fee: null, rate: null };
    expect(settlementOf([{ source: 'shop' }])).toEqual(unknown);
    const odd = {
      stripe_settled: '92.13',
      stripe_fee: 'none EUR',
      stripe_rate: 1,
      transaction: [],
    };
    expect(settlementOf([{ source: 'shop', metadata: odd }])).toEqual(unknown);
    expect(
      settlementOf([{ source: 'books', metadata: { transaction: { settled: '5', fee: 1 } } }]),
    ).toEqual(unknown);
  });
});

describe('Events to pair with', () => {
  const event = (id: string, amount: string, day: string, currency = 'EUR') => ({
    ...{ id, amount, currency, timestamp: `2026-04-${day}T00:00:00Z` },
    movement: { lead: id, reports: [id] },
  });

  it('The nearest in amount and time comes first, without those of the movement, each once', () => {
    const own = {
      ...event('own', '100.00', '10'),
      movement: { lead: 'own', reports: ['own', 'w'] },
    };
    const found = [
      event('other currency', '100.00', '10', 'USD'),
      event('refund', '-100.00', '10'),
      event('late', '100.00', '20'),
      event('w', '100.00', '10'),
      event('less a fee', '97.10', '11'),
      event('late', '100.00', '20'),
    ];
    expect(nearestFirst(own, found).map(({ id }) => id)).toEqual([
      ...['less a fee', 'late', 'other currency', 'refund'],
    ]);
  });
});
