import { existsSync } from 'node:fs';
import process from 'node:process';
import { findHledgerWeb } from '../../packages/server/test/support/hledger-install.js';
import { findPgBouncer } from '../../packages/server/test/support/pgbouncer-install.js';
import { findPostgres } from '../../packages/server/test/support/postgres-install.js';
import { findVarnish } from '../../packages/server/test/support/varnish-install.js';
import { findChromium } from '../../packages/verifier/test/support/chromium-install.js';
import { run } from './run.js';

/** System programs that some tests need: how to detect each, keyed by Debian package, and what is better than that one. */
const PROGRAMS = {
  chromium: {
    find: findChromium,
    without: 'the tests of the page in a browser',
    // Not every release has it.
    preferred: 'chromium-headless-shell',
  },
  postgresql: { find: findPostgres, without: 'every test on a PostgreSQL server' },
  pgbouncer: { find: findPgBouncer, without: 'the tests behind a pooler' },
  varnish: { find: findVarnish, without: 'the test of the API behind a shared cache' },
  'hledger-web': { find: findHledgerWeb, without: 'the tests on a real journal' },
};

/**
 * Installs a program if this process may; otherwise prints which tests are skipped.
 * @param {keyof typeof PROGRAMS} name of the Debian package
 */
export async function ensureProgram(name) {
  const { find, without, preferred = name } = PROGRAMS[name];
  if (!('reason' in find())) return;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    await updateLists();
    if ((await install(preferred)) !== 0 && preferred !== name) await install(name);
  }
  const found = find();
  if (!('reason' in found)) return;
  process.stdout.write(`SKIPPED: ${without}, because ${found.reason}.\n`);
}

function updateLists() {
  return aptGet('update', '-qq');
}

function install(name) {
  process.stdout.write(`Installing ${name} for the tests…\n`);
  return aptGet('install', '-y', '-qq', '--no-install-recommends', name);
}

function aptGet(...args) {
  return run('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}
