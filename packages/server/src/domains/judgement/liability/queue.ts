import { Type } from 'typebox';

/** Re-estimates the decisions of a ledger. A retry continues where the previous attempt stopped. */
export const RECALCULATION = {
  name: 'liability-recalculation',
  data: Type.Object({}),
  once: 'key',
  retries: 8,
  firstDelay: 5,
  longestDelay: 900,
  timeout: 21_600,
} as const;
