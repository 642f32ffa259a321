import { raw } from 'sql-template-tag';

/** The public half of a stored key: times in ms. */
export interface KeyRow {
  readonly fingerprint: string;
  /** PEM. */
  readonly public_key: string;
  readonly created_at: number;
  readonly retired_at: number | null;
}

export const KEY_COLUMNS = raw(`fingerprint, public_key,
  (extract(epoch from created_at) * 1000)::bigint as created_at,
  (extract(epoch from retired_at) * 1000)::bigint as retired_at`);
