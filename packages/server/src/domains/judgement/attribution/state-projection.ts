import { readChain } from '../../../platform/chain/head.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import { wholeOf, type Projection } from '../../../platform/projections/projection.js';
import { compareStates, lockAttribution, STATES, selectLabel } from './store/attribution-states.js';
import { selectIdentifying } from './store/event-observations.js';

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
