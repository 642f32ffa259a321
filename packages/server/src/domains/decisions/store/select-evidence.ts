import sql, { empty, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { DECISION_COLUMNS, type DecisionRow } from './decision-row.js';

/** A stored decision with all that proves it. */
export interface EvidenceRow extends DecisionRow {
  readonly epoch: number;
  readonly entry: string;
}

export interface EvidenceRange {
  /** ms; the end is excluded. */
  readonly start: number;
  readonly end: number;
  /** Decisions behind this place in the chain are left out. */
  readonly lastSeq: number;
}

export interface EvidencePosition {
  /** ms. */
  readonly timestamp: number;
  readonly seq: number;
}

/** Oldest first: by timestamp, then by seq. Each is some 2 KiB, and may be 1 MiB. */
export async function selectEvidence(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, lastSeq }: EvidenceRange,
  after: EvidencePosition | null,
  limit: number,
): Promise<EvidenceRow[]> {
  return db.query<EvidenceRow>(sql`
    select ${DECISION_COLUMNS}, epoch, entry from decisions
    where ledger_id = ${ledgerId} and seq <= ${lastSeq}
      and "timestamp" >= ${at(start)} and "timestamp" < ${at(end)}${behind(after)}
    order by decisions."timestamp", decisions.seq limit ${limit}`);
}

/** The bound on the time alone is what the index can be entered by. */
function behind(after: EvidencePosition | null): Sql {
  if (after === null) return empty;
  const time = at(after.timestamp);
  return sql` and "timestamp" >= ${time} and ("timestamp", seq) > (${time}, ${after.seq})`;
}

/** From the year 4283 on to_timestamp misses the millisecond. */
const at = (ms: number): Sql => sql`to_timestamp(${ms}::bigint / 1000.0)::timestamptz(3)`;
