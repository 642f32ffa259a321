import { Type } from 'typebox';

/** Closes the months of a ledger that are over, and restates closed ones. A retry continues. */
export const CLOSING = {
  name: 'month-closing',
  data: Type.Object({}),
  once: 'key',
  retries: 8,
  firstDelay: 5,
  longestDelay: 900,
  timeout: 3600,
} as const;
