import { invalidField, notFound } from '@decision-ledger/contract/errors';
import {
  type ExplainedLink,
  type Link,
  type LinkQuery,
  LinkScore,
} from '@decision-ledger/contract/link';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { lockHead } from '../../../platform/chain/head.js';
import { type IdPrefix, idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { mapPage, type PageRows, type Place, type Slice } from '../../../platform/page.js';
import { waterfallOf } from './rules/share.js';
import { isReviewQueue } from './rules/status.js';
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
  if (uuid === null) throw invalidField(name, `must be an id that starts with ${prefix}_`);
  return uuid;
}

const checkScore = checker(LinkScore, 'score');

/** A stored link as the API returns it. */
export function describeLink(row: LinkRow): Link {
  return { ...describeEvidence(row), label: labelOf(row) };
}

/** A stored link as evidence shows it: without the label, which no record states for older links. */
export function describeEvidence(row: LinkRow): Omit<Link, 'label'> {
  return {
    id: uuidToId('lnk', row.link_id),
    decision_id: uuidToId('dec', row.decision_id),
    financial_event_id: uuidToId('evt', row.event_id),
    correlation_strength: row.correlation_strength,
    link_type: row.link_type,
    reversal: row.reversal,
    attribution_method: row.attribution_method,
    status: row.status,
    ...(row.notes !== null && { notes: row.notes }),
    ...(row.score !== null && { score: checkScore(parseJson(row.score)) }),
    created_by: row.created_by,
    created_at: formatTimestamp(row.created_at),
    ...(row.reviewed_by !== null && { reviewed_by: row.reviewed_by }),
    ...(row.reviewed_at !== null && { reviewed_at: formatTimestamp(row.reviewed_at) }),
    deleted_at: row.deleted_at === null ? null : formatTimestamp(row.deleted_at),
    ...(row.inherited_from !== null && { inherited_from: uuidToId('evt', row.inherited_from) }),
  };
}

function labelOf({ status, label, deleted_at }: LinkRow): Link['label'] {
  if (deleted_at !== null || status === 'REJECTED') return null;
  return label ?? (status === 'ML_SUGGESTED' ? 'guessed' : 'confirmed');
}

/** A stored link with the evidence of its score, step by step. */
export function describeInDetail(row: LinkRow): ExplainedLink {
  const link = describeLink(row);
  return { ...link, ...(link.score !== undefined && { waterfall: waterfallOf(link.score) }) };
}
