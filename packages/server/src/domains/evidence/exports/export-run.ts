import type { ChainStatement } from '@decision-ledger/proof/bundle/statement';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Verification, VerifyRequest } from '../../../platform/chain/verify.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { FileStore } from '../../../platform/files/store.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Scope } from '../../../platform/scope.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { type Snapshot, selectSnapshot } from './store/decisions.js';
import type { ExportRow } from './store/exports.js';
import { openWorkFolder, type WorkFolder } from './work-folder.js';

/** Verifies a chain in another thread or process. */
export type VerifyChain = (
  scope: Scope,
  chain: ChainName,
  request: VerifyRequest,
) => Promise<Verification>;

/** What exports are made with. */
export interface RunTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
  /** Folder in which files are made. */
  readonly workDir: string;
  readonly keyring: Keyring;
  /** Of the service. */
  readonly version: string;
  readonly recordActivity: RecordActivity;
  readonly verify: VerifyChain;
  /** Called with the error of each failed try. */
  readonly onFailure: (error: unknown) => void;
  /** Called with the reason each time the export starts again from an empty folder. */
  readonly onRestart: (reason: string) => void;
}

/** One try to make an export: built once, and passed to every step. */
export interface ExportRun extends RunTools {
  readonly scope: Scope;
  readonly row: ExportRow;
  readonly snapshot: Snapshot;
  readonly folder: WorkFolder;
  /** Ends the work with its reason. */
  readonly signal: AbortSignal;
}

/** A run whose records are copied and whose chains were verified. */
export interface VerifiedRun extends ExportRun {
  readonly chains: ChainStatement;
  /** Seq up to which the chain of activity is in the bundle. */
  readonly activitySeq: number;
}

/** Continues the try before this one where its work folder can be taken over. */
export async function openRun(
  tools: RunTools,
  scope: Scope,
  row: ExportRow,
  signal: AbortSignal,
): Promise<ExportRun> {
  const folder = await openWorkFolder(tools.workDir, row.export_id);
  const range = { start: row.range_start, end: row.range_end };
  const snapshot = folder.state?.snapshot ?? (await selectSnapshot(tools.db, scope, range));
  return { ...tools, scope, row, snapshot, folder, signal };
}
