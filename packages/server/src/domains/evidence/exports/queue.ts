import { Type } from 'typebox';

const EXPORT_JOBS = {
  data: Type.Object({ export_id: Type.String() }),
  once: 'key',
  inTurn: true,
  retries: 20,
  firstDelay: 5,
  longestDelay: 60,
  timeout: 21_600,
} as const;

/** Makes an export. A retry continues where the previous attempt stopped. */
export const EXPORTS = { name: 'exports', ...EXPORT_JOBS, lanes: 2 } as const;

/** Makes an export that takes long, so that others need not wait for it. */
export const LONG_EXPORTS = { name: 'long-exports', ...EXPORT_JOBS } as const;

export const EXPORT_QUEUES = [EXPORTS, LONG_EXPORTS] as const;
