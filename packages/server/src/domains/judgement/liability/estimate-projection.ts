import { formatTimestamp } from '@decision-ledger/contract/time';
import { lockHead } from '../../../platform/chain/lock-head.js';
import { readChain } from '../../../platform/chain/read-head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type Comparison, rowOf, rowsText } from '../../../platform/projections/differences.js';
import { type Span, spansUntil } from '../../../platform/projections/parts.js';
import { type Projection, UnmakeableError } from '../../../platform/projections/projection.js';
import { selectChangesOfTypes, selectHistories } from '../../log/activity/index.js';
import { type Again, type EstimatedAgain, estimateAgain } from './find-estimate-faults.js';
import { decimal } from './rules/amounts.js';
import { lockState } from './store/liability-states.js';
import {
  compareEstimates,
  DERIVED_COLUMNS,
  deleteStrayEstimates,
  updateEstimateRows,
} from './store/stored-estimates.js';

/** Decisions that are estimated together. */
const STEP = 250;
/** A process may use settings for this long (ms) after they changed. */
const STALE_MS = 5000;
const PENDING =
  'the settings changed after an estimate that rests on exchange rates: the nightly run makes it again';

/** The last decision that has an estimate. */
async function estimatedUntil(reader: LedgerReader): Promise<number> {
  return (await readChain(reader, 'decisions'))?.seq ?? 0;
}

/** What decisions may still cost, by the snapshot and as of the time that each estimate names. */
export const decisionEstimates: Projection = {
  name: 'estimates',
  makes: DERIVED_COLUMNS.map((column) => `liability_estimates.${column}`),
  after: ['allocations'],
  async *parts(ledger) {
    yield* spansUntil(await estimatedUntil(ledger), STEP, compare);
  },
  async lock(tx) {
    await lockHead(tx, 'decisions');
    await lockHead(tx, 'activity');
    await lockState(tx);
  },
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
  requirePublished(again);
  const made = again.estimates.map(madeOf);
  const found = await compareEstimates(reader, span, made);
  if (found.differences.length === 0) return found;
  const pending = await pendingIn(reader, again);
  const differences = found.differences.filter(({ key }) => !pending.has(Number(rowOf(key).seq)));
  const rows = found.differences.length - differences.length;
  return { ...found, differences, ...(rows > 0 && { skipped: { rows, reason: PENDING } }) };
}

/** When an estimate was made, and with which snapshot, was published: without that, it cannot be made again. */
function requirePublished({ missing, unexpected }: Again): void {
  const [first] = missing;
  if (first === undefined) return;
  const id = uuidToId('dec', first.decision_id);
  throw new UnmakeableError(
    `liability_estimates ${id}: the estimate is missing, or names no snapshot (${missing.length + unexpected.length} rows): ` +
      'restore a backup',
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

/** Decisions (seqs) whose estimates the next nightly run makes again with other exchange rates. */
async function pendingIn(reader: LedgerReader, again: Again): Promise<ReadonlySet<number>> {
  const changes = await selectChangesOfTypes(reader, ['settings.changed']);
  const changedAt = Date.parse(changes.at(-1)?.at ?? '1970-01-01T00:00:00Z');
  const pending = again.estimates.filter(
    ({ convertedAt }) => convertedAt !== null && convertedAt < changedAt + STALE_MS,
  );
  return new Set(pending.map(({ row }) => row.seq));
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
