import { Type } from 'typebox';

/** Gives the events of a ledger the signs, and its suggestions the link types, of changed settings. */
export const MONEY_SIGNS = {
  name: 'money-signs',
  data: Type.Object({}),
  once: 'key',
  retries: 8,
  firstDelay: 5,
  longestDelay: 900,
  timeout: 21_600,
} as const;
