// @ts-check
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const OLDEST_MAJOR = 15;

/**
 * Where the server programs are: the folder that LEDGER_TEST_POSTGRES names, or that of the newest ones on this machine.
 * Else the reason why there are none to use.
 * @returns {{ binaries: string, version: string } | { reason: string }}
 */
export function findPostgres() {
  const tooOld = new Set();
  const { LEDGER_TEST_POSTGRES: given } = process.env;
  for (const binaries of given === undefined ? candidateFolders() : [given]) {
    const version = versionIn(binaries);
    if (version === undefined) continue;
    if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return { binaries, version };
    tooOld.add(version);
  }
  if (given !== undefined)
    throw new Error(`${given} (LEDGER_TEST_POSTGRES) has no PostgreSQL 15 or newer`);
  const found =
    tooOld.size > 0
      ? `only PostgreSQL ${[...tooOld].join(', ')} is installed`
      : 'no PostgreSQL server is installed';
  return { reason: `${found}, and version ${OLDEST_MAJOR} or newer is needed` };
}

/**
 * PostgreSQL refuses to run as root, so root lends it another account.
 * @returns {{ uid: number, gid: number } | undefined} undefined when the current account will do
 */
export function unprivilegedAccount() {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const account = accounts.find(([name]) => name === wanted);
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error('PostgreSQL refuses root, and there is neither a postgres nor a nobody account');
}

function candidateFolders() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  const folders = newestFirst.map((version) => join(debian, version, 'bin'));
  try {
    folders.push(
      execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim(),
    );
  } catch {
    // pg_config often comes in a package of its own, which need not be there.
  }
  const path = (process.env.PATH ?? '').split(delimiter);
  return [...folders, ...path.filter((folder) => folder !== '')];
}

/**
 * The version of a folder that has both programs that the tests start.
 * @param {string} folder
 */
function versionIn(folder) {
  try {
    for (const name of ['initdb', 'postgres']) accessSync(join(folder, name), constants.X_OK);
    const output = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
    return /(\d+(?:\.\d+)*)/.exec(output)?.[1];
  } catch {
    return undefined;
  }
}
