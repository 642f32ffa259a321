import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database.js';
import type { FileStore } from '../../platform/files/store.js';
import type { Scope } from '../../platform/scope.js';
import { isErasedSince } from './erased.js';
import { isBundleName } from './finish.js';
import { KINDS } from './kinds.js';
import type { ExportRow } from './store/export-row.js';
import { selectComplete } from './store/select-complete.js';
import { selectUnderway } from './store/select-underway.js';
import { selectUnendedLedgers } from './store/select-unended-ledgers.js';
import { updateExpired } from './store/update-expired.js';
import { updateStalled } from './store/update-stalled.js';
import { tellStatus } from './tell.js';
import { type Attempt, tryEach } from './try-each.js';
import { listFolders, removeOldFolders } from './work-folder.js';

export interface ExpireTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
}

const DAY_MS = 24 * 3_600_000;
/** Files that no row speaks of were left by a process that died: none is needed for so long. */
const ORPHAN_MS = DAY_MS + 3_600_000;
const GIVEN_UP = 'it was not made within a day: see whether a worker runs, and ask for it anew';
const TIMED_OUT = 'its file was kept for 24 hours and is removed: ask for it anew';
const ERASED = 'a field that was in it has been erased: ask for it anew';

/**
 * Removes the files of exports whose time is over, and all that was left behind. Work folders come
 * first: they need nothing of the file store, which may not answer.
 * @throws AggregateError of what failed, when all else is done
 */
export async function expireExports(
  tools: ExpireTools & { readonly workDir: string },
): Promise<void> {
  const { db, clock, files, workDir } = tools;
  const now = clock.now();
  await tryEach(async (attempt) => {
    const ledgers = await selectUnendedLedgers(db);
    for (const scope of ledgers) await attempt(() => giveUpStalled(tools, scope, now));
    await attempt(() => cleanWorkFolders(db, workDir, now - DAY_MS));
    for (const scope of ledgers) await withdrawEach(tools, scope, attempt);
    await attempt(async () => {
      for await (const { name, modifiedAt } of files.list('exp_')) {
        if (!isBundleName(name) || modifiedAt >= now - ORPHAN_MS) continue;
        await attempt(() => files.delete(name));
      }
    });
  });
}

async function giveUpStalled(
  { db }: Pick<ExpireTools, 'db'>,
  scope: Scope,
  now: number,
): Promise<void> {
  for (const exportId of await updateStalled(db, scope, now - DAY_MS, GIVEN_UP)) {
    await db.transaction((tx) => tellStatus(tx, scope, exportId, 'failed', now));
  }
}

/** Removes none unless all ledgers say what is underway. */
async function cleanWorkFolders(db: Database, workDir: string, before: number): Promise<void> {
  const folders = await listFolders(workDir);
  const underway = new Set<string>();
  for (const scope of await selectUnendedLedgers(db)) {
    for (const exportId of await selectUnderway(db, scope)) underway.add(exportId);
  }
  await removeOldFolders(workDir, folders, before, underway);
}

/**
 * Ends the exports of a ledger that are too old, or that hold what was erased since.
 * @throws AggregateError of what failed, when all others are ended
 */
export async function withdraw(tools: ExpireTools, scope: Scope): Promise<void> {
  await tryEach((attempt) => withdrawEach(tools, scope, attempt));
}

async function withdrawEach(tools: ExpireTools, scope: Scope, attempt: Attempt): Promise<void> {
  await attempt(async () => {
    for (const row of await selectComplete(tools.db, scope)) {
      await attempt(async () => {
        const reason = await whyGone(tools, scope, row);
        if (reason !== null) await expire(tools, scope, row, reason);
      });
    }
  });
}

/** Why a complete export cannot be downloaded any more; null while it can. */
export async function whyGone(
  { db, clock }: Pick<ExpireTools, 'db' | 'clock'>,
  scope: Scope,
  row: ExportRow,
): Promise<string | null> {
  if (row.expires_at === null || row.expires_at <= clock.now()) return TIMED_OUT;
  if (!KINDS[row.export_type].holdsPayloads) return null;
  const range = { start: row.range_start, end: row.range_end };
  return (await isErasedSince(db, scope, range, row.activity_seq ?? 0)) ? ERASED : null;
}

/** The file goes first: a row that says so is true. */
async function expire(
  { db, clock, files }: ExpireTools,
  scope: Scope,
  { export_id, file }: ExportRow,
  reason: string,
): Promise<void> {
  if (file !== null) await files.delete(file);
  await db.transaction(async (tx) => {
    if (!(await updateExpired(tx, scope, export_id, reason))) return;
    await tellStatus(tx, scope, export_id, 'expired', clock.now());
  });
}
