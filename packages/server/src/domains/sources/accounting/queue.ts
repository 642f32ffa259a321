import { Type } from 'typebox';

/** Polls one accounting connection once. */
export const ACCOUNTING_POLLS = {
  name: 'accounting-poll',
  data: Type.Object({ connection_id: Type.String() }),
  once: 'key',
  retries: 8,
  firstDelay: 30,
  longestDelay: 900,
  timeout: 900,
} as const;
