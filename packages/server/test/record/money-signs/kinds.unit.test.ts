import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import type { SourceProfile } from '@decision-ledger/contract/source-profiles';
import { describe, expect, it } from 'vitest';
import { classifyReport } from '#server/domains/record/money-signs/index';

/** Event type, the kind and state expected, and the metadata that they follow from. */
type Case = readonly [
  eventType: string,
  expected: string,
  metadata?: Readonly<Record<string, unknown>>,
];

const RECORDED: Readonly<Record<string, readonly Case[]>> = {
  stripe: [
    ['charge', 'sale moved'],
    ['refund', 'refund moved'],
    ['refund_waiting', 'refund planned'],
    ['refund_released', 'refund void'],
    ['refund_reversal', 'refund moved'],
    ['dispute', 'dispute planned', { disputed_amount: '90.00' }],
    ['dispute', 'dispute moved'],
    ['dispute', 'dispute moved', { disputed_amount: null }],
    ['dispute_loss', 'dispute moved'],
    ['dispute_recovery', 'recovery moved'],
    ['fee', 'fee moved'],
    ['payout', 'payout moved'],
    ['payout_pending', 'payout planned'],
    ['payout_reversal', 'payout moved'],
    ['topup', 'transfer moved'],
    ['conversion', 'transfer moved'],
  ],
  'accounting/books': [
    ['revenue', 'sale moved'],
    ['expense', 'cost moved'],
    ['asset', 'other moved'],
    ['liability', 'other moved'],
    ['equity', 'transfer moved'],
    ['payment', 'sale moved'],
    ['sale', 'sale moved'],
    ['refund', 'refund moved'],
    ['purchase', 'cost moved'],
    ['bill_payment', 'cost moved'],
    ['revenue', 'sale planned', { basis: 'accrual' }],
    ['expense', 'cost planned', { basis: 'accrual' }],
    ['lease', 'other planned', { basis: 'accrual' }],
    ['revenue', 'sale moved', { basis: 'cash' }],
    ['revenue', 'sale planned', { basis: 'earned' }],
    ['payment', 'sale moved', { basis: 'settlement' }],
    ['deposit', 'transfer moved', { basis: 'own_accounts' }],
    ['revenue', 'other planned', { status: 'pending' }],
    ['invoice', 'sale planned', { basis: 'accrual' }],
    ['invoice', 'sale moved'],
    ['bill', 'cost planned', { basis: 'accrual' }],
  ],
  adyen: [
    ['AUTHORISATION', 'sale authorised'],
    ['AUTHORISATION', 'other void', { success: 'false' }],
    ['AUTHORISATION', 'other void', { success: false }],
    ['CAPTURE', 'sale moved'],
    ['Settled', 'sale moved'],
    ['SentForSettle', 'sale moved'],
    ['CANCELLATION', 'sale void'],
    ['REFUND', 'refund moved'],
    ['NOTIFICATION_OF_CHARGEBACK', 'dispute planned'],
    ['CHARGEBACK', 'dispute moved'],
    ['ChargebackReversed', 'recovery moved'],
    ['MerchantPayout', 'payout moved'],
  ],
  paypal: [
    ['PAYMENT.CAPTURE.COMPLETED', 'sale moved'],
    ['payment_capture_completed', 'sale moved'],
    ['PAYMENT.AUTHORIZATION.CREATED', 'sale authorised'],
    ['PAYMENT.AUTHORIZATION.VOIDED', 'sale void'],
    ['T0006', 'sale moved'],
    ['T0001', 'cost moved'],
    ['T1107', 'refund moved'],
    ['T1106', 'dispute moved'],
    ['T1108', 'fee moved'],
    ['T1110', 'transfer moved'],
    ['T1202', 'recovery moved'],
    ['T1201', 'dispute moved'],
    ['T0400', 'payout moved'],
    ['T0200', 'transfer moved'],
    ['payout', 'payout moved'],
    ['PAYMENT.PAYOUTS-ITEM.SUCCEEDED', 'cost moved'],
  ],
  'paypal/eu': [
    ['T0400', 'payout moved'],
    ['PAYMENT.AUTHORIZATION.CREATED', 'sale authorised'],
  ],
  'adyen/eu': [['AUTHORISATION', 'sale authorised']],
  mollie: [
    ['settlement', 'payout moved'],
    ['payment', 'sale moved'],
    ['payout_fee', 'fee moved'],
  ],
  amazon: [
    ['payout', 'payout moved'],
    ['commission', 'cost moved'],
  ],
  'gocardless/uk': [['payouts.paid', 'payout moved']],
  square: [
    ['payment.updated', 'sale authorised', { status: 'APPROVED' }],
    ['payment.updated', 'sale moved', { status: 'COMPLETED' }],
    ['payment.updated', 'sale void', { status: 'canceled' }],
    ['refund.created', 'refund planned', { status: 'PENDING' }],
    ['refund.updated', 'other void', { status: 'FAILED' }],
    ['refund.updated', 'refund moved', { status: 'COMPLETED' }],
    ['FEE', 'fee moved'],
    ['payout.sent', 'payout moved'],
  ],
  'bank/giro': [
    ['line', 'other planned', { status: 'pending' }],
    ['line', 'other planned', { status: 'PDNG' }],
    ['line', 'other moved', { status: 'BOOK' }],
    ['payout', 'payout moved'],
    ['internal transfer', 'transfer moved'],
    ['Fee', 'fee moved'],
  ],
  // Sources without a profile: the words say the kind, and everything moved.
  shop: [
    ['order.paid', 'sale moved'],
    ['refund', 'refund moved'],
    ['payout', 'cost moved'],
    ['transfer', 'other moved'],
    ['AUTHORISATION', 'other moved'],
    ['processing_fee', 'fee moved'],
    ['sales tax', 'tax moved'],
    ['chargeback', 'dispute moved'],
    ['chargeback won', 'recovery moved'],
    ['chargeback_fee', 'fee moved'],
    ['dispute.fees', 'fee moved'],
    ['loss', 'other moved'],
    ['cost avoided', 'other moved'],
    ['""', 'other moved'],
  ],
};

describe('the kind and state of a report', () => {
  const cases = Object.entries(RECORDED).flatMap(([source, rows]) =>
    rows.map(([event_type, expected, metadata = null]) => ({
      source,
      event_type,
      expected,
      metadata,
    })),
  );

  it.each(cases)(
    'Is $expected for $event_type of $source with $metadata',
    ({ source, event_type, expected, metadata }) => {
      expect(classified({ source, event_type, metadata, amount: '5.00' })).toBe(expected);
    },
  );

  it('Does not depend on the sign of the amount', () => {
    for (const { expected, ...report } of cases) {
      expect(classified({ ...report, amount: '-5.00' })).toBe(expected);
    }
  });

  it('Is unclassified for a source without signs whose event type nobody knows', () => {
    const signs = { ...DEFAULT_ATTRIBUTION, unsigned_sources: ['till'] };
    const of = (event_type: string, amount: string) =>
      classifyReport(signs, { source: 'till', event_type, amount, metadata: null });
    expect(of('something new', '5.00')).toEqual({ kind: 'other', state: 'unclassified' });
    expect(of('something new', '0.00')).toEqual({ kind: 'other', state: 'moved' });
    expect(of('refund', '5.00')).toEqual({ kind: 'refund', state: 'moved' });
  });

  it('Takes the first row that applies, of the first profile of the source', () => {
    const own = (source: string, event_types: string[]): SourceProfile => ({
      name: 'Own',
      source,
      kinds: [{ event_types, kind: 'transfer', state: 'void' }],
    });
    const report = { source: 'stripe', event_type: 'charge', amount: '1', metadata: null };
    const of = (...profiles: SourceProfile[]) => classified(report, profiles);
    expect(of(own('stripe', ['charge']))).toBe('transfer void');
    expect(of(own('str*', ['ch*']))).toBe('transfer void');
    expect(of(own('*', ['*']))).toBe('transfer void');
    // A profile adds to the shipped one, and one of another source says nothing.
    expect(of(own('stripe', ['payout']))).toBe('sale moved');
    expect(of(own('str', ['charge']))).toBe('sale moved');
    expect(of(own('stripe/eu', ['charge']))).toBe('sale moved');
  });

  it('Names no member that an object has of itself', () => {
    const row = { event_types: ['*'], when: { member: 'constructor' }, kind: 'tax' as const };
    const profile = { name: 'Own', source: '*', kinds: [row] };
    const report = { source: 's', event_type: 'charge', amount: '1', metadata: {} };
    expect(classified(report, [profile])).toBe('sale moved');
  });
});

function classified(
  report: Parameters<typeof classifyReport>[1],
  profiles: SourceProfile[] = [],
): string {
  const { kind, state } = classifyReport({ ...DEFAULT_ATTRIBUTION, profiles }, report);
  return `${kind} ${state}`;
}
