import { Type } from 'typebox';

/** Signs checkpoints of a ledger. */
export const LOG_ROUNDS = {
  name: 'log-rounds',
  data: Type.Object({}),
  once: 'key',
  retries: 5,
  firstDelay: 5,
  longestDelay: 60,
  timeout: 3600,
} as const;

/** Builds the logs of a ledger again and compares them with what is stored. */
export const LOG_REBUILDS = {
  name: 'log-rebuilds',
  data: Type.Object({}),
  once: 'key',
  retries: 3,
  firstDelay: 5,
  longestDelay: 300,
  timeout: 21_600,
} as const;
