// Generated from the contract by scripts/client-types.js.

export interface ExportBody {
  /** forensic: the full evidence. compliance: the records that Article 12 of the EU AI Act requires. insurance: aggregates only, no personal data. */
  readonly export_type: 'forensic' | 'compliance' | 'insurance';
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start_date: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end_date: string;
}

export interface Export {
  readonly export_id: string;
  /** forensic: the full evidence. compliance: the records that Article 12 of the EU AI Act requires. insurance: aggregates only, no personal data. */
  readonly export_type: 'forensic' | 'compliance' | 'insurance';
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
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  readonly completed_at: string | null;
  /** When the file is removed; null until the export is complete. */
  readonly expires_at: string | null;
  /** Size of the file. */
  readonly bytes?: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256?: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly key_fingerprint?: string;
  /** Valid for 15 minutes, without a key. */
  readonly download_url?: string;
}

export interface ExportPage {
  readonly exports: readonly Export[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface ExportQuery {
  /** pending: waits for a worker. running: being created. complete: can be downloaded. failed: all tries failed, see reason. expired: its file was removed. */
  readonly status?: 'pending' | 'running' | 'complete' | 'failed' | 'expired';
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}
