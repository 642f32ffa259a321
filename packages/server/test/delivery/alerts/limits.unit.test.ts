import type { Settings } from '@decision-ledger/contract/settings';
import { Big } from 'big.js';
import { describe, expect, it } from 'vitest';
import { effectiveSettings } from '#server/domains/access/settings/rules/check';
import { type Limit, type Measured, measured } from '#server/domains/delivery/alerts/rules/limits';
import {
  budgetLimit,
  isUsed,
  limitsOf,
  periodOf,
} from '#server/domains/delivery/alerts/rules/settings-limits';

const at = (text: string) => Date.parse(text);
const NOON = at('2026-04-16T12:00:00Z');

const monthly = (amount: string, now = NOON): Limit =>
  budgetLimit({ id: 'm', measure: 'refunds', period: 'month', amount }, 'EUR', now);
const standing = (amount: string): Limit =>
  budgetLimit({ id: 's', measure: 'open_exposure', amount, agent_id: 'bot' }, 'EUR', NOON);

/** The shares that a sequence of sums reports, each in percent. */
function told(steps: readonly (readonly [Limit, string])[]): (number | string)[][] {
  let before: Measured | undefined;
  return steps.map(([limit, amount]) => {
    const { now, notices } = measured(
      limit,
      { amount: new Big(amount), isWhole: true },
      before,
      NOON,
    );
    before = now;
    return notices.map((one) => (one.type === 'budget.reached' ? one.data.percent : one.type));
  });
}

describe('Steps of limits', () => {
  it('Each share of a period is told once, whatever the sum does', () => {
    const limit = monthly('200');
    const sums = ['0', '159.99', '160', '100', '170', '200', '250', '10', '500'];
    expect(told(sums.map((sum) => [limit, sum]))).toEqual([
      ...[[], [], [80], [], [], [100], [], [], []],
    ]);
  });

  it('A sum that passes both shares at once tells both', () => {
    expect(told([[monthly('3'), '7']])).toEqual([[80, 100]]);
  });

  it('The next period, a new amount and another currency are told anew', () => {
    const next = monthly('200', at('2026-05-01T00:00:00Z'));
    const other = budgetLimit(
      { id: 'm', measure: 'refunds', period: 'month', amount: '200' },
      'USD',
      NOON,
    );
    const all: [Limit, string][] = [
      ...[monthly('200'), monthly('200'), next, next, monthly('201'), other].map(
        (limit): [Limit, string] => [limit, '170'],
      ),
    ];
    expect(told(all)).toEqual([[80], [], [80], [], [80], [80]]);
  });

  it('What has no period is told again after it was less', () => {
    const limit = standing('50');
    const sums = ['45', '60', '41', '39', '55'];
    expect(told(sums.map((sum) => [limit, sum]))).toEqual([[80], [100], [], [], [80, 100]]);
  });

  it('A budget of zero is used by the smallest sum, and not by none or by a recovery', () => {
    expect(told(['0', '-5', '0.01'].map((sum) => [monthly('0'), sum]))).toEqual([
      [],
      [],
      [80, 100],
    ]);
  });

  it('A share is exact, however small the difference', () => {
    expect(isUsed(new Big('0.799999999999'), '1', 80)).toBe(false);
    expect(isUsed(new Big('0.8'), '1', 80)).toBe(true);
  });

  it('A notice says whose budget it is, of which period, in minor units', () => {
    const limit = budgetLimit(
      { id: 'd', measure: 'loss', period: 'day', amount: '10', action_type: 'refund' },
      'EUR',
      at('2026-12-31T23:59:59.999Z'),
    );
    const { notices } = measured(limit, { amount: new Big('9.005'), isWhole: true }, undefined, 0);
    expect(notices).toEqual([
      {
        type: 'budget.reached',
        data: {
          ...{ budget: 'd', measure: 'loss', agent_id: null, action_type: 'refund' },
          ...{ period: 'day', period_start: '2026-12-31T00:00:00.000Z', percent: 80 },
          ...{ currency: 'EUR', used: '9.00', amount: '10.00' },
        },
      },
    ]);
  });
});

describe('Periods', () => {
  it.for([
    ['day', '2026-02-28T23:59:59.999Z', '2026-02-28T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['day', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['month', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ] as const)('The %s of %s begins at %s and ends at %s', ([period, now, start, end]) => {
    expect(periodOf(period, at(now))).toEqual({ start: at(start), end: at(end) });
  });
});

describe('Limits of settings', () => {
  const settings = (liability: Record<string, string>): Settings =>
    effectiveSettings({
      budgets: [{ id: 'exposure', measure: 'open_exposure', amount: '7' }],
      liability,
    });

  it('The threshold of the exposure is one of them, apart from a budget of the same name', () => {
    const limits = limitsOf(settings({ exposure_alert_threshold: '7' }), NOON);
    expect(new Set(limits.map(({ key }) => key)).size).toBe(2);
    expect(limitsOf(settings({}), NOON)).toHaveLength(1);
  });

  it('More than the threshold is told, and the threshold itself is not', () => {
    const threshold = limitsOf(settings({ exposure_alert_threshold: '7' }), NOON).at(-1);
    if (threshold === undefined) throw new Error('there is no threshold');
    expect(told(['7', '7.01', '8', '7', '9'].map((sum) => [threshold, sum]))).toEqual([
      ...[[], ['exposure.exceeded'], [], [], ['exposure.exceeded']],
    ]);
  });
});
