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
  'record',
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

/**
 * Whether permissions allow what one of them does. `ingest` allows what `record` does.
 *
 * @example
 * ```ts
 * import { permits } from '@decision-ledger/contract/permissions';
 *
 * permits(new Set(['ingest']), 'record'); // => true
 * permits(new Set(['record']), 'ingest'); // => false
 * ```
 */
export function permits(held: ReadonlySet<Permission>, wanted: Permission): boolean {
  return held.has(wanted) || (wanted === 'record' && held.has('ingest'));
}

/**
 * Whether permissions allow nothing but to record decisions.
 *
 * @example
 * ```ts
 * import { recordsAlone } from '@decision-ledger/contract/permissions';
 *
 * recordsAlone(new Set(['record'])); // => true
 * recordsAlone(new Set(['record', 'read'])); // => false
 * ```
 */
export function recordsAlone(held: ReadonlySet<Permission>): boolean {
  return held.size === 1 && held.has('record');
}

export const MODES = ['live', 'test'] as const;

/** The organisation's production ledger (`live`) or its sandbox (`test`). */
export type Mode = (typeof MODES)[number];
