import { invalidField, notFound } from '@decision-ledger/contract/errors';
import type { LinkQuery } from '@decision-ledger/contract/link';
import { lockHead } from '../../platform/chain/lock-head.js';
import type { Queryable } from '../../platform/database.js';
import { type IdPrefix, idToUuid } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import type { LinkRow } from './store/link-row.js';
import { selectLink } from './store/select-link.js';
import { type PagePosition, selectPage } from './store/select-page.js';

/**
 * A link, deleted or not.
 * @throws LedgerError `not_found`
 */
export async function readLink(db: Queryable, scope: Scope, id: string): Promise<LinkRow> {
  const uuid = idToUuid('lnk', id);
  const row = uuid === null ? null : await selectLink(db, scope, uuid);
  if (row === null) throw notFound('link');
  return row;
}

/** The same, with every other change of the ledger's links waiting until the transaction ends. */
export async function lockLink(tx: Queryable, scope: Scope, id: string): Promise<LinkRow> {
  await lockHead(tx, scope, 'activity');
  return readLink(tx, scope, id);
}

/**
 * Links of a ledger, newest first.
 * @throws LedgerError `validation_error`
 */
export async function listLinks(
  db: Queryable,
  scope: Scope,
  query: LinkQuery,
  after: PagePosition | null,
  limit: number,
): Promise<LinkRow[]> {
  const filter = {
    decisionId: readId('dec', query, 'decision_id'),
    eventId: readId('evt', query, 'financial_event_id'),
    status: query.status,
    minStrength: query.min_strength,
    // Rejected links are deleted ones: who asks for them means them.
    includeDeleted: query.include_deleted ?? query.status === 'REJECTED',
  };
  return selectPage(db, scope, filter, after, limit);
}

/** @throws LedgerError `validation_error` for what can be no identifier */
function readId(
  prefix: IdPrefix,
  query: LinkQuery,
  name: 'decision_id' | 'financial_event_id',
): string | undefined {
  const id = query[name];
  if (id === undefined) return undefined;
  const uuid = idToUuid(prefix, id);
  if (uuid === null) throw invalidField(name, `must be an identifier that begins with ${prefix}_`);
  return uuid;
}
