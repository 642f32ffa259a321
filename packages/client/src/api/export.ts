// Generated from the contract by scripts/client-types.js.

import type { Hash, Page, PageQuery, Timestamp } from './shared.js';

export interface ExportFilter {
  /** Only decisions of this agent. */
  readonly agent_id?: string;
  /** Only decisions of this action type. */
  readonly action_type?: string;
  readonly human_in_loop?: boolean;
  readonly min_confidence?: number;
  readonly max_confidence?: number;
  /** Members of the metadata with their values as text: each matches that string, and the number, boolean or null with that JSON text. */
  readonly metadata?: {
    readonly [name: string]: string;
  };
}

export interface ExportBody {
  /** forensic: the full evidence. compliance: the records that Article 12 of the EU AI Act requires. insurance: aggregates only, no personal data. statement: the figures of one agent, with the rows that they are the sums of. */
  readonly export_type: 'forensic' | 'compliance' | 'insurance' | 'statement';
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start_date: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end_date: string;
  /** The agent of a statement. Required for this type alone. */
  readonly agent_id?: string;
  /** For forensic exports: the bundle shows only the decisions that match all conditions, and the rest of its run as hashes. At least one condition. */
  readonly filter?: ExportFilter;
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
  /** What the bundle shows, if it does not show everything of its range. It is forgotten when the file is removed. The answer to POST does not repeat it. */
  readonly filter?: ExportFilter;
  /** A salted digest of the filter, as the activity chain has it. Present if there was a filter. */
  readonly filter_commitment?: string;
  /** First instant of the range. */
  readonly start_date: string;
  /** First instant after the range. */
  readonly end_date: string;
  /** pending: waits for a worker. running: being created. complete: can be downloaded. failed: all tries failed, see reason. expired: its file was removed. */
  readonly status: 'pending' | 'running' | 'complete' | 'failed' | 'expired';
  /** Completed share, 1 when complete. */
  readonly progress: number;
  /** Decisions in the range, or those of them that match the filter; null until they are counted. */
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

export interface SigningKey {
  /** SHA-256 of the SubjectPublicKeyInfo in DER, in lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly algorithm: string;
  /** PEM. */
  readonly public_key: string;
  readonly created_at: Timestamp;
  /** Null for the current key. */
  readonly retired_at: string | null;
}

export interface SigningKeyPage extends Page {
  /** Newest first; empty before the first export. */
  readonly signing_keys: readonly SigningKey[];
}

export type SigningKeyQuery = PageQuery;
