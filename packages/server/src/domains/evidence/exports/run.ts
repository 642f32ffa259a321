import { showsPayloads } from '@decision-ledger/proof/bundle/format';
import type { Ledger } from '../../../platform/ledger.js';
import { openSigner, type Signer } from '../signing-keys/index.js';
import { readPinned } from '../transparency/index.js';
import { copyUploads, LeftOutError } from './copy-uploads.js';
import { notifyStatus, readExport } from './describe.js';
import type { ExportRun, RunTools } from './export-run.js';
import { countFailure, isDiskFull } from './failure.js';
import { FileWriter, Superseded } from './file-writer.js';
import { finishExport, mayContainErased } from './finish.js';
import { EXPORT_KINDS, filesOf } from './kinds.js';
import { pinSelection, pinSnapshot } from './pin-logs.js';
import { type Bundle, sealBundle } from './seal.js';
import { readSelection } from './selection.js';
import { selectActivityEnd } from './store/chains.js';
import { type ExportRow, updateRestarted, updateStarted } from './store/exports.js';
import { requireReconciled, verifyExportChains } from './verify-chains.js';
import { openWorkFolder, removeLeftFolders } from './work-folder.js';

type AttemptTools = RunTools & Pick<ExportRun, 'signal'>;

const ERASED = 'a field in its range was erased while it was being made: it starts again';

/**
 * Makes an export. An attempt continues where the previous one stopped. After too many failures the
 * export fails with the reason. A bundle that is sealed is stored, even if the signal was aborted.
 * @param exportId public
 * @throws the reason of the signal if that stopped it; an error that was counted
 */
export async function runExport(
  ledger: Ledger,
  tools: RunTools,
  exportId: string,
  signal: AbortSignal,
): Promise<void> {
  const row = await readExport(ledger, exportId);
  if (!(await start(ledger, row))) return;
  try {
    while (!(await attempt(ledger, { ...tools, signal }, row))) {
      tools.onRestart(`${exportId}: ${ERASED}`);
      await ledger.write((tx) => updateRestarted(tx, row.export_id, ERASED));
      signal.throwIfAborted();
    }
  } catch (error) {
    // No attempt needs the payloads in the folder any more, or the folder is what fills the disk.
    if (error instanceof Superseded || isDiskFull(error)) {
      await removeLeftFolders(tools.workDir, row.export_id);
    }
    if (error instanceof Superseded) return;
    if (signal.aborted && error === signal.reason) throw error;
    if ((await countFailure(ledger, tools, exportId, error)) !== 'failed') throw error;
  }
}

function start(ledger: Ledger, row: ExportRow): Promise<boolean> {
  return ledger.write(async (tx) => {
    const started = await updateStarted(tx, row.export_id);
    if (started && row.status === 'pending') {
      await notifyStatus(tx, row.export_id, 'running', tx.clock.now());
    }
    return started;
  });
}

/** @returns false if a field was erased during the attempt, so that the export must restart */
async function attempt(ledger: Ledger, tools: AttemptTools, row: ExportRow): Promise<boolean> {
  // Fails before any payload is copied if the signing key cannot be decrypted.
  const signer = await openSigner(tools, ledger.scope, row.requested_by);
  const run = await openRun(ledger, tools, row);
  const bundle = await makeBundle(run, signer);
  if (bundle !== null) tools.onSealed();
  const isKept = bundle !== null && (await finishExport(run, bundle));
  await run.folder.remove();
  return isKept;
}

/** @returns null if a field was erased that the bundle may contain */
async function makeBundle(run: ExportRun, signer: Signer): Promise<Bundle | null> {
  const { copied, closing } = filesOf(run);
  const writer = new FileWriter(run);
  for (const [name, file] of copied) await writer.write(name, file.make(run));
  const uploads = await copyShown(run, writer);
  if (uploads === null) return null;
  const end = await writer.fixActivityEnd();
  const chains = await verifyExportChains(run, end);
  if (chains.activity.is_valid) await requireReconciled(run);
  const logs = await readPinned(run.ledger, run.snapshot.logs);
  const verified = { ...run, chains, logs, activitySeq: end.seq, uploads };
  for (const [name, file] of closing) await writer.write(name, file.make(verified));
  if (await mayContainErased(run.ledger, run)) return null;
  const { now } = await selectActivityEnd(run.ledger);
  return sealBundle(verified, signer, now);
}

/** @returns null if an upload is missing because a field was erased */
async function copyShown(run: ExportRun, writer: FileWriter): Promise<readonly string[] | null> {
  if (!showsPayloads(run.row.export_type)) return [];
  try {
    return await copyUploads(run, writer);
  } catch (error) {
    if (error instanceof LeftOutError && (await mayContainErased(run.ledger, run))) return null;
    throw error;
  }
}

/** Starts an attempt; it continues the previous one if its work folder can be taken over. */
async function openRun(ledger: Ledger, tools: AttemptTools, row: ExportRow): Promise<ExportRun> {
  const folder = await openWorkFolder(tools.workDir, row.export_id);
  const selection = readSelection(ledger.scope, row);
  const attempted = { ...tools, ledger, row, folder };
  const snapshot =
    folder.state?.snapshot ??
    (selection === null
      ? await pinSnapshot(attempted, EXPORT_KINDS[row.export_type].pin)
      : await pinSelection(attempted, selection));
  return { ...attempted, snapshot, selection };
}
