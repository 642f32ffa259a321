import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Places in the chain of the first and of the last change of a subject. */
export interface SubjectBounds {
  readonly first: number;
  readonly last: number;
}

export async function selectSubjectBounds(
  db: Queryable,
  { ledgerId }: Scope,
  subjects: readonly string[],
): Promise<Map<string, SubjectBounds>> {
  const rows = await db.query<SubjectBounds & { subject: string }>(sql`
    select subject, min(seq) as first, max(seq) as last from activity
    where ledger_id = ${ledgerId} and subject = any(${subjects}::text[]) group by subject`);
  return new Map(rows.map(({ subject, first, last }) => [subject, { first, last }]));
}
