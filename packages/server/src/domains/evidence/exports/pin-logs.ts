import { settledFrom } from '@decision-ledger/proof/bundle/lateness';
import type { Ledger } from '../../../platform/ledger.js';
import { pinLogs } from '../transparency/index.js';
import type { ExportSnapshot, Pin, RunTools } from './export-run.js';
import type { Extent } from './store/decisions.js';
import { findRecordedFrom, selectLastLimit } from './store/edges.js';
import type { ExportRow } from './store/exports.js';

/** How far after its recording a decision may be dated, ms: the verifier allows for this, too. */
export const FUTURE_MS = 5 * 60_000;

/**
 * Fixes what an export shows. Both transparency logs are signed afterwards, so that their checkpoints cover
 * it, and the run shows where the range begins and ends.
 */
export async function pinSnapshot(
  ledger: Ledger,
  tools: RunTools & { readonly signal: AbortSignal },
  row: ExportRow,
  folder: string,
  pin: Pin,
): Promise<ExportSnapshot> {
  const extent = await pin(ledger, tools, row, folder);
  const until = await settledAt(ledger, row, extent.end);
  const asked = { exportId: row.export_id, overAt: until + FUTURE_MS };
  const logs = await pinLogs(ledger, tools, asked, tools.signal);
  const run = await widened(ledger, extent, until);
  const everything = { inRange: extent.decisions, erased: 0, namings: [logs.named] };
  return { ...extent, ...run, logs, ...everything };
}

/**
 * The time of recording, in ms, from which on no decision of the range follows. Without a limit of lateness,
 * nothing bounds that for a range of decided times: it is then shown as recorded.
 */
export async function settledAt(
  ledger: Ledger,
  { range_basis }: ExportRow,
  end: number,
): Promise<number> {
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
