import * as stripe from '../stripe.js';
import { minorOf } from './read.js';

const ID_LENGTH = 22;

/**
 * The webhook events of what Stripe says in a case.
 * @param {readonly import('./read.js').Said[]} said
 */
export function eventsOf(said) {
  const charges = new Map();
  return said
    .filter(({ source }) => source === 'stripe')
    .flatMap((one, index) => {
      const number = String(index).padStart(ID_LENGTH, 'Q');
      if (['charge', 'authorised'].includes(one.type)) charges.set(one.name, chargeOf(one, number));
      const charge = charges.get(one.name);
      if (charge === undefined) throw new Error(`no charge has the name ${one.name}`);
      return eventsOn(charge, one, number);
    });
}

function chargeOf({ currency, timestamp, description, metadata, ...said }, number) {
  return {
    ...{ id: `ch_3${number}`, intent: `pi_3${number}`, customer: 'cus_A1', refunded: 0 },
    ...{ amount: minorOf({ ...said, currency }), at: Date.parse(timestamp), currency },
    ...{ description: description ?? null, metadata: metadata ?? {} },
  };
}

function eventsOn(charge, said, number) {
  const [amount, at] = [minorOf(said), Date.parse(said.timestamp)];
  switch (said.type) {
    case 'charge':
      return [stripe.charged(charge)];
    case 'authorised':
      return [stripe.authorised(charge)];
    case 'captured':
      return stripe.capturedInPart(charge, at, amount, `re_3${number}`);
    case 'voided':
      return stripe.voided(charge, at, `re_3${number}`);
    case 'refund':
      charge.refunded += amount;
      return stripe.refunded(charge, at, `re_3${number}`, amount, charge.refunded);
    case 'lost':
      return lost(charge, { at, amount, id: `du_3${number}` });
    default:
      throw new Error(`Stripe says nothing of the type ${said.type}`);
  }
}

/** A dispute that takes the money, and Stripe's fee for it. */
function lost(charge, { at, amount, id }) {
  const moved = {
    ...{ id: `txn_${id.slice(3)}`, object: 'balance_transaction', type: 'adjustment' },
    ...{ amount: -amount, fee: stripe.DISPUTE_FEE, net: -amount - stripe.DISPUTE_FEE },
    ...{ created: stripe.seconds(at), currency: charge.currency.toLowerCase() },
    reporting_category: 'dispute',
  };
  return [
    stripe.disputed('created', charge, at, id, amount, []),
    stripe.disputed('funds_withdrawn', charge, at, id, amount, [moved]),
  ];
}
