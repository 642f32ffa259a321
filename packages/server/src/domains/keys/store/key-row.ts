import type { Permission } from '@decision-ledger/contract/permissions';
import { raw } from 'sql-template-tag';

/** A stored key: never the key itself. Times in ms. */
export interface KeyRow {
  /** UUID. */
  readonly key_id: string;
  readonly name: string;
  readonly permissions: Permission[];
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

const ms = (column: string): string =>
  `(extract(epoch from k.${column}) * 1000)::bigint as ${column}`;

/** Of `api_keys k`. */
export const KEY_COLUMNS = raw(
  `k.key_id, k.name, k.permissions, ${ms('created_at')}, ${ms('expires_at')}, ${ms('revoked_at')}`,
);
