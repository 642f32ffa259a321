import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { openFilesLimit } from '@decision-ledger/embedded/open-files';
import { VERSION } from '../version.js';
import { type Finding, failed, ok, warning } from './finding.js';
import type { DoctorSubject } from './subject.js';

export async function checkVersions(): Promise<Finding> {
  return ok(`Decision Ledger ${VERSION} on Node.js ${process.version}`);
}

const ENOUGH_FILES = 1024;

export async function checkOpenFiles(): Promise<Finding> {
  const limit = openFilesLimit();
  if (limit === Number.POSITIVE_INFINITY) return ok('the system names no limit');
  const found = `this user's processes may open ${limit} files`;
  if (limit >= ENOUGH_FILES) return ok(found);
  return warning(
    found,
    `Raise it to ${ENOUGH_FILES} or more: ulimit -n, or LimitNOFILE= in systemd`,
  );
}

const MIB = 1 << 20;
/** Below the first, the next write may fail; below the second, it is time to act. */
const [LEAST_MIB, ENOUGH_MIB] = [64, 1024];

/** Of the folder that holds the data, or the work files of exports. */
export async function checkSpace({ config }: DoctorSubject): Promise<Finding> {
  const { storage, workDir } = config;
  const folder = existing(storage.kind === 'embedded' ? storage.dataDir : workDir);
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / MIB);
  const found = `${free} MiB are free on the disk of ${folder}`;
  if (free < LEAST_MIB) return failed(found, 'Free some space');
  return free < ENOUGH_MIB ? warning(found, 'Free some space soon') : ok(found);
}

/** The folder, or the nearest one above it that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}
