import { Stripe } from 'stripe';

/** Webhook events and objects as Stripe sends them, with the members that its users rely on. */

const UNBOOKED = { balance_transaction: null };

/** @param {number} at */
export const seconds = (at) => Math.floor(at / 1000);

/**
 * @param {{ id: string, intent: string, amount: number, currency: string, at: number, customer: string,
 *   description: string | null, metadata: Record<string, string> }} fields
 * @param {object} [state] what differs at the time of the event
 */
export function charge(fields, state = {}) {
  const { id, intent, amount, currency, at, customer, description, metadata } = fields;
  return {
    ...{ id, object: 'charge', amount, amount_captured: amount, amount_refunded: 0 },
    ...{ application: null, balance_transaction: `txn_${id.slice(3)}`, captured: true },
    ...{ created: seconds(at), currency: currency.toLowerCase(), customer, description },
    billing_details: { email: null, name: null, address: { country: 'DE', postal_code: null } },
    ...{ disputed: false, failure_code: null, livemode: true, metadata, paid: true },
    ...{ outcome: { network_status: 'approved_by_network', type: 'authorized' } },
    ...{ payment_intent: intent, refunded: false, status: 'succeeded', transfer_group: null },
    payment_method_details: { card: { brand: 'visa', last4: '4242' }, type: 'card' },
    ...state,
  };
}

function eventOf(type, at, object) {
  const id = `evt_${`${object.id}_${type}_${at}`.replace(/\W/g, '_')}`;
  return {
    ...{ id, object: 'event', api_version: '2025-09-30.clover', created: seconds(at) },
    ...{ data: { object }, livemode: true, pending_webhooks: 1, type },
    request: { id: null, idempotency_key: null },
  };
}

/** @param {Parameters<typeof charge>[0]} fields */
export const charged = (fields) => eventOf('charge.succeeded', fields.at, charge(fields));

/** @param {Parameters<typeof charge>[0]} fields */
export const authorised = (fields) =>
  eventOf(
    'charge.succeeded',
    fields.at,
    charge(fields, { ...UNBOOKED, captured: false, amount_captured: 0 }),
  );

/** The rest of what was authorised is given back as a refund without a balance transaction. */
export function capturedInPart(fields, at, captured, refundId) {
  const rest = fields.amount - captured;
  const state = { amount_captured: captured, amount_refunded: rest };
  return [
    eventOf('charge.captured', at, charge(fields, state)),
    eventOf('refund.created', at, refund(fields, at, refundId, rest, UNBOOKED)),
  ];
}

export function voided(fields, at, refundId) {
  const state = { ...UNBOOKED, captured: false, amount_captured: 0 };
  return [
    eventOf('refund.created', at, refund(fields, at, refundId, fields.amount, UNBOOKED)),
    eventOf(
      'charge.refunded',
      at,
      charge(fields, { ...state, amount_refunded: fields.amount, refunded: true }),
    ),
  ];
}

export function refund({ id, intent, currency }, at, refundId, amount, state = {}) {
  return {
    ...{ id: refundId, object: 'refund', amount, balance_transaction: `txn_${refundId.slice(3)}` },
    ...{ charge: id, created: seconds(at), currency: currency.toLowerCase(), metadata: {} },
    ...{ payment_intent: intent, reason: 'requested_by_customer', status: 'succeeded' },
    ...state,
  };
}

/** @param {number} total of all refunds of the charge, this one included */
export function refunded(fields, at, refundId, amount, total) {
  const state = { amount_refunded: total, refunded: total === fields.amount };
  return [
    eventOf('refund.created', at, refund(fields, at, refundId, amount)),
    eventOf('charge.refunded', at, charge(fields, state)),
  ];
}

/** What Stripe takes for a dispute, in cents of the base currency. */
export const DISPUTE_FEE = 1500;

/** @param {readonly object[]} moved its balance transactions so far, see balance.js */
export function disputed(type, fields, at, disputeId, amount, moved) {
  return eventOf(`charge.dispute.${type}`, at, dispute(fields, at, disputeId, amount, moved));
}

export function dispute({ id, intent, currency }, at, disputeId, amount, moved) {
  return {
    ...{ id: disputeId, object: 'dispute', amount, charge: id, created: seconds(at) },
    ...{ balance_transactions: moved, currency: currency.toLowerCase() },
    ...{ is_charge_refundable: false, livemode: true, metadata: {}, payment_intent: intent },
    ...{ reason: 'fraudulent', status: 'needs_response' },
  };
}

/** @param {object} payout */
export const paidOut = (payout, at) => eventOf('payout.paid', at, payout);

export function payoutOf(id, at, amount, currency) {
  return {
    ...{ id, object: 'payout', amount, arrival_date: seconds(at), automatic: true },
    ...{ balance_transaction: `txn_${id.slice(3)}`, created: seconds(at) },
    ...{ currency: currency.toLowerCase(), livemode: true, metadata: {}, status: 'paid' },
    ...{ description: 'STRIPE PAYOUT', reconciliation_status: 'completed' },
    ...{ method: 'standard', type: 'bank_account', statement_descriptor: null },
  };
}

/**
 * The request that delivers an event.
 * @param {object} event
 * @param {string} secret
 */
export function delivery(event, secret) {
  const payload = JSON.stringify(event, null, 2);
  return { payload, signature: Stripe.webhooks.generateTestHeaderString({ payload, secret }) };
}
