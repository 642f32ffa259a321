import type { Export } from '@decision-ledger/contract/export';
import { raw } from 'sql-template-tag';

/** A stored export: times in ms. */
export interface ExportRow {
  readonly export_id: string;
  readonly export_type: Export['export_type'];
  readonly range_start: number;
  readonly range_end: number;
  readonly status: Export['status'];
  readonly requested_by: string;
  readonly is_large: boolean;
  readonly created_at: number;
  readonly decisions: number | null;
  readonly total: number;
  readonly written: number;
  readonly failures: number;
  readonly reason: string | null;
  readonly completed_at: number | null;
  readonly expires_at: number | null;
  readonly activity_seq: number | null;
  readonly file: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly key_fingerprint: string | null;
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint as ${column}`;

export const EXPORT_COLUMNS = raw(`export_id, export_type, ${ms('range_start')}, ${ms('range_end')},
  status, requested_by, is_large, ${ms('created_at')}, decisions, total, written, failures, reason,
  ${ms('completed_at')}, ${ms('expires_at')}, activity_seq, file, bytes, sha256, key_fingerprint`);
