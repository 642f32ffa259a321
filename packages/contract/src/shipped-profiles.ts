import { PAYLOAD_UNITS, PROCESSORS, type Processor } from './payload-profiles.js';
import type { KindRow, SourceProfile } from './source-profiles.js';

type Shown = KindRow['state'];

/** @param types separated by commas */
const row = (types: string, kind: KindRow['kind'], state?: Shown): KindRow => ({
  event_types: types.split(', '),
  kind,
  ...(state !== undefined && { state }),
});

/** @param member of the metadata; any value without `value` */
const when = (member: string, value: string | undefined, known: KindRow): KindRow => ({
  ...known,
  when: { member, ...(value !== undefined && { value }) },
});

/** What processors call money that they paid out to the bank, where their own names of it are not known. */
const PAID_OUT = row('payout, payout_paid, payout_sent, payouts_paid, settlement', 'payout');

/** Event types that the webhook and the polls of Stripe record. */
const STRIPE: SourceProfile = {
  name: 'Stripe',
  source: 'stripe',
  kinds: [
    row('refund_waiting', 'refund', 'planned'),
    row('refund_released', 'refund', 'void'),
    // A dispute that is open takes nothing yet, and names what it would.
    when('disputed_amount', undefined, row('dispute', 'dispute', 'planned')),
    row('payout_pending', 'payout', 'planned'),
    row('charge', 'sale'),
    row('refund, refund_reversal', 'refund'),
    row('dispute, dispute_loss', 'dispute'),
    row('dispute_recovery', 'recovery'),
    row('fee, fee_refund', 'fee'),
    row('tax', 'tax'),
    row('payout, payout_failure, payout_cancel, payout_reversal', 'payout'),
    row('transfer, transfer_reversal, topup, topup_reversal, conversion', 'transfer'),
  ],
};

/** Event codes of webhooks, and types of the settlement details report. */
const ADYEN: SourceProfile = {
  name: 'Adyen',
  source: 'adyen',
  kinds: [
    when('success', 'false', row('*', 'other', 'void')),
    row('AUTHORISATION, Authorised, AUTHORISATION_ADJUSTMENT', 'sale', 'authorised'),
    row('CANCELLATION, Cancelled, TECHNICAL_CANCEL, EXPIRE, Expired', 'sale', 'void'),
    row('NOTIFICATION_OF_CHARGEBACK, REQUEST_FOR_INFORMATION', 'dispute', 'planned'),
    row('CAPTURE, Settled, SentForSettle', 'sale'),
    row('REFUND, Refunded, REFUND_FAILED, RefundedReversed, CAPTURE_FAILED', 'refund'),
    row('CHARGEBACK, SECOND_CHARGEBACK, SecondChargeback', 'dispute'),
    row('CHARGEBACK_REVERSED, ChargebackReversed', 'recovery'),
    row('Fee, InvoiceDeduction', 'fee'),
    row('MerchantPayout, PAYOUT', 'payout'),
    row('Balancetransfer, MerchantPayin', 'transfer'),
  ],
};

/** Names of webhook events, and codes of the transaction report by group. */
const PAYPAL: SourceProfile = {
  name: 'PayPal',
  source: 'paypal',
  kinds: [
    row('PAYMENT.AUTHORIZATION.CREATED', 'sale', 'authorised'),
    row('PAYMENT.AUTHORIZATION.VOIDED', 'sale', 'void'),
    row('PAYMENT.CAPTURE.PENDING', 'sale', 'planned'),
    row('PAYMENT.CAPTURE.DECLINED, PAYMENT.CAPTURE.DENIED', 'sale', 'void'),
    row('CUSTOMER.DISPUTE.CREATED, CUSTOMER.DISPUTE.UPDATED', 'dispute', 'planned'),
    row('T15*, T21*, T1101, T1104, T1105, T1110, T1111', 'transfer'),
    row('T1108, T1109', 'fee'),
    row('T0001, T0008', 'cost'),
    row('PAYMENT.CAPTURE.COMPLETED, PAYMENT.SALE.COMPLETED, T00*', 'sale'),
    row('PAYMENT.CAPTURE.REFUNDED, PAYMENT.SALE.REFUNDED', 'refund'),
    row('PAYMENT.CAPTURE.REVERSED, PAYMENT.SALE.REVERSED, T1106', 'dispute'),
    row('T11*', 'refund'),
    row('T1202, T1205, T1208', 'recovery'),
    row('T12*', 'dispute'),
    row('T01*', 'fee'),
    row('T02*, T03*', 'transfer'),
    row('T04*', 'payout'),
    PAID_OUT,
  ],
};

/** Names of webhook events with the status of their payment, and types of the entries of payouts. */
const SQUARE: SourceProfile = {
  name: 'Square',
  source: 'square',
  kinds: [
    when('status', 'APPROVED', row('payment*', 'sale', 'authorised')),
    when('status', 'CANCELED', row('payment*', 'sale', 'void')),
    when('status', 'FAILED', row('payment*, refund*', 'other', 'void')),
    when('status', 'PENDING', row('payment*', 'sale', 'planned')),
    when('status', 'PENDING', row('refund*', 'refund', 'planned')),
    row('payment*, CHARGE', 'sale'),
    row('refund*', 'refund'),
    row('DISPUTE, DISPUTE_CREATED', 'dispute'),
    row('DISPUTE_REINSTATED, DISPUTE_REVERSAL', 'recovery'),
    row('FEE, PROCESSING_FEE, TAX_ON_FEE', 'fee'),
    row('payout*', 'payout'),
  ],
};

/** What connections to books say of whole transactions. What is owed is settled by payments, which count. */
const BOOKS: SourceProfile = {
  name: 'Books',
  source: 'accounting/*',
  kinds: [
    when('status', 'pending', row('expense, purchase, bill_payment', 'cost', 'planned')),
    when('status', 'pending', row('*', 'other', 'planned')),
    when('basis', 'own_accounts', row('*', 'transfer')),
    when('basis', 'accrual', row('revenue, invoice, credit_memo', 'sale', 'planned')),
    when('basis', 'accrual', row('expense, bill, vendor_credit', 'cost', 'planned')),
    when('basis', 'accrual', row('*', 'other', 'planned')),
    when('basis', 'earned', row('*', 'sale', 'planned')),
  ],
};

/** Event types of the postings of a journal. */
const HLEDGER: SourceProfile = {
  name: 'hledger',
  source: 'accounting/*',
  kinds: [
    row('revenue', 'sale'),
    row('expense', 'cost'),
    row('asset, liability', 'other'),
    row('equity', 'transfer'),
  ],
};

const QUICKBOOKS: SourceProfile = {
  name: 'QuickBooks',
  source: 'accounting/*',
  kinds: [
    row('payment, sale', 'sale'),
    row('refund', 'refund'),
    row('purchase, bill_payment', 'cost'),
    row('transfer, deposit', 'transfer'),
  ],
};

/** Programs of bookkeeping, also where somebody sends what they say. */
const BOOKKEEPING = ['QuickBooks', 'Xero', 'FreshBooks', 'Lexoffice', 'sevDesk'];

/** What these programs sent without a connection: what is owed is settled by payments, which count. */
const OF_BOOKKEEPING = BOOKKEEPING.map(
  (name): SourceProfile => ({
    name,
    source: name.toLowerCase(),
    kinds: [
      row('estimate, quote, sales_order, purchase_order', 'other', 'planned'),
      row('invoice, credit_memo, credit_note', 'sale', 'planned'),
      row('bill, vendor_credit', 'cost', 'planned'),
      row('payment, sale, sales_receipt', 'sale'),
      row('refund, refund_receipt', 'refund'),
      row('purchase, bill_payment, expense', 'cost'),
      row('transfer, deposit', 'transfer'),
    ],
  }),
);

/** Lines of bank statements, with the codes of their state in CAMT. */
const BANK: SourceProfile = {
  name: 'Bank lines',
  source: 'bank/*',
  kinds: [
    when('status', 'pending', row('*', 'other', 'planned')),
    when('status', 'PDNG', row('*', 'other', 'planned')),
    when('status', 'FUTR', row('*', 'other', 'planned')),
    row('pending, PDNG, FUTR', 'other', 'planned'),
    row('payout', 'payout'),
    row('transfer, internal_transfer, conversion', 'transfer'),
    row('fee, bank_fee', 'fee'),
    row('tax', 'tax'),
  ],
};

/** What events of processors mean; of the others, their words alone tell it, but for payouts. */
const EVENTS: Partial<Record<Processor, SourceProfile>> = {
  ...{ Stripe: STRIPE, Adyen: ADYEN, PayPal: PAYPAL, Square: SQUARE },
};

const OF_PROCESSORS = PROCESSORS.map((name): SourceProfile => {
  const events = EVENTS[name] ?? { name, source: name.toLowerCase(), kinds: [PAID_OUT] };
  const units = PAYLOAD_UNITS[name];
  return units.length === 0 ? events : { ...events, units };
});

/** The same for sources that name an account, such as `adyen/eu`. Units are known by the objects alone. */
const ofAccounts = ({ name, source, kinds = [] }: SourceProfile): SourceProfile => ({
  ...{ name: `${name}, by account`, source: `${source}/*`, kinds },
});

/** The profiles that apply after a ledger's own. */
export const SHIPPED_PROFILES: SourceProfile[] = [
  ...[...OF_PROCESSORS, ...OF_PROCESSORS.map(ofAccounts), BOOKS, HLEDGER, QUICKBOOKS],
  ...[...OF_BOOKKEEPING, ...OF_BOOKKEEPING.map(ofAccounts), BANK],
];
