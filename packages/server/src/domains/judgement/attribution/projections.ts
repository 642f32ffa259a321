import { lockHead } from '../../../platform/chain/lock-head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import {
  type Comparison,
  replaceRows,
  rowsText,
} from '../../../platform/projections/differences.js';
import { pagesOf, wholeOf } from '../../../platform/projections/parts.js';
import type { Projection } from '../../../platform/projections/projection.js';
import { selectHistories } from '../../log/activity/index.js';
import { expectedReviews, REVIEW_TYPES } from './rules/link-reviews.js';
import { comparePatterns, deletePatternRows, insertPatternRows } from './store/agent-patterns.js';
import { compareStates, lockAttribution, updateStates } from './store/attribution-states.js';
import {
  compareReviews,
  compareStrayReviews,
  deleteReviews,
  insertReviewRows,
  selectLinkIds,
} from './store/link-review-rows.js';

/** Links that are compared together. */
const LINKS = 250;

/** What people said of links: it follows from the records of the links. */
export const linkReviews: Projection = {
  name: 'link-reviews',
  makes: ['link_reviews.*'],
  after: [],
  async *parts(ledger) {
    yield* pagesOf((after: string | null) => selectLinkIds(ledger, after, LINKS), compareReviewsOf);
    yield wholeOf(compareStrayReviews);
  },
  lock: lockActivity,
  replace: (tx, differences) =>
    replaceRows(
      differences,
      (keys) => deleteReviews(tx, keys),
      (rows) => insertReviewRows(tx, rows),
    ),
};

async function compareReviewsOf(
  reader: LedgerReader,
  linkIds: readonly string[],
): Promise<Comparison> {
  const subjects = linkIds.map((id) => uuidToId('lnk', id));
  const histories = await selectHistories(reader, subjects, REVIEW_TYPES);
  const said = linkIds.flatMap((link_id) =>
    expectedReviews(histories.get(uuidToId('lnk', link_id)) ?? []).map(({ verdict, at }) => ({
      ...{ link_id, verdict, created_at: at },
    })),
  );
  return compareReviews(reader, linkIds, said);
}

/** Counts of the reviews, from which models are learned. */
export const patterns: Projection = {
  name: 'agent-patterns',
  makes: ['agent_patterns.*'],
  after: ['link-reviews'],
  async *parts() {
    yield wholeOf(comparePatterns);
  },
  lock: lockActivity,
  replace: (tx, differences) =>
    replaceRows(
      differences,
      (keys) => deletePatternRows(tx, keys),
      (rows) => insertPatternRows(tx, rows),
    ),
};

/** How much was learned without reviews, and whether the label `matched` is withdrawn. */
export const attributionState: Projection = {
  name: 'attribution-state',
  makes: ['attribution_states.identified', 'attribution_states.label_withdrawn'],
  after: [],
  async *parts() {
    yield wholeOf(compareStates);
  },
  lock: lockAttribution,
  replace: (tx, differences) =>
    updateStates(tx, rowsText(differences.map(({ expected }) => expected))),
};

async function lockActivity(tx: LedgerWriter): Promise<void> {
  await lockHead(tx, 'activity');
}
