import { existsSync } from 'node:fs';
import process from 'node:process';
import { findHledgerWeb } from '../../packages/server/test/support/hledger-install.js';
import { run } from './run.js';

/** Some tests read a real journal through hledger-web. Where this process may install it, it does. */
export async function ensureHledger() {
  if (!('reason' in findHledgerWeb())) return;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) await install();
  const found = findHledgerWeb();
  if (!('reason' in found)) return;
  process.stdout.write(`SKIPPED: the tests on a real journal, because ${found.reason}.\n`);
}

async function install() {
  process.stdout.write('Installing hledger-web for the tests…\n');
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-qq'], options);
  const packages = ['install', '-y', '-qq', '--no-install-recommends', 'hledger-web'];
  await run('apt-get', packages, options);
}
