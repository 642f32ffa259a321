import { FUTURE_MS, settledFrom } from '@decision-ledger/proof/bundle/lateness';
import type { Ledger } from '../../../platform/ledger.js';
import { pinLogs, readNamingsAround } from '../transparency/index.js';
import type { Attempt, ExportSnapshot, Pin } from './export-run.js';
import type { RunSelection } from './selection.js';
import { selectActivityEnd } from './store/chains.js';
import type { Extent } from './store/decisions.js';
import type { ExportRow } from './store/exports.js';
import { findRecordedFrom, selectChosenExtent, selectLastLimit } from './store/extent.js';

/**
 * Fixes what an export shows. Both transparency logs are signed afterwards, so that their checkpoints cover
 * it, and the run shows where the range begins and ends.
 */
export async function pinSnapshot(attempt: Attempt, pin: Pin): Promise<ExportSnapshot> {
  const { ledger, row } = attempt;
  const extent = await pin(attempt);
  const until = await settledAt(ledger, row, extent.end);
  const asked = { exportId: row.export_id, overAt: until + FUTURE_MS };
  const logs = await pinLogs(ledger, attempt, asked);
  const run = await widened(ledger, extent, until);
  const everything = { inRange: extent.decisions, erased: 0, namings: [logs.named] };
  return { ...extent, ...run, logs, ...everything };
}

/**
 * The time of recording, in ms, from which on no decision of the range follows. Without a limit of lateness,
 * nothing bounds that for a range of decided times: it is then shown as recorded.
 */
async function settledAt(ledger: Ledger, { range_basis }: ExportRow, end: number): Promise<number> {
  if (range_basis === 'recorded') return end;
  return settledFrom(end, await selectLastLimit(ledger)) ?? end;
}

/**
 * The run, with the last decision recorded before any of the range can have been, and the first one
 * recorded when no other can follow. Without the latter, the run ends with the chain.
 */
async function widened(
  ledger: Ledger,
  { start, firstSeq, lastSeq, head }: Extent,
  until: number,
): Promise<Pick<Extent, 'firstSeq' | 'lastSeq'>> {
  const before = (await findRecordedFrom(ledger, head, start - FUTURE_MS)) - 1;
  const after = await findRecordedFrom(ledger, head, until);
  const isEmpty = lastSeq < firstSeq;
  const first = Math.max(1, before);
  return {
    firstSeq: isEmpty ? first : Math.min(firstSeq, first),
    lastSeq: Math.max(lastSeq, Math.min(after, head)),
  };
}

/**
 * Fixes what an export shows that a filter chose. Its entries at the ends of the run are withheld, so no entry
 * shows where the range begins and ends: records of the activity chain do that name a checkpoint before and
 * after it. Both logs are signed first, because the run may end with them.
 */
export async function pinSelection(
  attempt: Attempt,
  { choice }: RunSelection,
): Promise<ExportSnapshot> {
  const { ledger, row } = attempt;
  const { range_start: start, range_end: end, export_id: exportId } = row;
  const { seq: since } = await selectActivityEnd(ledger);
  const until = await settledAt(ledger, row, end);
  const logs = await pinLogs(ledger, attempt, { exportId, overAt: until + FUTURE_MS });
  const size = logs.decisions;
  const around = { before: start - FUTURE_MS, from: until + FUTURE_MS };
  const { lower, upper } = await readNamingsAround(ledger, logs, around);
  const { first, last, ...counts } = await selectChosenExtent(
    ledger,
    { start, end, lastSeq: size },
    choice,
  );
  const firstSeq = Math.max(1, Math.min(lower?.size ?? 1, first ?? size));
  // A run of a chain with decisions has at least one, so that it has a place in the log.
  const lastSeq = Math.max(last ?? 0, upper?.size ?? size, Math.min(firstSeq, size));
  return {
    start,
    end,
    firstSeq,
    lastSeq,
    head: size,
    since,
    logs,
    decisions: counts.chosen,
    inRange: counts.in_range,
    erased: counts.erased,
    namings: [logs.named, ...[lower, upper].flatMap((naming) => naming?.seq ?? [])],
  };
}
