import { describe, expect, it } from 'vitest';
import {
  type RelatedReport,
  relationsOf,
  statementsOf,
} from '#server/domains/record/financial-events/rules/relations';
import { generator } from '../../support/stripe-cash.js';

const report = (fields: Partial<RelatedReport> & { readonly event_id: string }): RelatedReport => ({
  ...{ source: 'stripe', event_type: 'charge', external_id: null, metadata: {} },
  ...fields,
});

const CHARGE = report({
  ...{ event_id: 'charge', external_id: 'ch_1', metadata: { stripe_payout: 'po_1' } },
});
const REFUND = report({
  ...{ event_id: 'refund', event_type: 'refund', external_id: 're_1' },
  metadata: { stripe_charge: 'ch_1', stripe_payout: 'po_2' },
});
const FAILURE = report({
  ...{ event_id: 'failure', event_type: 'refund_reversal', external_id: 're_1' },
  metadata: { stripe_charge: 'ch_1' },
});
const PAYOUT = report({ event_id: 'payout', event_type: 'payout', external_id: 'po_1' });
const RETURN = report({
  ...{ event_id: 'return', event_type: 'payout_reversal', external_id: 'txn_9' },
  metadata: { stripe_source: 'po_1', stripe_payout: 'po_2' },
});
const ALL = [CHARGE, REFUND, FAILURE, PAYOUT, RETURN];

const told = (one: RelatedReport, all: readonly RelatedReport[] = ALL) =>
  relationsOf(one, all)
    .map(
      ({ relation, direction, other, reference }) =>
        `${direction} ${relation} ${other ?? `unknown ${reference}`}`,
    )
    .sort();

describe('Relations of reports', () => {
  it.for([
    ['a charge', CHARGE, ['from reverses refund', 'to part_of payout']],
    [
      'a refund',
      REFUND,
      ['from reverses failure', 'to part_of unknown po_2', 'to reverses charge'],
    ],
    ['a refund that failed', FAILURE, ['to reverses refund']],
    ['a payout', PAYOUT, ['from part_of charge', 'from reverses return']],
    ['a payout that came back', RETURN, ['to part_of unknown po_2', 'to reverses payout']],
  ] as const)('They are those that reports state: %s', ([, one, expected]) => {
    expect(told(one)).toEqual(expected);
  });

  it('A reversal of an unknown payment says what it reverses', () => {
    expect(told(REFUND, [])).toEqual(['to part_of unknown po_2', 'to reverses unknown ch_1']);
  });

  it('A total of refunds reverses its charge, whose id it has', () => {
    const total = report({
      ...{ event_id: 'total', event_type: 'refund', external_id: 'ch_1' },
      metadata: { stripe_charge: 'ch_1' },
    });
    expect(told(total, [CHARGE, total])).toEqual(['to reverses charge']);
    expect(told(CHARGE, [CHARGE, total])).toEqual([
      'from reverses total',
      'to part_of unknown po_1',
    ]);
  });

  it('The loss of a dispute reverses its charge, and what is won back reverses the loss', () => {
    const dispute = (event_id: string, event_type: string) =>
      report({
        ...{ event_id, event_type, external_id: 'du_1', metadata: { stripe_charge: 'ch_1' } },
      });
    const all = [
      CHARGE,
      ...['dispute', 'dispute_loss', 'dispute_recovery'].map((type) => dispute(type, type)),
    ];
    expect(all.slice(1).map((one) => told(one, all))).toEqual([
      [],
      ['from reverses dispute_recovery', 'to reverses charge'],
      ['to reverses dispute_loss'],
    ]);
  });

  const billed = (event_id: string, external_id: string, metadata: object = {}) =>
    report({
      ...{ event_id, external_id, source: 'erp', event_type: 'line' },
      metadata: { ...metadata },
    });

  it('Any source names what it settles, one or several, and many name one', () => {
    const invoices = [billed('invoice 1', 'INV-1'), billed('invoice 2', 'INV-2')];
    const both = billed('both', 'PAY-1', { settles: ['INV-1', 'INV-2'] });
    const rest = billed('rest', 'PAY-2', { settles: 'INV-2' });
    const all = [...invoices, both, rest];
    expect(all.map((one) => told(one, all))).toEqual([
      ['from settles both'],
      ['from settles both', 'from settles rest'],
      ['to settles invoice 1', 'to settles invoice 2'],
      ['to settles invoice 2'],
    ]);
  });

  it('A conversion that both sides state is one relation of each', () => {
    const sold = billed('sold', 'FX-1', { converts: 'FX-2' });
    const bought = billed('bought', 'FX-2', { converts: 'FX-1' });
    expect(told(sold, [sold, bought])).toEqual(['to converts bought']);
    const silent = billed('bought', 'FX-2');
    expect(told(silent, [sold, silent])).toEqual(['from converts sold']);
  });

  it('No relation crosses sources, and members that are no texts state none', () => {
    const other = report({ ...CHARGE, event_id: 'other', source: 'shop' });
    expect(told(REFUND, [other])).toContain('to reverses unknown ch_1');
    const metadata = { settles: 7, converts: null, part_of: { id: 'x' }, reverses: ['', 'A-1', 4] };
    expect(statementsOf(billed('odd', 'O-1', metadata)).map(({ reference }) => reference)).toEqual([
      'A-1',
    ]);
    expect(statementsOf(report({ ...CHARGE, source: 'shop' }))).toEqual([]);
  });

  it('Relations do not depend on the order of the reports', () => {
    const expected = ALL.map((one) => told(one));
    const below = generator(1);
    for (let run = 0; run < 200; run += 1) {
      const all = [...ALL].sort(() => below(3) - 1);
      expect(ALL.map((one) => told(one, all))).toEqual(expected);
    }
  });
});
