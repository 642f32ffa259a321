import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { currentFingerprint } from './seen.js';
import { fingerprint, isBuilt, packagesOf, wasEverBuilt } from './sources.js';

const SERVER = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Builds what is missing or out of date. Exits with a plain message if that fails. */
export async function buildOrExit() {
  try {
    await ensureBuilt();
  } catch (error) {
    process.stderr.write(`decision-ledger: ${explain(error)}\n`);
    process.exit(1);
  }
}

async function ensureBuilt() {
  // A published package has dist/ but no sources.
  if (!existsSync(join(SERVER, 'src')) || !existsSync(join(SERVER, 'tsconfig.json'))) return;
  const root = dirname(dirname(SERVER));
  const packages = packagesOf(root);
  if (isBuilt(root, packages, currentFingerprint(root, packages))) return;
  await buildUnderLock(root, packages);
}

// Loaded only when a build is needed, to keep other starts fast.
async function buildUnderLock(root, packages) {
  const { build } = await import('./compile.js');
  const { tryLock, unlock } = await import('./lock.js');
  const { ownIdentity } = await import('./process-identity.js');
  const work = join(root, '.build');
  const lock = join(work, 'lock');
  const identity = ownIdentity();
  mkdirSync(work, { recursive: true });
  for (;;) {
    if (!tryLock(lock, identity)) await waitForOther(lock);
    else {
      try {
        if (isBuilt(root, packages, fingerprint(root, packages))) return;
        const reason = wasEverBuilt(root, packages) ? 'sources changed' : 'first start';
        process.stderr.write(`Building (${reason})…\n`);
        const built = await build({ root, work, packages, identity });
        if (isBuilt(root, packages, built)) return;
      } finally {
        unlock(lock, identity);
      }
    }
  }
}

let announced = false;

async function waitForOther(lock) {
  const { lockHolder } = await import('./lock.js');
  const { isRunning } = await import('./process-identity.js');
  const started = performance.now();
  for (;;) {
    const holder = lockHolder(lock);
    if (holder === undefined || !isRunning(holder)) return;
    if (!announced && performance.now() - started > 1000) {
      announced = true;
      process.stderr.write(`Waiting for process ${holder.split('-')[0]}, which is building…\n`);
    }
    await sleep(50);
  }
}

function explain(error) {
  if (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM') {
    return `the service must be built first, and this user may not write here (${error.message}).\nRun "npm run build" as a user who may.`;
  }
  return error.name === 'BuildError' ? error.message : error.stack;
}
