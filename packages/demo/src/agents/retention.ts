import {
  type Agent,
  type CaseContext,
  DAY,
  type Draft,
  drawConfidence,
  fromCents,
  HOUR,
  shareOf,
} from '../draft.js';

const PLANS = [
  { plan: 'plants-monthly', cents: 2490 },
  { plan: 'plants-quarterly', cents: 6900 },
  { plan: 'table-monthly', cents: 3490 },
] as const;
const COMPLAINTS = [
  'I do not use the box often enough.',
  'It has become too expensive for me.',
  'The last two boxes were much alike.',
  'I am moving abroad next month.',
] as const;

/** The arms of the experiment, and how many customers of each stay. */
const ARMS = [
  { arm: 'control', offer: 'none', discount: 0, stays: 0.3 },
  { arm: 'ten_percent', offer: 'ten_percent_off', discount: 0.1, stays: 0.37 },
  { arm: 'free_month', offer: 'free_month', discount: 0.25, stays: 0.47 },
] as const;
const USUAL = ARMS[1];
/** The experiment begins in the eighth month. */
const EXPERIMENT_FROM = 0.58;
export const EXPERIMENT = 'retention-offer';

/** Answers subscribers who want to cancel. */
export const retention: Agent = {
  share: 80,
  hours: 'shop',
  releases: [
    { from: 0, version: '1.8.2', model: 'support-large-1' },
    { from: 0.45, version: '2.0.0', model: 'support-large-2' },
  ],
  draft,
};

function draft({ at, random, customer, number, passed }: CaseContext): Draft {
  const { plan, cents } = random.pick(PLANS);
  const isTrial = passed > EXPERIMENT_FROM;
  const chosen = isTrial ? random.pick(ARMS) : USUAL;
  const subscription = `sub_${30_000 + number}`;
  const price = shareOf(cents, 1 - chosen.discount);
  const decision = {
    at,
    action_type: 'offer_retention',
    inputs: {
      subscription_id: subscription,
      plan,
      message: random.pick(COMPLAINTS),
      months_subscribed: random.int(2, 40),
      plan_price: fromCents(cents),
    },
    outputs: { offer: chosen.offer, price: fromCents(price), currency: customer.currency },
    confidence: drawConfidence(random, 0.45, 0.9),
    alternatives: ARMS.filter(({ arm }) => arm !== chosen.arm).map(({ offer }) => ({ offer })),
    metadata: {
      customer_id: customer.id,
      subscription_id: subscription,
      ...(isTrial && {
        experiment: { id: EXPERIMENT, arm: chosen.arm, propensity: 0.3333 },
      }),
    },
  };
  if (!random.chance(chosen.stays)) return { decisions: [decision], events: [] };
  const renewal = {
    at: at + Math.round(random.between(0.2, 12) * DAY) + HOUR,
    cause: 0,
    isNamed: random.chance(0.08),
    body: {
      source: 'billing',
      event_type: 'subscription_renewal',
      amount: fromCents(price),
      currency: customer.currency,
      external_id: `in_${random.code(14)}`,
      description: `Renewal of ${plan}`,
      metadata: { customer_id: customer.id, subscription_id: subscription },
    },
  };
  return { decisions: [decision], events: [renewal] };
}
