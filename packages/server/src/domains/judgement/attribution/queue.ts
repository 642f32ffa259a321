import { Type } from 'typebox';

/** Finds the probable causes of all new events of a ledger. */
export const CORRELATION = {
  name: 'event-correlation',
  data: Type.Object({}),
  once: 'key',
  retries: 8,
  firstDelay: 5,
  longestDelay: 900,
  timeout: 600,
} as const;
