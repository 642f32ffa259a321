import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import type { LinkTypeRow } from '@decision-ledger/contract/money-signs';
import { expect, it } from 'vitest';
import { classifyEvent } from '#server/domains/record/money-signs/index';

/** A link type; `back` means a reversal. */
type Expected =
  | 'revenue'
  | 'saving'
  | 'cost'
  | 'refund'
  | 'loss'
  | `back ${'cost' | 'refund' | 'loss'}`;

/** Event type, what it is when money comes in, and what it is when money goes out. */
type Case = readonly [eventType: string, incoming: Expected, outgoing: Expected];

const STRIPE: readonly Case[] = [
  ['charge.succeeded', 'revenue', 'cost'],
  ['charge.captured', 'revenue', 'cost'],
  ['charge.refunded', 'revenue', 'refund'],
  ['refund.created', 'revenue', 'refund'],
  ['refund.updated', 'revenue', 'refund'],
  ['refund.failed', 'back refund', 'refund'],
  ['charge.dispute.created', 'back loss', 'loss'],
  ['charge.dispute.funds_withdrawn', 'back loss', 'loss'],
  ['charge.dispute.funds_reinstated', 'back loss', 'loss'],
  ['charge.dispute.closed', 'back loss', 'loss'],
  ['charge.dispute.closed.won', 'back loss', 'loss'],
  ['charge.dispute.closed.lost', 'back loss', 'loss'],
  ['payout.paid', 'revenue', 'cost'],
  ['payout.failed', 'back cost', 'cost'],
  ['payout.canceled', 'back cost', 'cost'],
  ['invoice.paid', 'revenue', 'cost'],
  ['invoice.payment_succeeded', 'revenue', 'cost'],
  ['invoice.payment_failed', 'revenue', 'cost'],
  ['payment_intent.succeeded', 'revenue', 'cost'],
  ['charge', 'revenue', 'cost'],
  ['payment', 'revenue', 'cost'],
  ['refund', 'revenue', 'refund'],
  ['payment_refund', 'revenue', 'refund'],
  ['adjustment', 'revenue', 'cost'],
  ['application_fee', 'revenue', 'cost'],
  ['application_fee_refund', 'back cost', 'refund'],
  ['stripe_fee', 'revenue', 'cost'],
  ['stripe_fx_fee', 'revenue', 'cost'],
  ['tax_fee', 'revenue', 'cost'],
  ['payout', 'revenue', 'cost'],
  ['payout_cancel', 'back cost', 'cost'],
  ['payout_failure', 'back cost', 'cost'],
  ['transfer', 'revenue', 'cost'],
  ['transfer_refund', 'revenue', 'refund'],
  ['topup', 'revenue', 'cost'],
  ['topup_reversal', 'back cost', 'refund'],
  ['payment_reversal', 'back cost', 'refund'],
  ['payment_failure_refund', 'back refund', 'refund'],
  ['refund_failure', 'back refund', 'refund'],
  ['issuing_authorization_hold', 'revenue', 'cost'],
  ['issuing_transaction', 'revenue', 'cost'],
  ['issuing_dispute', 'back cost', 'loss'],
  ['reserve_transaction', 'revenue', 'cost'],
  ['advance', 'revenue', 'cost'],
  // What this service makes of Stripe's webhooks.
  ['dispute', 'back loss', 'loss'],
  ['dispute_loss', 'back loss', 'loss'],
  ['dispute_recovery', 'back loss', 'loss'],
  ['refund_reversal', 'back refund', 'refund'],
];

const ADYEN: readonly Case[] = [
  ['AUTHORISATION', 'revenue', 'cost'],
  ['CAPTURE', 'revenue', 'cost'],
  ['CAPTURE_FAILED', 'revenue', 'refund'],
  ['REFUND', 'revenue', 'refund'],
  ['REFUND_FAILED', 'back refund', 'refund'],
  ['REFUNDED_REVERSED', 'back refund', 'refund'],
  ['REFUND_WITH_DATA', 'revenue', 'refund'],
  ['CANCELLATION', 'revenue', 'cost'],
  ['CANCEL_OR_REFUND', 'revenue', 'refund'],
  ['NOTIFICATION_OF_CHARGEBACK', 'back loss', 'loss'],
  ['CHARGEBACK', 'back loss', 'loss'],
  ['CHARGEBACK_REVERSED', 'back loss', 'loss'],
  ['SECOND_CHARGEBACK', 'back loss', 'loss'],
  ['NOTIFICATION_OF_FRAUD', 'revenue', 'loss'],
  ['PAYOUT', 'revenue', 'cost'],
  ['PAYOUT_THIRDPARTY', 'revenue', 'cost'],
  ['PAIDOUT_REVERSED', 'back cost', 'refund'],
];

const PAYPAL: readonly Case[] = [
  ['PAYMENT.CAPTURE.COMPLETED', 'revenue', 'cost'],
  ['PAYMENT.CAPTURE.REFUNDED', 'revenue', 'refund'],
  ['PAYMENT.CAPTURE.REVERSED', 'back cost', 'loss'],
  ['PAYMENT.SALE.COMPLETED', 'revenue', 'refund'],
  ['PAYMENT.SALE.REFUNDED', 'revenue', 'refund'],
  ['PAYMENT.SALE.REVERSED', 'back cost', 'loss'],
  ['CUSTOMER.DISPUTE.CREATED', 'back loss', 'loss'],
  ['CUSTOMER.DISPUTE.RESOLVED', 'back loss', 'loss'],
  ['PAYMENT.PAYOUTS-ITEM.SUCCEEDED', 'revenue', 'cost'],
  ['T0006', 'revenue', 'cost'],
  ['T1107', 'revenue', 'refund'],
  ['T1106', 'revenue', 'loss'],
  ['T1201', 'revenue', 'loss'],
  ['T1202', 'back loss', 'cost'],
  ['T1108', 'back cost', 'cost'],
  ['T0400', 'revenue', 'cost'],
];

const SQUARE: readonly Case[] = [
  ['payment.created', 'revenue', 'cost'],
  ['payment.updated', 'revenue', 'cost'],
  ['refund.created', 'revenue', 'refund'],
  ['dispute.created', 'back loss', 'loss'],
  ['dispute.state.updated', 'back loss', 'loss'],
  ['payout.sent', 'revenue', 'cost'],
  ['payout.failed', 'back cost', 'cost'],
];

const ACCOUNTING: readonly Case[] = [
  ['Invoice', 'revenue', 'cost'],
  ['SalesReceipt', 'revenue', 'refund'],
  ['Payment', 'revenue', 'cost'],
  ['CreditMemo', 'revenue', 'refund'],
  ['RefundReceipt', 'revenue', 'refund'],
  ['Bill', 'revenue', 'cost'],
  ['BillPayment', 'revenue', 'cost'],
  ['Purchase', 'revenue', 'cost'],
  ['VendorCredit', 'back cost', 'cost'],
  ['Expense', 'back cost', 'cost'],
  ['JournalEntry', 'revenue', 'cost'],
  ['Deposit', 'revenue', 'cost'],
  ['sale', 'revenue', 'refund'],
  ['purchase', 'revenue', 'cost'],
  ['bill_payment', 'revenue', 'cost'],
  ['revenue', 'revenue', 'refund'],
  ['income', 'revenue', 'refund'],
  ['expense', 'back cost', 'cost'],
  ['expenses', 'back cost', 'cost'],
  ['asset', 'revenue', 'cost'],
  ['assets', 'revenue', 'cost'],
  ['liability', 'revenue', 'cost'],
  ['equity', 'revenue', 'cost'],
];

const OTHERS: readonly Case[] = [
  ['chargeback_won', 'back loss', 'loss'],
  ['billing_payment', 'revenue', 'cost'],
  ['returning_customer_order', 'revenue', 'cost'],
  ['dispute_won', 'back loss', 'loss'],
  ['disputeWon', 'back loss', 'loss'],
  ['refund_reversed', 'back refund', 'refund'],
  ['write_off', 'revenue', 'loss'],
  ['write_off_reversal', 'back loss', 'loss'],
  ['fee', 'revenue', 'cost'],
  ['tax', 'revenue', 'cost'],
  ['tax_refund', 'back cost', 'refund'],
  ['insurance_recovery', 'back loss', 'cost'],
  ['energy_saving', 'saving', 'cost'],
  ['cost_avoided', 'saving', 'cost'],
  // Words inside other words mean nothing.
  ['refundable_deposit', 'revenue', 'cost'],
  ['finer_goods', 'revenue', 'cost'],
  ['glossary_sold', 'revenue', 'cost'],
  ['coffee', 'revenue', 'cost'],
  ['undisputed_item', 'revenue', 'cost'],
  ['something new', 'revenue', 'cost'],
  ['', 'revenue', 'cost'],
];

function described(eventType: string, amount: string, source = 'billing'): [string, number] {
  const { link_type, reversal, countedSign } = classifyEvent(DEFAULT_ATTRIBUTION, {
    source,
    event_type: eventType,
    amount,
  });
  return [reversal ? `back ${link_type}` : link_type, countedSign];
}

it.for([
  ['Stripe', STRIPE],
  ['Adyen', ADYEN],
  ['PayPal', PAYPAL],
  ['Square', SQUARE],
  ['accounting systems', ACCOUNTING],
  ['other sources', OTHERS],
] as const)('The sign and then the words of an event of %s give its link type', ([, cases]) => {
  const found = cases.map(([eventType]) => [
    eventType,
    described(eventType, '150.00'),
    described(eventType, '-150.00'),
  ]);
  const expected = cases.map(([eventType, incoming, outgoing]) => [
    eventType,
    [incoming, 1],
    [outgoing, -1],
  ]);
  expect(found).toEqual(expected);
});

it('An amount of zero has no sign, and its words alone give the link type', () => {
  expect(described('dispute', '0.00')).toEqual(['loss', 0]);
  expect(described('refund', '0')).toEqual(['refund', 0]);
  expect(described('chargeback_won', '0')).toEqual(['back loss', 0]);
  expect(described('something new', '0')).toEqual(['revenue', 0]);
});

const UNSIGNED: readonly [eventType: string, type: Expected, sign: 1 | -1][] = [
  ['charge.succeeded', 'revenue', 1],
  ['charge.refunded', 'refund', -1],
  ['refund.failed', 'back refund', 1],
  ['charge.dispute.funds_withdrawn', 'loss', -1],
  ['charge.dispute.funds_reinstated', 'back loss', 1],
  ['CAPTURE', 'revenue', 1],
  ['REFUND', 'refund', -1],
  ['REFUNDED_REVERSED', 'back refund', 1],
  ['CHARGEBACK', 'loss', -1],
  ['SECOND_CHARGEBACK', 'loss', -1],
  ['CHARGEBACK_REVERSED', 'back loss', 1],
  ['PAYOUT', 'cost', -1],
  ['PAYMENT.CAPTURE.REVERSED', 'loss', -1],
  ['T1107', 'refund', -1],
  ['bill_payment', 'cost', -1],
  ['billing_payment', 'revenue', 1],
  ['returning_customer_order', 'revenue', 1],
  ['application_fee', 'revenue', 1],
  ['fee', 'cost', -1],
  ['tax_refund', 'back cost', 1],
];

it('Events of a source without signs count with the sign of their event type, whatever their own', () => {
  const settings = { ...DEFAULT_ATTRIBUTION, unsigned_sources: ['adyen'] };
  for (const amount of ['20.00', '-20.00']) {
    const found = UNSIGNED.map(([event_type]) => {
      const { link_type, reversal, countedSign } = classifyEvent(settings, {
        source: 'adyen',
        event_type,
        amount,
      });
      return [event_type, reversal ? `back ${link_type}` : link_type, countedSign];
    });
    expect(found).toEqual(UNSIGNED);
  }
  const unknown = { source: 'adyen', event_type: 'something new', amount: '-20.00' };
  expect(classifyEvent(settings, unknown)).toEqual({
    link_type: 'cost',
    reversal: false,
    countedSign: 0,
  });
});

it('Rows of the organisation come before the defaults, and may be for one source', () => {
  const own: LinkTypeRow[] = [
    { source: 'till', words: ['refund'], link_type: 'loss' },
    { words: ['purchase'], link_type: 'saving' },
    { words: ['top', 'up'], link_type: 'cost', reversal: true },
  ];
  const settings = { ...DEFAULT_ATTRIBUTION, link_types: [...own] };
  const typeOf = (source: string, event_type: string, amount: string) => {
    const { link_type, reversal } = classifyEvent(settings, { source, event_type, amount });
    return reversal ? `back ${link_type}` : link_type;
  };
  expect(typeOf('till', 'refund', '-5')).toBe('loss');
  expect(typeOf('other', 'refund', '-5')).toBe('refund');
  expect(typeOf('till', 'purchase', '5')).toBe('saving');
  expect(typeOf('till', 'purchase', '-5')).toBe('cost');
  expect(typeOf('till', 'topUp', '5')).toBe('back cost');
  expect(typeOf('till', 'topup', '5')).toBe('revenue');
});
