import { Type } from 'typebox';

/** Finds what may have caused the new events of a ledger: one job works off all that there are. */
export const CORRELATION = {
  name: 'event-correlation',
  data: Type.Object({}),
  once: 'key',
  retries: 8,
  firstDelay: 5,
  longestDelay: 900,
  timeout: 600,
} as const;
