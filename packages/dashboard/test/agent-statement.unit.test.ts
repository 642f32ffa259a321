import type { Pnl } from '@decision-ledger/client/api/analytics';
import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRange, monthRange, presetsAt } from '#dashboard/format/dates.ts';
import { compareDecimals, negated, shortened, sumOf } from '#dashboard/format/decimal.ts';
import { formatMoney } from '#dashboard/format/numbers.ts';
import {
  drawnStepsOf,
  type Statement,
  sentencesOf,
  stepsOf,
} from '#dashboard/pages/agent/statement.ts';
import { layOut } from '#dashboard/pages/agent/waterfall-layout.ts';

const PARTS = { revenue: '0.00', savings: '0.00', costs: '0.00', refunds: '0.00', losses: '0.00' };
const NOTHING = { ...PARTS, net: '0.00' };

interface Given {
  readonly confirmed?: Partial<Pnl['confirmed']>;
  readonly matched?: string;
  readonly expected?: string;
  readonly exposure?: Partial<ExposureAnalysis['aggregate']>;
  readonly decisions?: number;
}

function statementOf({ confirmed, matched = '0.00', expected, exposure, decisions = 9 }: Given) {
  const net = confirmed?.net ?? '0.00';
  const pnl: Pnl = {
    ...{ currency: 'EUR', as_of: '2026-06-30T00:00:00Z', activity_seq: 1, decisions },
    ...{ as_of_seq: 9, pending: 0 },
    ...{ total_revenue_attributed: '0.00', net_ai_impact: expected ?? net },
    ...{ confidence_interval: { low: net, high: net }, expected_liability: '0.00' },
    likely_net: null,
    reversals: { total: '0.00', without_cause: '0.00', warning: null },
    confirmed: { ...NOTHING, ...confirmed },
    matched: { ...NOTHING, net: matched },
    guessed: { ...NOTHING, net: '7.00' },
    expected: { ...NOTHING, net: expected ?? sumOf([net, matched]) },
    ...{ unattributed: null, total: null, unconverted: [], unattributed_unconverted: [] },
    ...{
      by_currency: [],
      reported: [],
      by_agent: [],
      by_action_type: [],
      by_customer: null,
      by_month: [],
    },
    ...{ by_quarter: [], others: { by_agent: null, by_action_type: null, by_customer: null } },
  };
  const aggregate = {
    ...{ expected: '12.00', low90: '1.00', high90: '31.00', var95: '31.00', es95: '40.00' },
    ...{ basis: 'prior' as const, realised: '0.00', open: '12.00' },
    p50: '9.00',
    ...exposure,
  };
  const analysis: ExposureAnalysis = {
    ...{ currency: 'EUR', as_of: pnl.as_of, version: 'liability/v1', aggregate, decisions },
    ...{ by_action_type: [], top_decisions: [], trend: [], threshold: null },
    ...{ is_threshold_crossed: false, threshold_status: null, unconverted_count: 0 },
    ...{ denied_count: 0, as_of_seq: 9, pending: 0 },
  };
  return { pnl, exposure: analysis } satisfies Statement;
}

function textOf(statement: Statement): string {
  return sentencesOf(statement)
    .map((phrase) =>
      typeof phrase === 'string'
        ? phrase
        : formatMoney(phrase.amount, phrase.currency, { locale: 'en-GB' }),
    )
    .join('')
    .replaceAll('\u00a0', ' ');
}

const RISK = 'It could still cost EUR 12.00 (19 in 20: below EUR 31.00).';

describe('The sentence of a statement', () => {
  it.each([
    ['90.00', '20.00', `earned EUR 110.00 net, of which EUR 90.00 confirmed. ${RISK}`],
    ['-90.00', '0.00', `lost EUR 90.00 net, of which EUR 90.00 confirmed. ${RISK}`],
    ['0.00', '20.00', `earned EUR 20.00 net, of which EUR 0.00 confirmed. ${RISK}`],
    ['-5.00', '20.00', `earned EUR 15.00 net; its confirmed links alone make -EUR 5.00. ${RISK}`],
    ['5.00', '-20.00', `lost EUR 15.00 net; its confirmed links alone make EUR 5.00. ${RISK}`],
    ['0.00', '0.00', `no net effect is known yet. ${RISK}`],
  ])('A confirmed net of %s and a matched one of %s reads "%s"', (net, matched, text) => {
    expect(textOf(statementOf({ confirmed: { net }, matched }))).toBe(text);
  });

  it('Losses that happened are no part of what could still be lost', () => {
    expect(textOf(statementOf({ exposure: { realised: '4.00', open: '8.00' } }))).toContain(
      'It could still cost EUR 8.00 (19 in 20: below EUR 27.00), ' +
        'besides EUR 4.00 that is lost already.',
    );
  });

  it('A range without decisions names no exposure', () => {
    expect(textOf(statementOf({ decisions: 0 }))).toContain('It made no decisions in this period.');
  });
});

const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => {
  const digits = String(Math.abs(value)).padStart(3, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
});

describe('The waterfall', () => {
  it('Each part begins where the one before it ends, and the last ends at the confirmed net', () => {
    fc.assert(
      fc.property(fc.tuple(cents, cents, cents, cents, cents), cents, (amounts, matched) => {
        const [revenue, savings, costs, refunds, losses] = amounts;
        const net = sumOf(amounts);
        const confirmed = { revenue, savings, costs, refunds, losses, net };
        const steps = stepsOf(statementOf({ confirmed, matched }));
        const parts = steps.slice(0, 5);
        expect(parts[0]?.start).toBe('0');
        parts.slice(1).forEach((step, at) => {
          expect(step.start).toBe(parts[at]?.end);
        });
        expect(compareDecimals(parts[4]?.end ?? '', net)).toBe(0);
        const by = new Map(steps.map((step) => [step.figure, step]));
        expect(by.get('matched.net')?.start).toBe(net);
        expect(by.get('matched.net')?.end).toBe(by.get('expected.net')?.end);
      }),
    );
  });

  it('The exposure hangs below zero and changes no other bar', () => {
    const confirmed = { revenue: '90.00', net: '90.00' };
    const small = stepsOf(statementOf({ confirmed }));
    const large = stepsOf(statementOf({ confirmed, exposure: { expected: '99.00' } }));
    expect(large.at(-1)).toMatchObject({ start: '0', end: '-99.00', amount: '99.00' });
    expect(large.slice(0, -1)).toEqual(small.slice(0, -1));
  });

  it('Parts of zero are not drawn, and totals of zero are', () => {
    const figures = drawnStepsOf(stepsOf(statementOf({}))).map(({ figure }) => figure);
    expect(figures).toEqual([
      'confirmed.net',
      'matched.net',
      'expected.net',
      'guessed.net',
      'exposure',
    ]);
  });

  it('Every bar and every mark is within the drawing, and the exposure stands apart', () => {
    const frame = { width: 900, height: 380, left: 50, top: 20, bottom: 40 };
    const marks = { low: '10', high: '95', p50: '-9', p95: '-400', realised: '-2' };
    const steps = stepsOf(statementOf({ confirmed: { revenue: '90.00', net: '90.00' } }));
    const { bars, y } = layOut(steps, marks, frame);
    for (const bar of bars) {
      expect(bar.x).toBeGreaterThanOrEqual(frame.left);
      expect(bar.x + bar.width).toBeLessThanOrEqual(frame.width);
      expect(bar.top).toBeGreaterThanOrEqual(frame.top);
      expect(bar.top + bar.height).toBeLessThanOrEqual(frame.height - frame.bottom);
    }
    expect(y(-400)).toBeLessThanOrEqual(frame.height - frame.bottom);
    const gaps = bars.slice(1).map((bar, at) => bar.x - (bars[at]?.x ?? 0));
    expect(gaps.at(-1)).toBe(Math.max(...gaps));
    expect(bars.at(-1)?.top).toBe(y(0));
  });
});

describe('Decimals and ranges', () => {
  it.each([
    ['1249.990000000000', '1249.99'],
    ['5.000000', '5'],
    ['500', '500'],
    ['-0.100', '-0.1'],
  ])('%s is written as %s without its last zeros', (amount, text) => {
    expect(shortened(amount)).toBe(text);
  });

  it('Decimals are ordered by value, whatever their digits', () => {
    const amounts = ['10', '-3.5', '9.999', '-3.50', '12345678901234567890.01', '2'];
    expect(amounts.toSorted(compareDecimals)).toEqual([
      '-3.5',
      '-3.50',
      '2',
      '9.999',
      '10',
      '12345678901234567890.01',
    ]);
  });

  it('An amount and its opposite add up to zero', () => {
    expect(negated('1.50')).toBe('-1.50');
    expect(negated('-1.50')).toBe('1.50');
    expect(negated('0.00')).toBe('0.00');
  });

  it.each([
    [{ from: '2026-04-01', to: '2026-06-30' }, 'Q2 2026'],
    [{ from: '2026-02-01', to: '2026-02-28' }, 'February 2026'],
    [{ from: '2026-01-01', to: '2026-12-31' }, '2026'],
    [{ from: '2026-02-01', to: '2026-04-30' }, '1 Feb 2026 to 30 Apr 2026'],
    [{ from: '2026-04-02', to: '2026-06-30' }, '2 Apr 2026 to 30 Jun 2026'],
    [{ from: '2026-04-02', to: '2026-04-02' }, '2 Apr 2026'],
    [{ from: '2026-04-02' }, 'since 2 Apr 2026'],
    [{ to: '2026-04-02' }, 'until 2 Apr 2026'],
    [{}, 'all time'],
  ])('The range %o is named "%s"', (range, name) => {
    expect(formatRange(range, 'en-GB')).toBe(name);
  });

  it('The last quarter of January is that of the year before', () => {
    const presets = new Map(
      presetsAt(Date.parse('2026-01-31T23:59:59Z')).map(({ name, range }) => [name, range]),
    );
    expect(presets.get('Last quarter')).toEqual({ from: '2025-10-01', to: '2025-12-31' });
    expect(presets.get('This month')).toEqual(monthRange('2026-01'));
    expect(presets.get('This year')).toEqual({ from: '2026-01-01', to: '2026-12-31' });
  });
});
