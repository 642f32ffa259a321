import { Type } from 'typebox';

/** Makes an export. A retry continues where the previous attempt stopped. */
export const EXPORTS = {
  name: 'exports',
  data: Type.Object({ export_id: Type.String() }),
  once: 'key',
  retries: 20,
  firstDelay: 5,
  longestDelay: 60,
  timeout: 21_600,
} as const;
