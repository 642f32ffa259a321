import { briefText } from '@decision-ledger/proof/replay/state';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import {
  selectAllocationFaults,
  selectCellFaults,
  selectNextHour,
  selectStrayAllocations,
} from '../../judgement/liability/index.js';
import { findSignFaults } from '../../record/financial-events/index.js';
import type { Tally } from './rules/tally.js';
import { selectEventIds } from './store/event-ids.js';
import { isRecountPending } from './store/recounts.js';

/** Events whose money is computed together. */
const STEP = 250;
const MAX_STRAY = 101;
const DAY_MS = 86_400_000;
/** 0001-01-01, ms. */
const EARLIEST = -62_135_596_800_000;
const PENDING = 'the settings changed, and the job that counts the events again has not finished';

/** Computes again what events count with and how their links divide it. */
export async function checkAllocations(ledger: Ledger, tally: Tally): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const from: string | null = after;
    const page = await ledger.read(async (tx) => {
      const eventIds = await selectEventIds(tx, from, STEP);
      const signs = await findSignFaults(tx, eventIds);
      return {
        eventIds,
        signs,
        isPending: signs.length > 0 && (await isRecountPending(tx)),
        allocations: await selectAllocationFaults(tx, eventIds),
      };
    });
    for (const { event_id, expected, actual } of page.signs) {
      if (page.isPending) tally.skip('financial_events', PENDING);
      else {
        tally.add({
          ...{ kind: 'changed_sum', table: 'financial_events', key: uuidToId('evt', event_id) },
          ...{ column: 'counted_amount', expected: briefText(expected), actual: briefText(actual) },
        });
      }
    }
    for (const fault of page.allocations) addAllocation(tally, fault);
    after = page.eventIds.at(-1) ?? null;
    if (page.eventIds.length < STEP) break;
  }
  for (const link_id of await selectStrayAllocations(ledger, MAX_STRAY)) {
    addAllocation(tally, { link_id, expected: null, actual: {} });
  }
}

type AllocationFault = Awaited<ReturnType<typeof selectAllocationFaults>>[number];

function addAllocation(tally: Tally, { link_id, expected, actual }: AllocationFault): void {
  const place = { table: 'link_allocations', key: uuidToId('lnk', link_id) };
  if (expected !== null && actual !== null) {
    addDifferences(tally, place, expected, actual);
    return;
  }
  const kind = expected === null ? 'unexpected_row' : 'missing_row';
  tally.add({ kind, ...place, column: null, expected: null, actual: null });
}

/** Adds up the estimates of each hour again and compares the sums with the stored ones. */
export async function checkCells(ledger: Ledger, tally: Tally): Promise<void> {
  let start = await selectNextHour(ledger, EARLIEST);
  while (start !== null) {
    const end: number = start + DAY_MS;
    for (const { cell, expected, actual } of await selectCellFaults(ledger, { start, end })) {
      addDifferences(tally, { table: 'exposure_cells', key: cell }, expected, actual);
    }
    start = await selectNextHour(ledger, end);
  }
}

type Shown = Readonly<Record<string, string>>;

function addDifferences(
  tally: Tally,
  place: { readonly table: string; readonly key: string },
  expected: Shown,
  actual: Shown,
): void {
  for (const [column, value] of Object.entries(expected)) {
    const found = actual[column] ?? null;
    if (found === value) continue;
    tally.add({ kind: 'changed_sum', ...place, column, expected: value, actual: found });
  }
}
