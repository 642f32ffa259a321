import { Type } from 'typebox';

/** Records the movements of one charge, refund or dispute. */
export const STRIPE_OBJECTS = {
  name: 'stripe-object',
  data: Type.Object({ object_id: Type.String() }),
  once: 'always',
  retries: 10,
  firstDelay: 2,
  longestDelay: 900,
  timeout: 60,
} as const;
