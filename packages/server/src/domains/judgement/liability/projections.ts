import { formatTimestamp } from '@decision-ledger/contract/time';
import { readChain } from '../../../platform/chain/head.js';
import { selectPosition } from '../../../platform/followers/positions.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import {
  type Projection,
  rangesOf,
  type SeqRange,
  spansUntil,
  UnmakeableError,
} from '../../../platform/projections/projection.js';
import { isUnfinished } from '../../../platform/projections/rebuild.js';
import { selectEndOfEvents } from '../../record/financial-events/index.js';
import {
  type Again,
  type EstimateBasis,
  type EstimatedAgain,
  erasedAmong,
  estimateAgain,
  estimateWith,
  rowFaults,
} from './find-estimate-faults.js';
import { readFirstEstimates } from './first-estimates.js';
import { numericText } from './rules/amounts.js';
import { type NewEstimate, selectStoredSeqs } from './store/estimates.js';
import { CELLS, compareCells, ESTIMATES, selectEndOfHours } from './store/exposure.js';
import { ALLOCATIONS, compareAllocations } from './store/link-allocations.js';
import { lockLiability, selectSnapshot } from './store/snapshots.js';
import {
  compareEstimates,
  DERIVED_COLUMNS,
  ESTIMATED,
  type RevisionsRow,
  selectRevisions,
} from './store/stored-rows.js';
import type { RecordedRow } from './store/subjects.js';

/** Events whose money is divided together. */
const EVENTS = 250;
/** Decisions whose estimates are added up together; those of an hour always are. */
const DECISIONS = 2000;

/** What links move of their movements: it follows from the counted amounts. */
export const linkAllocations: Projection = {
  name: 'allocations',
  makes: ['link_allocations.*'],
  after: ['counted-amounts'],
  rows: ALLOCATIONS,
  parts: (ledger) =>
    rangesOf((after) => selectEndOfEvents(ledger, after, EVENTS), compareAllocations),
  lock: lockLiability,
};

/** The sums of estimates by hour, up to where the follower has added them. */
export const exposureCells: Projection = {
  name: 'exposure-cells',
  makes: ['exposure_cells.*'],
  after: ['estimates'],
  rows: CELLS,
  parts: (ledger) => rangesOf((after) => selectEndOfHours(ledger, after, DECISIONS), compareCells),
  lock: lockLiability,
};

/** Decisions that are estimated together. */
const STEP = 250;

/** What decisions may still cost, by the snapshot and as of the time that each estimate names. */
export const decisionEstimates: Projection = {
  name: 'estimates',
  makes: DERIVED_COLUMNS.map((column) => `liability_estimates.${column}`),
  after: ['allocations'],
  rows: ESTIMATED,
  async *parts(ledger) {
    const head = async () => (await readChain(ledger, 'decisions'))?.seq ?? 0;
    yield* spansUntil(head, STEP, compare);
  },
  lock: lockLiability,
};

const PROJECTIONS = [linkAllocations.name, decisionEstimates.name, exposureCells.name];

/**
 * Whether some of these rows may be wrong, because a rebuild of them is unfinished. Nothing is learned from them then:
 * what was published is never corrected.
 */
export function isRemaking(reader: LedgerReader): Promise<boolean> {
  return isUnfinished(reader, PROJECTIONS);
}

async function compare(reader: LedgerReader, span: SeqRange): Promise<RowComparison> {
  const again = await estimateAgain(reader, span);
  const revisions = new Map((await selectRevisions(reader, span)).map((row) => [row.seq, row]));
  await requirePublished(reader, again, revisions);
  // What comes later is left to the follower.
  const { seq: until } = await selectPosition(reader, ESTIMATES, 'decisions');
  const lost = again.missing.filter(({ seq }) => seq <= (until ?? 0));
  const made = [...again.estimates, ...(await estimateLost(reader, lost, revisions))];
  return compareEstimates(reader, span, made.map(madeOf));
}

type Revisions = ReadonlyMap<number, RevisionsRow>;

/**
 * Estimates of decisions that have none. One that was revised, or may have been when fields of its decision were erased, is
 * estimated again now, with the newest snapshot: when it was estimated last, and with which one, is lost.
 */
async function estimateLost(
  reader: LedgerReader,
  decisions: readonly RecordedRow[],
  revisions: Revisions,
): Promise<EstimatedAgain<EstimateBasis>[]> {
  if (decisions.length === 0) return [];
  const firsts = await readFirstEstimates(reader, { seqs: decisions.map(({ seq }) => seq) });
  const newest = await selectSnapshot(reader);
  const again = { snapshot_id: newest?.snapshot_id ?? 0, estimated_at: reader.clock.now() };
  const erased = await erasedAmong(reader, decisions);
  const bases = firsts.map((first): EstimateBasis => {
    const basis = basisOf(first);
    // What was told before an erasure had lower revisions, which it deleted.
    const next = revisions.get(first.seq)?.next ?? (erased.has(first.decisionId) ? 1 : 0);
    return next === 0 ? basis : { ...basis, ...again, revision: next };
  });
  return estimateWith(reader, decisions, bases);
}

function basisOf({ seq, snapshotId, estimate, stated, ...first }: NewEstimate): EstimateBasis {
  const { confidence, oversight, isDenied: denied, variant, provenance } = first;
  return {
    ...{ seq, snapshot_id: snapshotId, revision: 0, estimated_at: estimate.estimated_at },
    ...{ confidence, oversight, denied, variant, provenance },
    stated_amount: stated?.amount ?? null,
    stated_currency: stated?.currency ?? null,
  };
}

/** Revision, time and snapshot of an estimate were published: from wrong ones, nothing is made. */
async function requirePublished(
  reader: LedgerReader,
  { estimates, missing }: Again,
  revisions: Revisions,
): Promise<void> {
  const seqs = missing.map(({ seq }) => seq);
  const unnamed = new Set(await selectStoredSeqs(reader, { seqs }));
  for (const decision of missing) {
    if (unnamed.has(decision.seq)) throw wrongOf(decision, 'it names no snapshot');
  }
  for (const { row, decision, isErased } of estimates) {
    const { count, next } = revisions.get(row.seq) ?? { count: 0, next: 0 };
    // An erasure deletes earlier estimates.
    if (!isErased && (row.revision !== count || row.revision !== next)) {
      throw wrongOf(decision, `its revision is ${row.revision}, after ${count} earlier estimates`);
    }
    requireSnapshot(row, decision);
  }
  const changed = estimates.filter((again) => rowFaults(again).length > 0);
  const decisions = changed.map(({ decision }) => decision);
  const firsts = changed.map(({ row, decision }) => ({ ...row, ...firstOf(decision) }));
  for (const first of await estimateWith(reader, decisions, firsts)) {
    if (rowFaults(first).length === 0) {
      throw wrongOf(first.decision, 'its figures are of another snapshot or time than it names');
    }
  }
}

const firstOf = ({ estimate_snapshot, created_at }: RecordedRow) => ({
  ...{ snapshot_id: estimate_snapshot, estimated_at: created_at, revision: 0 },
});

/**
 * The snapshot of an estimate is not older than that of the decision, and the first estimate has just that. Times are not
 * compared: they are of different clocks.
 */
function requireSnapshot(row: EstimateBasis, decision: RecordedRow): void {
  const { estimate_snapshot, created_at } = decision;
  const isOlder = row.snapshot_id < estimate_snapshot;
  const isFirst = row.revision === 0 && row.estimated_at === created_at;
  if (!isOlder && (!isFirst || row.snapshot_id === estimate_snapshot)) return;
  throw wrongOf(decision, 'its snapshot is not one of an estimate of this decision');
}

function wrongOf({ decision_id }: RecordedRow, what: string): UnmakeableError {
  const id = uuidToId('dec', decision_id);
  return new UnmakeableError(`liability_estimates ${id}: ${what}: restore a backup`);
}

function madeOf({ row, copy, figures }: EstimatedAgain<EstimateBasis>) {
  const { stake, events, sizes, estimate } = figures;
  return {
    ...estimate,
    ...copy,
    seq: row.seq,
    timestamp: formatTimestamp(copy.timestamp),
    estimated_at: formatTimestamp(row.estimated_at),
    stake: numericText(stake),
    events,
    sizes: numericText(sizes),
  };
}
