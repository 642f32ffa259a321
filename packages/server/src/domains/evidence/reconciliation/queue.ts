import { Type } from 'typebox';

/** Compares the tables of a ledger with its activity chain. A retry starts again. */
export const RECONCILIATION = {
  name: 'reconciliation',
  data: Type.Object({}),
  once: 'key',
  retries: 4,
  firstDelay: 5,
  longestDelay: 3600,
  timeout: 21_600,
} as const;
