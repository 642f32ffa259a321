import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { LinkRow } from './link-row.js';

/** The strength goes as text, so that the database holds the digits and no binary fraction. */
export async function insertLink(tx: Queryable, { ledgerId }: Scope, link: LinkRow): Promise<void> {
  await tx.query(sql`
    insert into links (ledger_id, link_id, decision_id, event_id, correlation_strength, link_type,
      attribution_method, status, notes, score, created_by, created_at, reviewed_by,
      reviewed_at, review_priority)
    values (${ledgerId}, ${link.link_id}, ${link.decision_id}, ${link.event_id},
      ${String(link.correlation_strength)}::numeric, ${link.link_type},
      ${link.attribution_method}, ${link.status}, ${link.notes}, ${link.score},
      ${link.created_by}, to_timestamp(${link.created_at}::bigint / 1000.0), ${link.reviewed_by},
      to_timestamp(${link.reviewed_at}::bigint / 1000.0), ${link.review_priority})`);
}
