import { describe, expect, it } from 'vitest';
import { readSettings } from '#dashboard/app/search-params.ts';
import { sortedRates, withoutChange, withoutRate, withRate } from '#dashboard/components/rates.ts';
import { isActive } from '#dashboard/pages/settings/keys/permissions.ts';
import { draftOf, problemOf, weightsOf } from '#dashboard/pages/settings/weights.ts';

const WEIGHTS = { temporal: 0.1, metadata: 0.2, agent_pattern: 0.3, amount: 0.4 };

describe('Weights', () => {
  it('Weights that sum to 1 are right, although floats would not add up', () => {
    const draft = { ...draftOf(WEIGHTS), temporal: '0.6', metadata: '0.3', agent_pattern: '0.1' };
    expect(0.6 + 0.3 + 0.1).not.toBe(1);
    expect(problemOf({ ...draft, amount: '0' })).toBeNull();
    expect(weightsOf(draftOf(WEIGHTS))).toEqual(WEIGHTS);
  });

  it.each([
    ['0.2', 'The weights sum to 1.1. They must sum to 1.'],
    ['0.0999', 'The weights sum to 0.9999. They must sum to 1.'],
    ['', 'Timing is a number from 0 to 1, such as 0.25.'],
    ['1,5', 'Timing is a number from 0 to 1, such as 0.25.'],
    ['-0.1', 'Timing is a number from 0 to 1, such as 0.25.'],
  ])('A weight of "%s" is answered by: %s', (temporal, problem) => {
    expect(problemOf({ ...draftOf(WEIGHTS), temporal })).toBe(problem);
  });
});

describe('Exchange rates', () => {
  const usd = { from: 'USD', to: 'EUR', date: '2026-01-01', rate: '0.92' };
  const chf = { from: 'CHF', to: 'EUR', date: '2026-01-01', rate: '1.05' };
  const later = { ...usd, date: '2026-02-01', rate: '0.93' };

  it('A rate of the same pair and day is replaced', () => {
    expect(withRate([usd, chf], { ...usd, rate: '0.95' })).toEqual([chf, { ...usd, rate: '0.95' }]);
    expect(withoutRate([usd, later], usd)).toEqual([later]);
  });

  it('A change is taken back while the rate is what it made of it', () => {
    const newer = { ...usd, rate: '0.95' };
    expect(withoutChange([chf, newer], { before: usd, after: newer })).toEqual([chf, usd]);
    expect(withoutChange([chf, newer], { before: null, after: newer })).toEqual([chf]);
    expect(withoutChange([chf, later], { before: usd, after: null })).toEqual([chf, later, usd]);
    expect(withoutChange([chf, usd], { before: chf, after: newer })).toBeNull();
    expect(withoutChange([chf], { before: usd, after: newer })).toBeNull();
    expect(withoutChange([newer], { before: usd, after: null })).toBeNull();
  });

  it('The newest rate comes first', () => {
    expect(sortedRates([usd, later, chf])).toEqual([later, chf, usd]);
  });
});

describe('Keys and sessions', () => {
  it('One is active until it expires or is revoked', () => {
    const now = Date.parse('2026-04-01T00:00:00Z');
    const [before, after] = ['2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z'];
    expect(isActive({ revoked_at: null, expires_at: null }, now)).toBe(true);
    expect(isActive({ revoked_at: null, expires_at: after }, now)).toBe(true);
    expect(isActive({ revoked_at: null, expires_at: before }, now)).toBe(false);
    expect(isActive({ revoked_at: before, expires_at: null }, now)).toBe(false);
  });

  it('An unknown section is none', () => {
    expect(readSettings({ section: 'keys' })).toEqual({ section: 'keys' });
    expect(readSettings({ section: '__proto__' })).toEqual({ section: undefined });
  });
});
