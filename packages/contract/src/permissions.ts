/** The permissions of keys. */
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
