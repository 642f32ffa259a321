import { holdsRecords } from '@decision-ledger/proof/bundle/format';
import type { Database } from '../../../platform/database.js';
import type { FileStore } from '../../../platform/files/store.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import type { Installation } from '../../../platform/statement.js';
import { notifyStatus } from './describe.js';
import { isBundleName, isErasedSince } from './finish.js';
import {
  type ExportRow,
  selectComplete,
  selectLedgersWithExports,
  selectUnfinished,
  updateExpired,
  updateStalled,
} from './store/exports.js';
import { listFolders, removeOldFolders } from './work-folder.js';

export interface ExpireTools {
  readonly db: Database;
  readonly files: FileStore;
}

interface SweepTools extends ExpireTools {
  readonly installation: Installation;
  readonly workDir: string;
}

const DAY_MS = 24 * 3_600_000;
/** An older file without a row was left by a process that died: no upload takes this long. */
const ORPHAN_MS = DAY_MS + 3_600_000;
const STALLED =
  'it was not completed within a day: check that a worker is running, and request a new export';
const TIMED_OUT = 'its file was deleted after 24 hours: request a new export';
const ERASED = 'a field in it has been erased: request a new export';

/**
 * Removes the files of expired exports and the files of processes that died. Work folders come first,
 * because they do not depend on the file store.
 * @throws AggregateError of the failed steps, after all other steps
 */
export async function expireExports(tools: SweepTools): Promise<void> {
  const { db, installation, files } = tools;
  const { clock } = db.context;
  const now = clock.now();
  await tryEach(async (attempt) => {
    const ledgers = await selectLedgersWithExports(installation);
    for (const scope of ledgers) await attempt(() => failStalled(tools.db.ledger(scope), now));
    await attempt(() => cleanWorkFolders(tools, now - DAY_MS));
    for (const scope of ledgers) await withdrawEach(tools.db.ledger(scope), tools, attempt);
    await attempt(async () => {
      for await (const { name, modifiedAt } of files.list('exp_')) {
        if (!isBundleName(name) || modifiedAt >= now - ORPHAN_MS) continue;
        await attempt(() => files.delete(name));
      }
    });
  });
}

async function failStalled(ledger: Ledger, now: number): Promise<void> {
  await ledger.write(async (tx) => {
    for (const exportId of await updateStalled(tx, now - DAY_MS, STALLED)) {
      await notifyStatus(tx, exportId, 'failed', now);
    }
  });
}

/** Removes no folder unless the unfinished exports of all ledgers are known. */
async function cleanWorkFolders(
  { db, installation, workDir }: SweepTools,
  before: number,
): Promise<void> {
  const folders = await listFolders(workDir);
  const unfinished = new Set<string>();
  for (const scope of await selectLedgersWithExports(installation)) {
    for (const exportId of await selectUnfinished(db.ledger(scope))) unfinished.add(exportId);
  }
  await removeOldFolders(workDir, folders, before, unfinished);
}

/**
 * Expires the exports of a ledger that are too old or contain a field that was erased since.
 * @throws AggregateError of the failed steps, after all other exports are expired
 */
export async function withdrawExports(ledger: Ledger, tools: ExpireTools): Promise<void> {
  await tryEach((attempt) => withdrawEach(ledger, tools, attempt));
}

async function withdrawEach(ledger: Ledger, tools: ExpireTools, attempt: Attempt): Promise<void> {
  await attempt(async () => {
    for (const row of await selectComplete(ledger)) {
      await attempt(async () => {
        const reason = await whyGone(ledger, row);
        if (reason !== null) await expire(ledger, tools, row, reason);
      });
    }
  });
}

/** Why a complete export can no longer be downloaded; null if it can. */
export async function whyGone(ledger: LedgerReader, row: ExportRow): Promise<string | null> {
  if (row.expires_at === null || row.expires_at <= ledger.clock.now()) return TIMED_OUT;
  if (!holdsRecords(row.export_type)) return null;
  const range = { start: row.range_start, end: row.range_end };
  return (await isErasedSince(ledger, range, row.activity_seq ?? 0)) ? ERASED : null;
}

/** Deletes the file first, so that an expired row never has one. */
async function expire(
  ledger: Ledger,
  { files }: ExpireTools,
  { export_id, file }: ExportRow,
  reason: string,
): Promise<void> {
  if (file !== null) await files.delete(file);
  await ledger.write(async (tx) => {
    if (!(await updateExpired(tx, export_id, reason))) return;
    await notifyStatus(tx, export_id, 'expired', tx.clock.now());
  });
}

/** Runs one step; its failure is collected and does not stop other steps. */
type Attempt = (step: () => Promise<void>) => Promise<void>;

/** Distinct causes in the message; an unavailable file store fails all files for the same one. */
const MAX_NAMED = 3;

/** @throws AggregateError of the failed steps, after all of them */
async function tryEach(work: (attempt: Attempt) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  await work(async (step) => {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  });
  if (errors.length === 0) return;
  const causes = new Set(
    errors.map((error) => (error instanceof Error ? error.message : `${error}`)),
  );
  const named = [...causes].slice(0, MAX_NAMED).join('; ');
  throw new AggregateError(errors, `failed steps: ${errors.length} (${named})`);
}
