import { formatTimestamp } from '@decision-ledger/contract/time';
import { briefText, type RecordedChange } from '@decision-ledger/proof/replay/state';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import {
  type ExpectedReview,
  expectedReviews,
  isTimeOf,
  REVIEW_TYPES,
} from './rules/link-reviews.js';
import type { Tally } from './rules/tally.js';
import { selectHistories } from './store/histories.js';
import {
  type FactsOfLink,
  type StoredReview,
  selectFactsOfLinks,
  selectReviewsOfLinks,
  selectStrayReviews,
} from './store/link-reviews.js';

/** Links that are read together. */
const STEP = 250;
const TABLE = 'link_reviews';
const MAX_STRAY = 101;
const FACTS = [
  'agent_id',
  'action_type',
  'event_type',
  'currency',
  'magnitude',
  'lag_hours',
] as const;

/** Rebuilds what people said of links from the records of the links, and compares it. */
export async function checkReviews(ledger: Ledger, tally: Tally): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const from: string | null = after;
    const { links, reviews, histories } = await ledger.read(async (tx) => {
      const page = await selectFactsOfLinks(tx, from, STEP);
      const ids = page.map(({ link_id }) => link_id);
      const subjects = ids.map((id) => uuidToId('lnk', id));
      return {
        links: page,
        reviews: await selectReviewsOfLinks(tx, ids),
        histories: await selectHistories(tx, subjects, REVIEW_TYPES),
      };
    });
    const stored = byLink(reviews);
    for (const link of links) {
      const changes = histories.get(uuidToId('lnk', link.link_id)) ?? [];
      compare(tally, link, stored.get(link.link_id) ?? [], changes);
    }
    tally.checked(reviews.length);
    after = links.at(-1)?.link_id ?? null;
    if (links.length < STEP) break;
  }
  for (const id of await selectStrayReviews(ledger, MAX_STRAY)) {
    addRow(tally, 'unexpected_row', uuidToId('lnk', id));
  }
}

function byLink(reviews: readonly StoredReview[]): ReadonlyMap<string, StoredReview[]> {
  const grouped = new Map<string, StoredReview[]>();
  for (const review of reviews) {
    grouped.set(review.link_id, [...(grouped.get(review.link_id) ?? []), review]);
  }
  return grouped;
}

/** The reviews of a link have an order, and few links have more than one. */
function compare(
  tally: Tally,
  link: FactsOfLink,
  stored: readonly StoredReview[],
  changes: readonly RecordedChange[],
): void {
  const id = uuidToId('lnk', link.link_id);
  const expected = expectedReviews(changes);
  for (const [place, review] of expected.entries()) {
    const row = stored[place];
    if (row === undefined) addRow(tally, 'missing_row', `${id} ${review.verdict}`);
    else compareReview(tally, link, row, review);
  }
  for (const { verdict } of stored.slice(expected.length)) {
    addRow(tally, 'unexpected_row', `${id} ${verdict}`);
  }
}

function compareReview(
  tally: Tally,
  link: FactsOfLink,
  row: StoredReview,
  review: ExpectedReview,
): void {
  const place = { table: TABLE, key: `${uuidToId('lnk', link.link_id)} ${review.verdict}` };
  const add = (column: string, expected: string, actual: string) =>
    tally.add({ kind: 'changed_row', ...place, column, expected, actual });
  if (row.verdict !== review.verdict) {
    add('verdict', briefText(review.verdict), briefText(row.verdict));
  }
  if (!isTimeOf(review, row.created_at)) {
    const [at, created] = [formatTimestamp(review.at), formatTimestamp(row.created_at)];
    add('created_at', briefText(at), briefText(created));
  }
  for (const name of FACTS) {
    if (row[name] !== link[name]) add(name, briefText(link[name]), briefText(row[name]));
  }
}

function addRow(tally: Tally, kind: 'missing_row' | 'unexpected_row', key: string): void {
  tally.add({ kind, table: TABLE, key, column: null, expected: null, actual: null });
}
