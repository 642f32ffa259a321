import { formatTimestamp } from '@decision-ledger/contract/time';
import { lockHead } from '../../platform/chain/lock-head.js';
import type { Clock } from '../../platform/clock.js';
import type { Database, Transaction } from '../../platform/database.js';
import type { FileStore } from '../../platform/files/store.js';
import { uuidToId } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import type { RecordActivity } from '../activity/index.js';
import type { Bundle } from './bundle.js';
import { holdsErased } from './erased.js';
import type { Pins } from './pins.js';
import type { ExportRow } from './store/export-row.js';
import { updateComplete } from './store/update-complete.js';
import { tellStatus } from './tell.js';

export interface FinishTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly recordActivity: RecordActivity;
}

/** Whether a file is one of those that are put here: a bucket may hold others. */
export function isBundleName(name: string): boolean {
  return /^exp_[0-9a-z]{26}\.[0-9a-f]{16}\.zip$/.test(name);
}

/** How long a file can be downloaded. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Puts an archive where it is downloaded from, and says so. The name is its own: what two processes
 * make at the same time gets not into each other's way.
 * @returns false where a field was erased that the archive may still hold: it is thrown away
 */
export async function finish(
  tools: FinishTools,
  scope: Scope,
  row: ExportRow,
  pins: Pins,
  bundle: Bundle,
): Promise<boolean> {
  // Putting it away takes long: what is known to be in vain is not begun.
  if (await holdsErased(tools.db, scope, row, pins)) return false;
  const id = uuidToId('exp', row.export_id);
  const file = `${id}.${bundle.sha256.slice(0, 16)}.zip`;
  await tools.files.put(file, bundle.path);
  const outcome = await tools.db.transaction((tx) =>
    complete(tools, tx, scope, row, pins, { ...bundle, file }),
  );
  if (outcome !== 'complete') await tools.files.delete(file);
  return outcome !== 'erased';
}

async function complete(
  { clock, recordActivity }: FinishTools,
  tx: Transaction,
  scope: Scope,
  row: ExportRow,
  pins: Pins,
  { file, bytes, sha256, fingerprint, manifest }: Bundle & { readonly file: string },
): Promise<'complete' | 'erased' | 'superseded'> {
  await lockHead(tx, scope, 'activity');
  if (await holdsErased(tx, scope, row, pins)) return 'erased';
  const { export_id, export_type, requested_by } = row;
  const completedAt = clock.now();
  const isOwn = await updateComplete(tx, scope, export_id, {
    ...{ completedAt, expiresAt: completedAt + KEPT_MS, activitySeq: pins.since },
    ...{ file, bytes, sha256, fingerprint },
  });
  if (!isOwn) return 'superseded';
  await recordActivity(tx, scope, {
    type: 'export.made',
    actor: requested_by,
    subject: uuidToId('exp', export_id),
    data: {
      export_type,
      start_date: formatTimestamp(pins.start),
      end_date: formatTimestamp(pins.end),
      decisions: pins.decisions,
      ...{ bytes, sha256, manifest_sha256: manifest, key_fingerprint: fingerprint },
    },
  });
  await tellStatus(tx, scope, export_id, 'complete', completedAt);
  return 'complete';
}
