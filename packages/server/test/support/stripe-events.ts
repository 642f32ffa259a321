import { Stripe } from 'stripe';

/** Webhook payloads in the shape of Stripe's API from 2025 on, with the members that it sends. */

export type Payload = {
  [name: string]: Payload | Payload[] | string[] | string | number | boolean | null;
};

interface ObjectFields {
  readonly id?: string;
  /** In Stripe's smallest unit. */
  readonly amount?: number;
  readonly currency?: string;
  readonly livemode?: boolean;
  /** Seconds. */
  readonly created?: number;
  readonly charge?: string;
  readonly payment_intent?: string | null;
  readonly customer?: string | null;
  readonly description?: string | null;
  readonly metadata?: { [name: string]: string };
}

/** 2026-03-01T12:00:00Z */
export const CREATED = 1_772_366_400;

const CHARGE_ID = 'ch_3QxK2eLkdIwHu7ix0aBcDeFg';
const INTENT_ID = 'pi_3QxK2eLkdIwHu7ix0hIjKlMn';

export function charge(
  fields: ObjectFields & {
    readonly captured?: boolean;
    /** By default the whole amount when captured, else 0. */
    readonly amount_captured?: number | null;
    readonly amount_refunded?: number;
    /** By default one when captured. */
    readonly balance_transaction?: string | null;
    readonly status?: string;
  } = {},
): Payload {
  const { amount = 1099, captured = true, currency = 'usd', created = CREATED } = fields;
  return {
    object: 'charge',
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: captured ? 'txn_3QxK2eLkdIwHu7ix0oPqRsTu' : null,
    billing_details: {
      address: {
        city: null,
        country: 'DE',
        line1: null,
        line2: null,
        postal_code: '10115',
        state: null,
      },
      email: 'jo@example.com',
      name: 'Jo Example',
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: 'EXAMPLE SHOP',
    customer: 'cus_RqExample0001',
    description: 'Order 1001',
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: INTENT_ID,
    payment_method: 'pm_1QxK2dLkdIwHu7ixVwXyZaBc',
    payment_method_details: {
      card: { brand: 'visa', country: 'DE', exp_month: 8, exp_year: 2029, last4: '4242' },
      type: 'card',
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
    id: CHARGE_ID,
    amount_captured: captured ? amount : 0,
    amount_refunded: 0,
    ...fields,
    amount,
    captured,
    currency,
    created,
  };
}

export function refund(
  fields: ObjectFields & {
    readonly status?: string | null;
    readonly reason?: string | null;
    readonly failure_reason?: string;
    readonly balance_transaction?: string | null;
  } = {},
): Payload {
  return {
    object: 'refund',
    id: 're_3QxK2eLkdIwHu7ix0dEfGhIj',
    amount: 1099,
    balance_transaction: 'txn_3QxK2eLkdIwHu7ix0kLmNoPq',
    charge: CHARGE_ID,
    created: CREATED,
    currency: 'usd',
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'arn', type: 'refund' },
      type: 'card',
    },
    metadata: {},
    payment_intent: INTENT_ID,
    reason: 'requested_by_customer',
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
    ...fields,
  };
}

export function dispute(
  fields: ObjectFields & {
    readonly status?: string;
    readonly reason?: string;
    readonly balance_transactions?: Payload[];
  } = {},
): Payload {
  return {
    object: 'dispute',
    id: 'du_1QxNaBLkdIwHu7ixRsTuVwXy',
    amount: 1099,
    balance_transactions: [],
    charge: CHARGE_ID,
    created: CREATED,
    currency: 'usd',
    enhanced_eligibility_types: [],
    evidence: { customer_name: 'Jo Example', product_description: null, uncategorized_text: null },
    evidence_details: {
      due_by: CREATED + 604_800,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: INTENT_ID,
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
      type: 'card',
    },
    reason: 'fraudulent',
    status: 'needs_response',
    ...fields,
  };
}

/** A balance transaction of a dispute: what it took is negative. */
export function disputeTransaction(id: string, amount: number, currency = 'usd'): Payload {
  const category = amount < 0 ? 'dispute' : 'dispute_reversal';
  return {
    ...{
      id,
      object: 'balance_transaction',
      amount,
      currency,
      created: CREATED,
      status: 'available',
    },
    ...{ description: 'Chargeback', exchange_rate: null, fee: amount < 0 ? 1500 : 0 },
    ...{
      net: amount < 0 ? amount - 1500 : amount,
      reporting_category: category,
      type: 'adjustment',
    },
  };
}

/** An event about an object. By default its id follows from type, object and time. */
export function eventOf(
  type: string,
  object: Payload,
  fields: { readonly id?: string; readonly created?: number; readonly livemode?: boolean } = {},
): Payload {
  const created = fields.created ?? CREATED;
  return {
    id: fields.id ?? `evt_${`${object.id}_${type}_${created}`.replace(/\W/g, '_')}`,
    object: 'event',
    api_version: '2025-09-30.clover',
    created,
    data: { object },
    livemode: fields.livemode ?? false,
    pending_webhooks: 1,
    request: { id: 'req_Ab1Cd2Ef3Gh4Ij', idempotency_key: null },
    type,
  };
}

/** One event of every type that can move money, about three related objects. */
export function everyMoneyEvent(fields: ObjectFields = {}): Payload[] {
  const paid = charge(fields);
  const back = refund(fields);
  const disputed = dispute(fields);
  return [
    eventOf('charge.succeeded', paid, fields),
    eventOf('charge.captured', paid, fields),
    eventOf('charge.updated', paid, fields),
    eventOf('charge.refunded', { ...paid, amount_refunded: paid.amount ?? 0 }, fields),
    eventOf('refund.created', back, fields),
    eventOf('refund.updated', back, fields),
    eventOf('charge.refund.updated', back, fields),
    eventOf('refund.failed', { ...back, status: 'failed', failure_reason: 'unknown' }, fields),
    eventOf('charge.dispute.created', disputed, fields),
    eventOf('charge.dispute.funds_withdrawn', disputed, fields),
    eventOf('charge.dispute.funds_reinstated', { ...disputed, status: 'won' }, fields),
  ];
}

/** Events that report no money beyond the others. */
export function everyOtherEvent(): Payload[] {
  return [
    eventOf('charge.pending', { ...charge(), status: 'pending' }),
    eventOf('charge.failed', { ...charge({ captured: false }), paid: false, status: 'failed' }),
    eventOf('charge.dispute.updated', dispute()),
    eventOf('charge.dispute.closed', dispute({ status: 'lost' })),
    eventOf('payment_intent.succeeded', { id: INTENT_ID, object: 'payment_intent', amount: 1099 }),
    eventOf('payout.paid', { id: 'po_1QxExample', object: 'payout', amount: 5000 }),
  ];
}

/**
 * The request that Stripe sends for a payload: its exact body and the header `Stripe-Signature`.
 */
export function signed(
  payload: Payload,
  secret: string,
  timestampSeconds: number,
): { body: string; header: string } {
  const body = JSON.stringify(payload, null, 2);
  return { body, header: signatureOf(body, secret, timestampSeconds) };
}

/** The header for any body; invalid text is signed as Stripe's package reads it. */
export function signatureOf(
  body: string | Buffer,
  secret: string,
  timestampSeconds: number,
): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload: body.toString('utf8'),
    secret,
    timestamp: timestampSeconds,
  });
}
