import { describe, expect, it } from 'vitest';
import { readMoney } from '#dashboard/app/search-params.ts';
import { problemOfRate, withRate } from '#dashboard/components/rates.ts';
import { eventQuery, filtersOf, isFiltered } from '#dashboard/pages/money/queries.ts';

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
    expect(eventQuery(filtersOf('events', search))).toEqual({ currency: 'EUR' });
    expect(isFiltered('connections', search)).toBe(false);
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
