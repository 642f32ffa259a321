import { formatTimestamp } from '@decision-ledger/contract/time';
import { readChain } from '../../../platform/chain/read-head.js';
import { selectPosition } from '../../../platform/followers/positions.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type Comparison, rowsText } from '../../../platform/projections/differences.js';
import { type Span, spansUntil } from '../../../platform/projections/parts.js';
import { type Projection, UnmakeableError } from '../../../platform/projections/projection.js';
import { selectHistories } from '../../log/activity/index.js';
import { type Again, type EstimatedAgain, estimateAgain } from './find-estimate-faults.js';
import { decimal } from './rules/amounts.js';
import { ESTIMATES } from './store/exposure.js';
import { lockLiability } from './store/liability-states.js';
import {
  compareEstimates,
  DERIVED_COLUMNS,
  deleteStrayEstimates,
  updateEstimateRows,
} from './store/stored-estimates.js';

/** Decisions that are estimated together. */
const STEP = 250;

/** The last decision whose first estimate was stored. */
async function estimatedUntil(reader: LedgerReader): Promise<number> {
  return (await selectPosition(reader, ESTIMATES, 'decisions')).seq ?? 0;
}

/** What decisions may still cost, by the snapshot and as of the time that each estimate names. */
export const decisionEstimates: Projection = {
  name: 'estimates',
  makes: DERIVED_COLUMNS.map((column) => `liability_estimates.${column}`),
  after: ['allocations'],
  async *parts(ledger) {
    const head = async () => (await readChain(ledger, 'decisions'))?.seq ?? 0;
    yield* spansUntil(head, STEP, compare);
  },
  lock: lockLiability,
  // A row is never inserted: it would lack what was published with it.
  async replace(tx, differences) {
    const strays = differences.filter(({ expected }) => expected === null);
    if (strays.length > 0) await deleteStrayEstimates(tx, rowsText(strays.map(({ key }) => key)));
    await updateEstimateRows(
      tx,
      differences.filter(({ expected }) => expected !== null),
    );
  },
};

async function compare(reader: LedgerReader, span: Span): Promise<Comparison> {
  const found = await compareWith(reader, span, new Set());
  if (found.differences.length === 0) return found;
  return compareWith(reader, span, await erasedIn(reader, span));
}

async function compareWith(
  reader: LedgerReader,
  span: Span,
  erased: ReadonlySet<number>,
): Promise<Comparison> {
  const again = await estimateAgain(reader, span, erased);
  requirePublished(again, await estimatedUntil(reader));
  for (const estimate of again.estimates) requirePossible(estimate);
  const made = again.estimates.map(madeOf);
  return compareEstimates(reader, span, made);
}

/**
 * When an estimate was made, and with which snapshot, was published: without that, it cannot be made again.
 * @param until the last decision whose estimate must be stored
 */
function requirePublished({ missing: all, unexpected }: Again, until: number): void {
  const missing = all.filter(({ seq }) => seq <= until);
  const [first] = missing;
  if (first === undefined) return;
  const id = uuidToId('dec', first.decision_id);
  throw new UnmakeableError(
    `liability_estimates ${id}: the estimate is missing, or names no snapshot (${missing.length + unexpected.length} rows): ` +
      'restore a backup',
  );
}

/**
 * The snapshot of an estimate is not older than that of the decision, and the first estimate has just that. Times are not
 * compared: they are of different clocks.
 */
function requirePossible({ row, decision }: EstimatedAgain): void {
  const { created_at, estimate_snapshot } = decision;
  const isOlder = row.snapshot_id < estimate_snapshot;
  const isFirst = row.revision === 0 && row.estimated_at === created_at;
  if (!isOlder && (!isFirst || row.snapshot_id === estimate_snapshot)) return;
  const id = uuidToId('dec', decision.decision_id);
  throw new UnmakeableError(
    `liability_estimates ${id}: its snapshot is not one of an estimate of this decision: restore a backup`,
  );
}

/** Decisions (seqs) of which fields were erased. */
async function erasedIn(reader: LedgerReader, span: Span): Promise<ReadonlySet<number>> {
  const { estimates: all } = await estimateAgain(reader, span, new Set());
  const seqs = new Map(
    all.map(({ decision }) => [uuidToId('dec', decision.decision_id), decision.seq]),
  );
  const erasures = await selectHistories(reader, [...seqs.keys()], ['decision.field_erased']);
  return new Set([...erasures.keys()].flatMap((id) => seqs.get(id) ?? []));
}

function madeOf({ row, copy, figures }: EstimatedAgain) {
  const { stake, events, sizes, estimate } = figures;
  const { estimated_at, revision, snapshot_id, ...made } = estimate;
  return {
    ...made,
    ...copy,
    seq: row.seq,
    timestamp: formatTimestamp(copy.timestamp),
    stake: decimal(stake),
    events,
    sizes: decimal(sizes),
  };
}
