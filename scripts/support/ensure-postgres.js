import { existsSync } from 'node:fs';
import process from 'node:process';
import { findPostgres } from '../../packages/server/test/support/postgres-install.js';
import { run } from './run.js';

/** The tests need a server's programs. Where this process may install them, it does. */
export async function ensurePostgres() {
  if (!('reason' in findPostgres())) return;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) await install();
  const found = findPostgres();
  if (!('reason' in found)) return;
  process.stdout.write(`SKIPPED: every test on a PostgreSQL server, because ${found.reason}.\n`);
}

async function install() {
  process.stdout.write('Installing PostgreSQL for the tests…\n');
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-qq'], options);
  const packages = ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'];
  await run('apt-get', packages, options);
}
