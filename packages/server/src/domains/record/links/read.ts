import { invalidField, notFound } from '@decision-ledger/contract/errors';
import type { LinkQuery } from '@decision-ledger/contract/link';
import { lockHead } from '../../../platform/chain/head.js';
import { type IdPrefix, idToUuid } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { byPlace, mapPage, type PageRows, type Place, type Slice } from '../../../platform/page.js';
import { isReviewQueue } from './rules/filter.js';
import { type LinkRow, selectLink, selectLinkPage } from './store/links.js';

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
  /** `at` is its priority in the review queue. */
  readonly place: Place;
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
    key: byPlace,
    fetch: (slice: Slice<Place>) => listLinks(ledger, query, slice),
    keyOf: ({ place }: ListedLink) => place,
  };
}

/** @throws LedgerError `validation_error` */
export async function listLinks(
  ledger: LedgerReader,
  query: LinkQuery,
  slice: Slice<Place>,
): Promise<PageRows<ListedLink>> {
  const filter = {
    decisionId: readId('dec', query, 'decision_id'),
    eventId: readId('evt', query, 'financial_event_id'),
    status: query.status,
    minStrength: query.min_strength,
    // Rejected links are deleted: a query for them includes deleted ones.
    includeDeleted: query.include_deleted ?? query.status === 'REJECTED',
  };
  const page = await selectLinkPage(ledger, filter, slice);
  return mapPage(page, (link) => {
    const at = isReviewQueue(filter) ? (link.review_priority ?? 0) : link.created_at;
    return { link, place: { at, id: link.link_id } };
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
  if (uuid === null) throw invalidField(name, `must be an identifier that begins with ${prefix}_`);
  return uuid;
}
