// Generated from the contract by scripts/client-types.js.

import type { Hash, Page, PageQuery, Timestamp } from './shared.js';

export interface ExportBody {
  /** forensic: the full evidence. compliance: the records that Article 12 of the EU AI Act requires. insurance: aggregates only, no personal data. statement: the figures of one agent, with the rows that they are the sums of. */
  readonly export_type: 'forensic' | 'compliance' | 'insurance' | 'statement';
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start_date: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end_date: string;
  /** The agent of a statement. Required for this type alone. */
  readonly agent_id?: string;
  /** What the bundle proves to be complete, if it contains decisions. recorded (default): what was recorded in the range. decided: what was decided in it, as far as recording.max_lateness_seconds bounds how late a decision is recorded. */
  readonly range_basis?: 'recorded' | 'decided';
}

export interface Export {
  readonly export_id: string;
  /** forensic: the full evidence. compliance: the records that Article 12 of the EU AI Act requires. insurance: aggregates only, no personal data. statement: the figures of one agent, with the rows that they are the sums of. */
  readonly export_type: 'forensic' | 'compliance' | 'insurance' | 'statement';
  /** The agent of a statement. */
  readonly agent_id?: string;
  /** Only for bundles that contain decisions. */
  readonly range_basis?: 'recorded' | 'decided';
  /** First instant of the range. */
  readonly start_date: string;
  /** First instant after the range. */
  readonly end_date: string;
  /** pending: waits for a worker. running: being created. complete: can be downloaded. failed: all tries failed, see reason. expired: its file was removed. */
  readonly status: 'pending' | 'running' | 'complete' | 'failed' | 'expired';
  /** Completed share, 1 when complete. */
  readonly progress: number;
  /** Decisions in the range; null until they are counted. */
  readonly decisions: number | null;
  readonly warnings: readonly string[];
  /** Why the export failed, expired, or is being retried. */
  readonly reason?: string;
  readonly requested_by: string;
  readonly created_at: Timestamp;
  readonly completed_at: string | null;
  /** When the file is removed; null until the export is complete. */
  readonly expires_at: string | null;
  /** Size of the file. */
  readonly bytes?: number;
  readonly sha256?: Hash;
  readonly key_fingerprint?: Hash;
  /** Valid for 15 minutes, without a key. */
  readonly download_url?: string;
}

export interface ExportPage extends Page {
  readonly exports: readonly Export[];
}

export interface ExportQuery extends PageQuery {
  /** pending: waits for a worker. running: being created. complete: can be downloaded. failed: all tries failed, see reason. expired: its file was removed. */
  readonly status?: 'pending' | 'running' | 'complete' | 'failed' | 'expired';
}

export type CustodyQuery = PageQuery;
