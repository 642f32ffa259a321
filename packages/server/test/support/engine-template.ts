import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#server/config';
import { openService } from '#server/service';
import { ROOT } from './paths.js';

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

/**
 * Puts a migrated, empty database into a data folder, so that the first start need not create one.
 */
export async function fillDataFolder(folder: string): Promise<void> {
  cpSync(await embeddedTemplate(), folder, { recursive: true });
}

/**
 * A migrated, empty data folder. Creating one takes seconds and copying it does not, so it is
 * cached while its inputs stay the same.
 */
export async function embeddedTemplate(): Promise<string> {
  const cache = join(ROOT, 'node_modules/.cache/decision-ledger');
  const template = join(cache, `engine-${templateKey()}`);
  if (existsSync(template)) return template;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  const config = readConfig({ LEDGER_MASTER_KEY: MASTER_KEY, LEDGER_DATA_DIR: draft });
  const service = await openService(config, {
    share: false,
    // Each copy gets the master key of its own service.
    needsKey: false,
    onConnectionError: () => undefined,
    onEngineFailure: () => undefined,
  });
  await service.close();
  try {
    await rename(draft, template);
    await removeOthers(cache, template);
  } catch (error) {
    // Another test file created it first.
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(template)) throw error;
  }
  return template;
}

const OLD_MS = 24 * 3_600_000;

async function removeOthers(cache: string, template: string): Promise<void> {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (!name.startsWith('engine-') || path === template) continue;
    // Another run may be copying a recent one.
    const age =
      statSync(template).mtimeMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > OLD_MS) await rm(path, { recursive: true, force: true });
  }
}

function templateKey(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const folder of [
    'server/dist/installation',
    'server/dist/platform',
    'embedded/dist',
    'server/migrations',
  ]) {
    const path = join(ROOT, 'packages', folder);
    for (const name of readdirSync(path).sort()) {
      if (/\.(js|sql)$/.test(name)) hash.update(`${name}\n`).update(readFileSync(join(path, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
