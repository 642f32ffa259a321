import type { Scope } from '../../../platform/scope.js';
import type { ExportRun, Pin, RunTools } from './export-run.js';
import { pinSnapshot } from './pin-logs.js';
import { pinSelection } from './pin-selection.js';
import { readSelection } from './selection.js';
import type { ExportRow } from './store/exports.js';
import { openWorkFolder } from './work-folder.js';

/** Starts an attempt; it continues the previous one if its work folder can be taken over. */
export async function openRun(
  tools: RunTools,
  scope: Scope,
  row: ExportRow,
  pin: Pin,
  signal: AbortSignal,
): Promise<ExportRun> {
  const folder = await openWorkFolder(tools.workDir, row.export_id);
  const selection = readSelection(scope, row);
  const signalled = { ...tools, signal };
  const snapshot =
    folder.state?.snapshot ??
    (selection === null
      ? await pinSnapshot(signalled, scope, row, folder.path, pin)
      : await pinSelection(signalled, scope, row, selection));
  return { ...signalled, scope, row, snapshot, selection, folder };
}
