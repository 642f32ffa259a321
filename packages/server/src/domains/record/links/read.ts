import { invalidField, notFound } from '@decision-ledger/contract/errors';
import type { LinkQuery } from '@decision-ledger/contract/link';
import { lockHead } from '../../../platform/chain/lock-head.js';
import { type IdPrefix, idToUuid } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { mapPage, type PageRows } from '../../../platform/page.js';
import { isReviewQueue } from './rules/filter.js';
import { type LinkPagePosition, type LinkRow, selectLink, selectLinkPage } from './store/links.js';

/**
 * A link, even if deleted.
 * @throws LedgerError `not_found`
 */
export async function readLink(ledger: LedgerReader, id: string): Promise<LinkRow> {
  const uuid = idToUuid('lnk', id);
  const row = uuid === null ? null : await selectLink(ledger, uuid);
  if (row === null) throw notFound('link');
  return row;
}

/** A link, locked: other changes of the ledger's links wait until the transaction ends. */
export async function lockLink(tx: LedgerWriter, id: string): Promise<LinkRow> {
  await lockHead(tx, 'activity');
  return readLink(tx, id);
}

export interface ListedLink {
  readonly link: LinkRow;
  readonly position: LinkPagePosition;
}

/**
 * Links of a ledger, newest first; the review queue by how much a review would teach. All responses
 * with a page of links use this list, so that GET /links accepts their cursors.
 */
export function linkList(ledger: LedgerReader, query: LinkQuery) {
  return {
    list: 'links',
    scope: ledger.scope,
    query,
    fetch: (after: readonly string[] | null, limit: number) =>
      listLinks(ledger, query, readPosition(after), limit),
    position: ({ position }: ListedLink) => [String(position.value), position.linkId],
  };
}

/** @throws LedgerError `validation_error` */
async function listLinks(
  ledger: LedgerReader,
  query: LinkQuery,
  after: LinkPagePosition | null,
  limit: number,
): Promise<PageRows<ListedLink>> {
  const filter = {
    decisionId: readId('dec', query, 'decision_id'),
    eventId: readId('evt', query, 'financial_event_id'),
    status: query.status,
    minStrength: query.min_strength,
    // Rejected links are deleted: a query for them includes deleted ones.
    includeDeleted: query.include_deleted ?? query.status === 'REJECTED',
  };
  const page = await selectLinkPage(ledger, filter, after, limit);
  return mapPage(page, (link) => {
    const value = isReviewQueue(filter) ? (link.review_priority ?? 0) : link.created_at;
    return { link, position: { value, linkId: link.link_id } };
  });
}

/** @throws LedgerError `validation_error` for a malformed identifier */
function readId(
  prefix: IdPrefix,
  query: LinkQuery,
  name: 'decision_id' | 'financial_event_id',
): string | undefined {
  const id = query[name];
  if (id === undefined) return undefined;
  const uuid = idToUuid(prefix, id);
  if (uuid === null) throw invalidField(name, `must be an id that starts with ${prefix}_`);
  return uuid;
}

function readPosition(after: readonly string[] | null): LinkPagePosition | null {
  const [value, linkId] = after ?? [];
  if (value === undefined || linkId === undefined) return null;
  return { value: Number(value), linkId };
}
