import { lockHead } from '../../../platform/chain/lock-head.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Comparison, RowDifference } from '../../../platform/projections/differences.js';
import { pagesOf } from '../../../platform/projections/parts.js';
import type { Projection } from '../../../platform/projections/projection.js';
import { findSignFaults, type SignFault } from './find-sign-faults.js';
import { isRecountPending } from './recount.js';
import { updateCountedRows } from './store/counted-amounts.js';
import { selectEventIds } from './store/event-ids.js';

/** Events that are counted together. */
const STEP = 250;
const PENDING = 'the settings changed, and not all events are counted again yet';

/** What events count with. The settings decide it with the links of people, so all changes of it are chained. */
export const countedAmounts: Projection = {
  name: 'counted-amounts',
  makes: ['financial_events.counted_amount'],
  after: [],
  parts: (ledger) => pagesOf((after) => selectEventIds(ledger, after, STEP), compare),
  lock: async (tx) => {
    await lockHead(tx, 'activity');
  },
  replace: (tx, differences) => updateCountedRows(tx, differences),
};

async function compare(reader: LedgerReader, eventIds: readonly string[]): Promise<Comparison> {
  const faults = await findSignFaults(reader, eventIds);
  const rows = eventIds.length;
  if (faults.length > 0 && (await isRecountPending(reader))) {
    return { rows, differences: [], skipped: { rows: faults.length, reason: PENDING } };
  }
  return { rows, differences: faults.map(differenceOf) };
}

function differenceOf({ event_id, expected, actual }: SignFault): RowDifference {
  const row = (counted_amount: string) => JSON.stringify({ event_id, counted_amount });
  return {
    key: JSON.stringify({ event_id }),
    expected: row(expected),
    actual: row(actual),
  };
}
