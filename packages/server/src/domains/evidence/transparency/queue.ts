import { Type } from 'typebox';

/**
 * Builds the logs of a ledger again and compares them with what is stored. A job, and no due work of a follower: it is one
 * pass over all records with the tree in memory, during which other ledgers would wait, and one worker is enough for it.
 */
export const LOG_REBUILDS = {
  name: 'log-rebuilds',
  data: Type.Object({}),
  once: 'key',
  retries: 3,
  firstDelay: 5,
  longestDelay: 300,
  timeout: 21_600,
} as const;
