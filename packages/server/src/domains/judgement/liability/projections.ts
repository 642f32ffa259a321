import type { LedgerReader } from '../../../platform/ledger.js';
import { replaceRows } from '../../../platform/projections/differences.js';
import { pagesOf, wholeOf } from '../../../platform/projections/parts.js';
import type { Part, Projection } from '../../../platform/projections/projection.js';
import { selectEventIds } from '../../record/financial-events/index.js';
import { compareCells, deleteCells, insertCells, selectNextHour } from './store/exposure.js';
import { lockLiability } from './store/liability-states.js';
import {
  compareAllocations,
  compareStrayAllocations,
  deleteAllocationsOf,
  insertAllocationRows,
} from './store/link-allocations.js';

/** Events whose money is divided together. */
const EVENTS = 250;
const DAY_MS = 86_400_000;
/** 0001-01-01, ms. */
const EARLIEST = -62_135_596_800_000;

/** What links move of their events: it follows from the counted amounts. */
export const allocations: Projection = {
  name: 'allocations',
  makes: ['link_allocations.*'],
  after: ['counted-amounts'],
  async *parts(ledger) {
    yield* pagesOf(
      (after: string | null) => selectEventIds(ledger, after, EVENTS),
      compareAllocations,
    );
    yield wholeOf(compareStrayAllocations);
  },
  lock: lockLiability,
  replace: (tx, differences) =>
    replaceRows(
      differences,
      (keys) => deleteAllocationsOf(tx, keys),
      (rows) => insertAllocationRows(tx, rows),
    ),
};

/** The sums of estimates by hour, up to where the follower has added them. */
export const cells: Projection = {
  name: 'exposure-cells',
  makes: ['exposure_cells.*'],
  after: ['estimates'],
  parts: cellParts,
  lock: lockLiability,
  replace: (tx, differences) =>
    replaceRows(
      differences,
      (keys) => deleteCells(tx, keys),
      (rows) => insertCells(tx, rows),
    ),
};

/** Days that have cells or decisions. */
async function* cellParts(ledger: LedgerReader): AsyncGenerator<Part> {
  let done = 0;
  let start = await selectNextHour(ledger, EARLIEST);
  while (start !== null) {
    const range = { start, end: start + DAY_MS };
    start = await selectNextHour(ledger, range.end);
    done += 1;
    yield {
      ...{ done, total: start === null ? done : done + 1 },
      compare: (reader) => compareCells(reader, range),
    };
  }
}
