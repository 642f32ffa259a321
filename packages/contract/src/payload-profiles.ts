import type { PayloadUnits } from './source-profiles.js';

/** Processors and marketplaces whose profiles are shipped. */
export const PROCESSORS = [
  ...(['Stripe', 'Adyen', 'PayPal', 'Braintree', 'GoCardless', 'Klarna', 'Mollie'] as const),
  ...(['Razorpay', 'SumUp', 'Worldline', 'Worldpay', 'Amazon', 'eBay', 'Etsy'] as const),
  ...(['Shopify', 'Square'] as const),
] as const;
export type Processor = (typeof PROCESSORS)[number];

/** Objects of Stripe's API that state amounts. What is in their metadata is not Stripe's. */
const IN_STRIPE: PayloadUnits['when'] = {
  member: 'object',
  values: [
    ...['application_fee', 'balance_transaction', 'charge', 'checkout.session', 'coupon', 'item'],
    ...['credit_note', 'credit_note_line_item', 'dispute', 'fee_refund', 'invoice', 'invoiceitem'],
    ...['issuing.authorization', 'issuing.transaction', 'line_item', 'payment_intent'],
    ...['payment_link', 'payout', 'plan', 'price', 'quote', 'refund', 'shipping_rate'],
    ...['subscription', 'subscription_item', 'topup', 'transfer', 'transfer_reversal'],
  ],
};

/** Objects of Razorpay's API that state amounts. */
const IN_RAZORPAY: PayloadUnits['when'] = {
  member: 'entity',
  values: ['payment', 'refund', 'order', 'settlement', 'transfer', 'invoice', 'dispute', 'payout'],
};

/** Amounts that the objects write as decimals, or objects that nothing tells from those of others. */
const AS_WRITTEN: PayloadUnits[] = [];

/**
 * In what units the objects of each processor state amounts, wherever they stand in a payload. The first row that applies
 * decides, in the order of `PROCESSORS`.
 */
export const PAYLOAD_UNITS: Readonly<Record<Processor, PayloadUnits[]>> = {
  Stripe: [
    { when: IN_STRIPE, keys: ['metadata.*'], unit: 'major' },
    { when: IN_STRIPE, keys: ['*'], unit: 'minor' },
    { keys: ['unit_amount'], unit: 'minor' },
  ],
  Adyen: ['pspReference', 'merchantAccount', 'merchantAccountCode'].map((member) => ({
    when: { member },
    keys: ['*mount.value', 'amount*.value'],
    unit: 'minor',
  })),
  PayPal: AS_WRITTEN,
  Braintree: AS_WRITTEN,
  GoCardless: AS_WRITTEN,
  Klarna: [{ when: { member: 'klarna_reference' }, keys: ['*'], unit: 'minor' }],
  Mollie: AS_WRITTEN,
  Razorpay: [{ when: IN_RAZORPAY, keys: ['*'], unit: 'minor' }],
  SumUp: AS_WRITTEN,
  Worldline: [{ keys: ['amountOfMoney.amount'], unit: 'minor' }],
  Worldpay: AS_WRITTEN,
  Amazon: AS_WRITTEN,
  eBay: AS_WRITTEN,
  Etsy: [{ when: { member: 'divisor' }, keys: ['amount'], unit: 'minor' }],
  Shopify: [
    { keys: ['shop_money.amount', 'presentment_money.amount'], unit: 'major' },
    { keys: ['shopMoney.amount', 'presentmentMoney.amount'], unit: 'major' },
  ],
  Square: [{ keys: ['*_money.amount', '*Money.amount'], unit: 'minor' }],
};
