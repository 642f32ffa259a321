import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Span } from './span.js';

export interface AnnouncementRow {
  readonly seq: number;
  readonly type: string;
  readonly subject: string;
  /** JSON. */
  readonly data: string;
  /** ms. */
  readonly created_at: number;
}

interface Joined extends Omit<AnnouncementRow, 'seq'> {
  readonly seq: number | null;
  readonly pruned_seq: number;
}

export interface Announced {
  readonly rows: AnnouncementRow[];
  /** The last that was deleted for its age, in the same state. */
  readonly prunedSeq: number;
}

export async function selectAnnouncements(
  db: Queryable,
  { ledgerId }: Scope,
  { after, last, limit }: Span,
): Promise<Announced> {
  const joined = await db.query<Joined>(sql`
    select a.seq, a.type, a.subject, a.data, h.pruned_seq,
      (extract(epoch from a.created_at) * 1000)::bigint as created_at
    from announcement_heads h
    left join announcements a
      on a.ledger_id = h.ledger_id and a.seq > ${after} and a.seq <= ${last}
    where h.ledger_id = ${ledgerId}
    order by a.seq limit ${limit}`);
  const rows = joined.flatMap(({ seq, ...row }) => (seq === null ? [] : { seq, ...row }));
  return { rows, prunedSeq: joined[0]?.pruned_seq ?? 0 };
}
