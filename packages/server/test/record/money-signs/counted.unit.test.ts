import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import { expect, it } from 'vitest';
import {
  areOpposite,
  countedAmount,
  type Directed,
} from '#server/domains/record/money-signs/index';

const REVENUE = { link_type: 'revenue', reversal: false } as const;
const SAVING = { link_type: 'saving', reversal: false } as const;
const COST = { link_type: 'cost', reversal: false } as const;
const LOSS = { link_type: 'loss', reversal: false } as const;
const COST_BACK = { link_type: 'cost', reversal: true } as const;
const LOSS_BACK = { link_type: 'loss', reversal: true } as const;

const SETTINGS = { ...DEFAULT_ATTRIBUTION, unsigned_sources: ['adyen'] };

const CASES: readonly [
  what: string,
  source: string,
  eventType: string,
  human: readonly Directed[],
  ofPositive: string,
  ofNegative: string,
][] = [
  ['no link, signed source', 'till', 'refund', [], '30.10', '-30.10'],
  ['no link, unsigned source', 'adyen', 'refund', [], '-30.10', '-30.10'],
  ['no link, unsigned source, unknown type', 'adyen', 'thing', [], '0.00', '0.00'],
  ['revenue, unsigned source, unknown type', 'adyen', 'thing', [REVENUE], '30.10', '-30.10'],
  ['a refund, unsigned source, unknown type', 'adyen', 'thing', [COST], '-30.10', '-30.10'],
  ['no link, signed source, unknown type', 'till', 'thing', [], '30.10', '-30.10'],
  ['revenue', 'till', 'refund', [REVENUE], '30.10', '-30.10'],
  ['revenue, unsigned source', 'adyen', 'refund', [REVENUE], '30.10', '-30.10'],
  ['a saving', 'till', 'payment', [SAVING], '30.10', '-30.10'],
  ['a cost', 'till', 'payment', [COST], '-30.10', '-30.10'],
  ['a loss, unsigned source', 'adyen', 'payment', [LOSS], '-30.10', '-30.10'],
  ['a cost taken back', 'till', 'payment', [COST_BACK], '30.10', '30.10'],
  ['a cost and a loss', 'till', 'payment', [COST, LOSS], '-30.10', '-30.10'],
  ['a cost and a loss taken back', 'till', 'x', [COST_BACK, LOSS_BACK], '30.10', '30.10'],
  ['opposite ones', 'till', 'payment', [REVENUE, COST], '30.10', '-30.10'],
  ['opposite ones, unsigned source', 'adyen', 'refund', [COST, COST_BACK], '30.10', '-30.10'],
  ['revenue and a loss taken back', 'till', 'x', [REVENUE, LOSS_BACK], '30.10', '-30.10'],
];

it.for(CASES)(
  'An event has one sign: %s',
  ([, source, event_type, human, ofPositive, ofNegative]) => {
    const count = (amount: string) =>
      countedAmount(SETTINGS, { source, event_type, amount }, human);
    expect(count('30.10')).toBe(ofPositive);
    expect(count('-30.10')).toBe(ofNegative);
    expect(count('0.00')).toBe('0.00');
  },
);

it('Two links are opposite if one brings the money in and the other takes it out', () => {
  const pairs: readonly [Directed, Directed, ofPositive: boolean, ofNegative: boolean][] = [
    [REVENUE, SAVING, false, false],
    [COST, LOSS, false, false],
    [COST_BACK, LOSS_BACK, false, false],
    [REVENUE, COST, true, true],
    [SAVING, LOSS, true, true],
    [COST, COST_BACK, true, true],
    [LOSS, COST_BACK, true, true],
    [REVENUE, LOSS_BACK, false, true],
  ];
  for (const [one, other, ofPositive, ofNegative] of pairs) {
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      expect([a, b, areOpposite(a, b, '5'), areOpposite(a, b, '-5')]).toEqual([
        a,
        b,
        ofPositive,
        ofNegative,
      ]);
    }
  }
});
