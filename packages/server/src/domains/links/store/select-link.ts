import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { LINK_COLUMNS, type LinkRow } from './link-row.js';

/** @param linkId UUID */
export async function selectLink(
  db: Queryable,
  { ledgerId }: Scope,
  linkId: string,
): Promise<LinkRow | null> {
  const [row] = await db.query<LinkRow>(sql`
    select ${LINK_COLUMNS} from links where ledger_id = ${ledgerId} and link_id = ${linkId}`);
  return row ?? null;
}
