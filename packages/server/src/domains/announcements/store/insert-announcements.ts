import sql from 'sql-template-tag';
import { textArray } from '../../../platform/binary-array.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Announcement } from '../rules/announcement.js';

/** Inserts announcements that follow one another, `firstSeq` the first of them. */
export async function insertAnnouncements(
  tx: Queryable,
  { ledgerId }: Scope,
  firstSeq: number,
  announcements: readonly Announcement[],
  at: number,
): Promise<void> {
  await tx.query(sql`
    insert into announcements (ledger_id, seq, type, subject, data, created_at)
    select ${ledgerId}, ${firstSeq}::bigint + place - 1, type, subject, data,
      to_timestamp(${at}::bigint / 1000.0)
    from unnest(${textArray(announcements, ({ type }) => type)}::text[],
      ${textArray(announcements, ({ subject }) => subject)}::text[],
      ${textArray(announcements, ({ data }) => JSON.stringify(data))}::text[]
    ) with ordinality as row (type, subject, data, place)`);
}
