import { lockHead } from '../../../platform/chain/head.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { RowComparison, RowDifference } from '../../../platform/projections/derived-rows.js';
import {
  type KeyRange,
  type Projection,
  rangesOf,
} from '../../../platform/projections/projection.js';
import { readSettings } from '../../access/settings/index.js';
import type { Counting } from '../money-signs/index.js';
import { countRow, isCountedAs, isRecounting } from './recount.js';
import {
  COUNTED,
  type CountedRow,
  selectCountedDeleted,
  selectEndOfEvents,
  selectEventIds,
  selectSigned,
} from './store/counted-amounts.js';

/** Events that are counted together. */
const STEP = 250;
const PENDING = 'the settings changed, and not all events have been recounted yet';

/** What events count with. The settings decide it with the links of people, so all changes of it are chained. */
export const countedAmounts: Projection = {
  name: 'counted-amounts',
  makes: [
    'financial_events.counted_amount',
    'financial_events.kind',
    'financial_events.may_include_tax',
    'financial_events.standing',
    'financial_events.uncounted_amount',
  ],
  after: ['movements'],
  rows: COUNTED,
  parts: (ledger) => rangesOf((after) => selectEndOfEvents(ledger, after, STEP), compare),
  lock: async (tx) => {
    await lockHead(tx, 'activity');
  },
  waitsFor: async (reader) => ((await isRecounting(reader)) ? PENDING : null),
};

async function compare(reader: LedgerReader, range: KeyRange<string>): Promise<RowComparison> {
  const eventIds = await selectEventIds(reader, range);
  const faults = await findSignFaults(reader, eventIds);
  const rows = eventIds.length;
  if (faults.length > 0 && (await isRecounting(reader))) return { rows, differences: [] };
  return { rows, differences: faults.map(differenceOf) };
}

function differenceOf({ event_id, expected, actual }: SignFault): RowDifference {
  const row = (counting: Counting) => {
    const { kind, standing, counted_amount, uncounted_amount, may_include_tax } = counting;
    const amounts = { counted_amount, uncounted_amount, may_include_tax };
    return JSON.stringify({ event_id, kind, standing, ...amounts });
  };
  return {
    key: JSON.stringify({ event_id }),
    expected: row(expected),
    actual: row(actual),
  };
}

/** An event that counts otherwise than it should. */
interface SignFault {
  /** UUID. */
  readonly event_id: string;
  readonly expected: Counting;
  readonly actual: CountedRow;
}

const NOTHING = {
  ...({ kind: 'other', standing: 'deleted' } as const),
  ...({ counted_amount: '0', uncounted_amount: '0', may_include_tax: false } as const),
};

/**
 * Computes what events (UUIDs) count with again, from the current settings and the links of people,
 * and compares them with what is stored. Deleted events count with nothing.
 */
async function findSignFaults(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<SignFault[]> {
  const deleted = await selectCountedDeleted(ledger, eventIds);
  const rows = await selectSigned(ledger, eventIds);
  const { attribution } = await readSettings(ledger);
  const faults = rows.flatMap((row) => {
    const expected = countRow(attribution, row);
    return isCountedAs(row, expected) ? [] : [{ event_id: row.event_id, expected, actual: row }];
  });
  const left = deleted.map((row) => ({ event_id: row.event_id, expected: NOTHING, actual: row }));
  return [...faults, ...left];
}
