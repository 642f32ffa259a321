/**
 * The permissions of keys.
 *
 * @example
 * ```ts
 * import { PERMISSIONS } from '@decision-ledger/contract/permissions';
 *
 * PERMISSIONS.includes('export'); // => true
 * ```
 */
export const PERMISSIONS = [
  'ingest',
  'read',
  'review',
  'export',
  'stream',
  'webhook',
  'erase',
  'manage',
  'admin',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export const MODES = ['live', 'test'] as const;

/** The organisation's production ledger (`live`) or its sandbox (`test`). */
export type Mode = (typeof MODES)[number];
