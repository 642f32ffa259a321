import sql, { empty, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import type { Scope } from '../../../platform/scope.js';
import { DECISION_COLUMNS, type DecisionRow } from './decisions.js';

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

export interface Most {
  readonly records: number;
  readonly bytes: number;
}

/**
 * Decisions of a range by timestamp, then by seq: as many as have so many bytes together, and at least
 * one. The length of a stored text is known without reading it.
 */
export async function selectEvidence(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, lastSeq }: EvidenceRange,
  after: EvidencePosition | null,
  most: Most,
): Promise<EvidenceRow[]> {
  return db.query<EvidenceRow>(sql`
    with sized as (
      select c.seq as place_seq, row_number() over w as place, sum(c.bytes) over w as bytes
      from (
        select seq, "timestamp", octet_length(entry) + coalesce(octet_length(inputs), 0)
          + coalesce(octet_length(outputs), 0) + coalesce(octet_length(alternatives), 0)
          + coalesce(octet_length(metadata), 0) as bytes
        from decisions
        where ledger_id = ${ledgerId} and seq <= ${lastSeq}
          and "timestamp" >= ${instant(start)} and "timestamp" < ${instant(end)}${behind(after)}
        order by decisions."timestamp", decisions.seq limit ${most.records}
      ) as c window w as (order by c."timestamp", c.seq rows unbounded preceding)
    )
    select ${DECISION_COLUMNS}, epoch, entry
    from sized join decisions on ledger_id = ${ledgerId} and seq = place_seq
    where place = 1 or bytes <= ${most.bytes}
    order by decisions."timestamp", decisions.seq`);
}

/** The bound on the time alone is what the index can be entered by. */
function behind(after: EvidencePosition | null): Sql {
  if (after === null) return empty;
  const time = instant(after.timestamp);
  return sql` and "timestamp" >= ${time} and ("timestamp", seq) > (${time}, ${after.seq})`;
}
