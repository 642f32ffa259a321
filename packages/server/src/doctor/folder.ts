import { accessSync, constants, existsSync, statSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseFolder } from '@decision-ledger/embedded/data-folder';
import { findFolderUser } from '@decision-ledger/embedded/engine';
import { readControl } from '@decision-ledger/embedded/inspect/control-file';
import { checkLog, type LogState } from '@decision-ledger/embedded/inspect/log';
import { checkPages, describeDamage } from '@decision-ledger/embedded/inspect/pages';
import type { Config } from '../config.js';
import { type Finding, failed, ok, skipped, warning } from './finding.js';
import type { DoctorSubject } from './subject.js';

const RESTORE =
  'Keep the folder as it is, and restore the latest backup into another folder (docs/operations.md, "Damaged data")';

/** The data folder of the embedded engine; '' if there is none, because the database is on a server. */
function dataDirOf({ storage }: Config): string {
  return storage.kind === 'embedded' ? storage.dataDir : '';
}

/** Others than the owner must not read it: it holds every payload and the master key. */
const OTHERS = 0o077;

export async function checkFolder({ config }: DoctorSubject): Promise<Finding> {
  const folder = dataDirOf(config);
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) {
    return failed(`${folder} does not exist`, 'Start the service once, or correct LEDGER_DATA_DIR');
  }
  if (!stat.isDirectory()) return failed(`${folder} is not a folder`, 'Correct LEDGER_DATA_DIR');
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0');
  const found = `${folder}, mode ${mode}, owner ${stat.uid}`;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return failed(
      `${found}: this user (${process.getuid?.() ?? 'unknown'}) cannot write there`,
      'Run as its owner, or change the owner with chown -R',
    );
  }
  if (process.platform !== 'win32' && (stat.mode & OTHERS) !== 0) {
    return warning(`${found}: other users of this machine may use it`, `chmod 700 ${folder}`);
  }
  return ok(found);
}

export async function checkLock({ config }: DoctorSubject): Promise<Finding> {
  const user = await findFolderUser(dataDirOf(config));
  if (user === null) return ok('no process holds the folder');
  const found = `process ${user.pid} on host ${user.host} holds the folder`;
  if (user.isSeen) return ok(found);
  return warning(
    `${found}, and whether it still runs cannot be seen from here`,
    'Make sure that it does not, then delete the newest file lock.* in the folder',
  );
}

export async function checkControlFile({ config }: DoctorSubject): Promise<Finding> {
  const folder = databaseFolder(dataDirOf(config));
  if (!existsSync(folder)) return skipped('there is no database');
  const control = readControl(folder);
  if (control === null) return failed('global/pg_control is missing or damaged', RESTORE);
  if (!control.hasChecksums) {
    return warning(
      'the pages have no checksums, so damage in them can go unnoticed',
      'Restore a backup into a new folder of this release',
    );
  }
  return ok(
    control.isShutDown ? 'the database was shut down' : 'the database is in use, or was killed',
  );
}

/** The log grows while it is read, and may look damaged once; damage looks the same each time. */
const READS = { times: 3, pauseMs: 300 };

export async function checkWriteAheadLog({ config }: DoctorSubject): Promise<Finding> {
  const folder = databaseFolder(dataDirOf(config));
  let state: LogState = { damage: null, records: 0 };
  for (let time = 0; time < READS.times; time += 1) {
    const control = readControl(folder);
    if (control === null) return skipped('without the control file its start is unknown');
    state = checkLog(folder, control);
    if (state.damage === null)
      return ok(`intact: ${state.records} records since the last checkpoint were read`);
    await pause(READS.pauseMs);
  }
  return failed(`the write-ahead log is damaged: ${state.damage}`, RESTORE);
}

/** How many damaged files a sentence names. */
const NAMED = 5;

export async function checkAllPages({ config, onProgress }: DoctorSubject): Promise<Finding> {
  const folder = databaseFolder(dataDirOf(config));
  if (!existsSync(folder)) return skipped('there is no database');
  const { files, pages, damaged } = await checkPages(folder, onProgress);
  const details = { files, pages, damaged };
  if (damaged.length === 0) return ok(`${pages} pages in ${files} files are intact`, details);
  const named = damaged.slice(0, NAMED).map(describeDamage).join('; ');
  const more = damaged.length > NAMED ? `; and ${damaged.length - NAMED} more files` : '';
  return failed(`damaged: ${named}${more}`, RESTORE, details);
}
