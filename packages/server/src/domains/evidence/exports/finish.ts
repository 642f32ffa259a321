import { formatTimestamp } from '@decision-ledger/contract/time';
import { holdsRecords } from '@decision-ledger/proof/bundle/format';
import { lockHead } from '../../../platform/chain/head.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { recordActivity } from '../../log/activity/index.js';
import { selectDecisionsInRange } from '../../record/decisions/index.js';
import { notifyStatus } from './describe.js';
import type { ExportRun } from './export-run.js';
import type { Bundle } from './seal.js';
import { committedFilter } from './selection.js';
import { selectErasedSince } from './store/chains.js';
import { updateComplete } from './store/exports.js';

/** Whether a stored file is a bundle; a bucket may contain other files. */
export function isBundleName(name: string): boolean {
  return /^exp_[0-9a-z]{26}\.[0-9a-f]{16}\.zip$/.test(name);
}

/** How long a file can be downloaded, ms. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Stores the archive for download and completes the export. The file name contains the hash, so that two
 * processes never overwrite each other's file.
 * @returns false if a field was erased that the archive may contain; the archive is deleted
 */
export async function finishExport(run: ExportRun, bundle: Bundle): Promise<boolean> {
  // Uploads take long: none is started for a bundle that would be deleted.
  if (await mayContainErased(run.ledger, run)) return false;
  const id = uuidToId('exp', run.row.export_id);
  const file = `${id}.${bundle.sha256.slice(0, 16)}.zip`;
  await run.files.put(file, bundle.path);
  const outcome = await run.ledger.write((tx) => complete(run, tx, { ...bundle, file }));
  if (outcome !== 'complete') await run.files.delete(file);
  return outcome !== 'erased';
}

async function complete(
  run: ExportRun,
  tx: LedgerWriter,
  { file, bytes, sha256, fingerprint, manifest }: Bundle & { readonly file: string },
): Promise<'complete' | 'erased' | 'superseded'> {
  const { row, snapshot } = run;
  await lockHead(tx, 'activity');
  if (await mayContainErased(tx, run)) return 'erased';
  const { export_id, export_type, agent_id, requested_by } = row;
  const completedAt = tx.clock.now();
  const isOwn = await updateComplete(tx, export_id, {
    completedAt,
    expiresAt: completedAt + KEPT_MS,
    activitySeq: snapshot.since,
    file,
    bytes,
    sha256,
    fingerprint,
  });
  if (!isOwn) return 'superseded';
  await recordActivity(tx, {
    type: 'export.made',
    actor: requested_by,
    subject: uuidToId('exp', export_id),
    data: {
      export_type,
      ...(agent_id !== null && { agent_id }),
      ...committedFilter(row),
      start_date: formatTimestamp(snapshot.start),
      end_date: formatTimestamp(snapshot.end),
      decisions: snapshot.decisions,
      bytes,
      sha256,
      manifest_sha256: manifest,
      key_fingerprint: fingerprint,
    },
  });
  await notifyStatus(tx, export_id, 'complete', completedAt);
  return 'complete';
}

/** Whether a running export may contain a field that was erased since it started. */
export async function mayContainErased(
  ledger: LedgerReader,
  { row, snapshot }: ExportRun,
): Promise<boolean> {
  return holdsRecords(row.export_type) && (await isErasedSince(ledger, snapshot, snapshot.since));
}

/**
 * Whether a field of a decision in a range was erased after a place in the chain of activity. The range
 * is in ms; the end is exclusive.
 */
export async function isErasedSince(
  ledger: LedgerReader,
  range: { readonly start: number; readonly end: number },
  since: number,
): Promise<boolean> {
  const erased = (await selectErasedSince(ledger, since))
    .map((decisionId) => idToUuid('dec', decisionId))
    .filter((uuid) => uuid !== null);
  const all = { start: range.start, end: range.end, lastSeq: Number.MAX_SAFE_INTEGER };
  return (await selectDecisionsInRange(ledger, all, erased)).length > 0;
}
