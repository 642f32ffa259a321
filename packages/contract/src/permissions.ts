/** What a key may be allowed to do. */
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

/** An organisation's real ledger, or its sandbox. */
export type Mode = (typeof MODES)[number];
