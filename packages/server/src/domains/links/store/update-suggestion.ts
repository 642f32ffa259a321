import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { LinkRow } from './link-row.js';

export async function updateSuggestion(
  tx: Queryable,
  { ledgerId }: Scope,
  link: Pick<LinkRow, 'link_id' | 'correlation_strength' | 'score' | 'review_priority'>,
): Promise<void> {
  await tx.query(sql`
    update links set correlation_strength = ${String(link.correlation_strength)}::numeric,
      score = ${link.score}, review_priority = ${link.review_priority}
    where ledger_id = ${ledgerId} and link_id = ${link.link_id}`);
}
