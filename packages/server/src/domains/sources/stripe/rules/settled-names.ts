/** What Stripe's balance says of a movement: it was settled in another way than it was paid. */
export const SETTLED = [
  'stripe_balance_transaction',
  'stripe_settled',
  'stripe_fee',
  'stripe_net',
  'stripe_rate',
  'stripe_payout',
] as const;
