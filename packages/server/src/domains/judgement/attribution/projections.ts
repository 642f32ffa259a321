import { lockHead, readChain } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import {
  type KeyRange,
  type Projection,
  rangesOf,
  wholeOf,
} from '../../../platform/projections/projection.js';
import { selectHistories } from '../../log/activity/index.js';
import { expectedReviews, REVIEW_TYPES } from './rules/link-reviews.js';
import { comparePatterns, PATTERNS, selectEndOfPatterns } from './store/agent-patterns.js';
import { selectIdentifying } from './store/event-scores.js';
import { compareStates, lockAttribution, STATES, selectLabel } from './store/models.js';
import { compareReviews, REVIEWS, selectEndOfLinks, selectLinkIds } from './store/reviews.js';

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

/** Observations that are read together. */
const OBSERVATIONS = 5000;

/** How much was learned without reviews, and whether the label `matched` is withdrawn. */
export const attributionState: Projection = {
  name: 'attribution-state',
  makes: ['attribution_states.identified', 'attribution_states.label_withdrawn'],
  after: [],
  rows: STATES,
  async *parts() {
    const logs = new Logs();
    yield wholeOf((reader) => logs.compare(reader));
  },
  lock: lockAttribution,
};

/**
 * What the logs say, up to the ends that a reader sees. The state is one row of all of them, so they are read once, without a
 * lock, and then only what was added. Of each event that identifies its cause, the id is kept in memory.
 */
class Logs {
  readonly #identified = new Set<string>();
  #observations = 0;
  #isWithdrawn = false;
  #activity = 0;

  async compare(reader: LedgerReader): Promise<RowComparison> {
    await this.#followObservations(reader);
    const head = (await readChain(reader, 'activity'))?.seq ?? 0;
    this.#isWithdrawn = (await selectLabel(reader, this.#activity)) ?? this.#isWithdrawn;
    this.#activity = head;
    const label_withdrawn = this.#isWithdrawn;
    return compareStates(reader, { identified: this.#identified.size, label_withdrawn });
  }

  /** The last observation of an event counts. */
  async #followObservations(reader: LedgerReader): Promise<void> {
    for (let more = true; more; ) {
      const rows = await selectIdentifying(reader, this.#observations, OBSERVATIONS);
      for (const { seq, event_id, identifies } of rows) {
        if (identifies) this.#identified.add(event_id);
        else this.#identified.delete(event_id);
        this.#observations = seq;
      }
      more = rows.length === OBSERVATIONS;
    }
  }
}
