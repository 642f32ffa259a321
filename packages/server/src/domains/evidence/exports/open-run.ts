import type { Ledger } from '../../../platform/ledger.js';
import type { ExportRun, Pin, RunTools } from './export-run.js';
import { pinSnapshot } from './pin-logs.js';
import { pinSelection } from './pin-selection.js';
import { readSelection } from './selection.js';
import type { ExportRow } from './store/exports.js';
import { openWorkFolder } from './work-folder.js';

/** Starts an attempt; it continues the previous one if its work folder can be taken over. */
export async function openRun(
  ledger: Ledger,
  tools: RunTools,
  row: ExportRow,
  pin: Pin,
  signal: AbortSignal,
): Promise<ExportRun> {
  const folder = await openWorkFolder(tools.workDir, row.export_id);
  const selection = readSelection(ledger.scope, row);
  const signalled = { ...tools, signal };
  const snapshot =
    folder.state?.snapshot ??
    (selection === null
      ? await pinSnapshot(ledger, signalled, row, folder.path, pin)
      : await pinSelection(ledger, signalled, row, selection));
  return { ...signalled, ledger, row, snapshot, selection, folder };
}
