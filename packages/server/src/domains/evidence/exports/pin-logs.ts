import type { Scope } from '../../../platform/scope.js';
import { pinLogs } from '../transparency/index.js';
import type { Pin, RunTools, Snapshot } from './export-run.js';
import type { Extent } from './store/decisions.js';
import { findRecordedFrom } from './store/edges.js';
import type { ExportRow } from './store/exports.js';

/** How far after its recording a decision may be dated, ms: the verifier allows for this, too. */
const FUTURE_MS = 5 * 60_000;

/**
 * Fixes what an export shows. Both transparency logs are signed afterwards, so that their checkpoints cover
 * it, and the run shows where the range begins and ends.
 */
export async function pinSnapshot(
  tools: RunTools & { readonly signal: AbortSignal },
  scope: Scope,
  row: ExportRow,
  folder: string,
  pin: Pin,
): Promise<Snapshot> {
  const extent = await pin(tools, scope, row, folder);
  const asked = { exportId: row.export_id, overAt: extent.end + FUTURE_MS };
  const logs = await pinLogs(tools, scope, asked, tools.signal);
  return { ...extent, ...(await widened(tools, scope, extent)), logs };
}

/**
 * The run, with the last decision recorded before any of the range can have been, and the first one
 * recorded after its end. Without the latter, the run ends with the chain.
 */
async function widened(
  { db }: RunTools,
  scope: Scope,
  { start, end, firstSeq, lastSeq, head }: Extent,
): Promise<Pick<Extent, 'firstSeq' | 'lastSeq'>> {
  const before = (await findRecordedFrom(db, scope, head, start - FUTURE_MS)) - 1;
  const after = await findRecordedFrom(db, scope, head, end);
  const isEmpty = lastSeq < firstSeq;
  const first = Math.max(1, before);
  return {
    firstSeq: isEmpty ? first : Math.min(firstSeq, first),
    lastSeq: Math.max(lastSeq, Math.min(after, head)),
  };
}
