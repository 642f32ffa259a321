import { Type } from 'typebox';

/** Estimates a ledger's decisions anew: a job goes on where one before it stopped. */
export const RECALCULATION = {
  name: 'liability-recalculation',
  data: Type.Object({}),
  once: 'key',
  retries: 8,
  firstDelay: 5,
  longestDelay: 900,
  timeout: 21_600,
} as const;
