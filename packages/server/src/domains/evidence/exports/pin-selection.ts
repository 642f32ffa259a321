import type { Ledger } from '../../../platform/ledger.js';
import { pinLogs, readNamingsAround } from '../transparency/index.js';
import type { ExportSnapshot, RunTools } from './export-run.js';
import { FUTURE_MS, settledAt } from './pin-logs.js';
import type { RunSelection } from './selection.js';
import { selectActivityEnd } from './store/chains.js';
import type { ExportRow } from './store/exports.js';
import { selectChosenExtent } from './store/selection.js';

/**
 * Fixes what an export shows that a filter chose. Its entries at the ends of the run are withheld, so no entry
 * shows where the range begins and ends: records of the activity chain do that name a checkpoint before and
 * after it. Both logs are signed first, because the run may end with them.
 */
export async function pinSelection(
  ledger: Ledger,
  tools: RunTools & { readonly signal: AbortSignal },
  row: ExportRow,
  { choice }: RunSelection,
): Promise<ExportSnapshot> {
  const { signal } = tools;
  const { range_start: start, range_end: end, export_id: exportId } = row;
  const { seq: since } = await selectActivityEnd(ledger);
  const until = await settledAt(ledger, row, end);
  const logs = await pinLogs(ledger, tools, { exportId, overAt: until + FUTURE_MS }, signal);
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
    ...{ start, end, firstSeq, lastSeq, head: size, since, logs },
    decisions: counts.chosen,
    inRange: counts.in_range,
    erased: counts.erased,
    namings: [logs.named, ...[lower, upper].flatMap((naming) => naming?.seq ?? [])],
  };
}
