import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import type { Scope } from '../../../platform/scope.js';
import { LINK_COLUMNS, type LinkRow } from './links.js';

export interface EvidenceRange {
  /** ms; the end is excluded. */
  readonly start: number;
  readonly end: number;
  /** Decisions behind this place in the chain are none of the range. */
  readonly lastSeq: number;
}

/**
 * Links of a decision or of an event of a range, deleted ones included, oldest first. Where the range
 * holds few of many links, all are still looked at.
 * @param after created_at (ms) and UUID of the last link of the page before
 */
export async function selectEvidence(
  db: Queryable,
  { ledgerId }: Scope,
  range: EvidenceRange,
  after: { readonly createdAt: number; readonly linkId: string } | null,
  limit: number,
): Promise<LinkRow[]> {
  return db.query<LinkRow>(sql`
    select ${LINK_COLUMNS} from links
    where ledger_id = ${ledgerId}${behind(after)} and ${touches(ledgerId, range)}
    order by links.created_at, links.link_id limit ${limit}`);
}

/** Whether a row of `links` is one of a decision or of an event of the range. */
export function touches(ledgerId: string, { start, end, lastSeq }: EvidenceRange): Sql {
  const within = (table: 'd' | 'e') => {
    const time = raw(`${table}."timestamp"`);
    return sql`${time} >= ${instant(start)} and ${time} < ${instant(end)}`;
  };
  return sql`(
    exists (select from decisions d where d.ledger_id = ${ledgerId}
      and d.decision_id = links.decision_id and d.seq <= ${lastSeq} and ${within('d')})
    or exists (select from financial_events e where e.ledger_id = ${ledgerId}
      and e.event_id = links.event_id and ${within('e')}))`;
}

function behind(after: { readonly createdAt: number; readonly linkId: string } | null): Sql {
  if (after === null) return empty;
  return sql` and (created_at, link_id) > (${instant(after.createdAt)}, ${after.linkId}::uuid)`;
}
