import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import { type KeyRange, rangesOf, type Projection } from '../../../platform/projections/projection.js';
import { selectHistories } from '../../log/activity/index.js';
import { expectedReviews, REVIEW_TYPES } from './rules/link-reviews.js';
import { comparePatterns, PATTERNS, selectEndOfPatterns } from './store/agent-patterns.js';
import {
  compareReviews,
  REVIEWS,
  selectEndOfLinks,
  selectLinkIds,
} from './store/link-review-rows.js';

/** Links that are compared together. */
const LINKS = 250;
/** Reviews that are counted together; those of a day with the same pattern always are. */
const COUNTED = 2000;

/** What people said of links: it follows from the records of the links. */
export const linkReviews: Projection = {
  name: 'link-reviews',
  makes: ['link_reviews.*'],
  after: [],
  rows: REVIEWS,
  parts: (ledger) => rangesOf((after) => selectEndOfLinks(ledger, after, LINKS), compareReviewsOf),
  lock: lockActivity,
};

async function compareReviewsOf(
  reader: LedgerReader,
  links: KeyRange<string>,
): Promise<RowComparison> {
  const linkIds = await selectLinkIds(reader, links);
  const subjects = linkIds.map((id) => uuidToId('lnk', id));
  const histories = await selectHistories(reader, subjects, REVIEW_TYPES);
  const said = linkIds.flatMap((link_id) =>
    expectedReviews(histories.get(uuidToId('lnk', link_id)) ?? []).map(({ verdict, at }) => ({
      ...{ link_id, verdict, created_at: at },
    })),
  );
  return compareReviews(reader, links, said);
}

/** Counts of the reviews, from which models are learned. */
export const agentPatterns: Projection = {
  name: 'agent-patterns',
  makes: ['agent_patterns.*'],
  after: ['link-reviews'],
  rows: PATTERNS,
  parts: (ledger) =>
    rangesOf((after) => selectEndOfPatterns(ledger, after, COUNTED), comparePatterns),
  lock: lockActivity,
};

async function lockActivity(tx: LedgerWriter): Promise<void> {
  await lockHead(tx, 'activity');
}
