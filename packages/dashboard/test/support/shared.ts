import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type Browser, chromium, type Page } from 'playwright-core';
import {
  embeddedEnvironment,
  type Keys,
  readKeys,
  type ServiceProcess,
  startService,
} from '../../../server/test/support/service-process.js';
import { findChromium } from '../../../verifier/test/support/chromium-install.js';
import { seed } from './seed.js';

/** A browser, and the built service with a seeded live ledger and an empty test ledger. */
export interface Shared {
  readonly service: ServiceProcess;
  readonly dataDir: string;
  readonly keys: Keys;
  readonly browser: Browser;
  /** The tab that one test after the other has, while none has it. */
  tab: Page | undefined;
}

declare global {
  /** A process of the tests runs many files, and a start costs more than most tests. */
  var dashboardShared: Promise<Shared> | undefined;
}

export const chromiumHere = findChromium();

export function shared(): Promise<Shared> {
  globalThis.dashboardShared ??= start();
  return globalThis.dashboardShared;
}

async function start(): Promise<Shared> {
  if ('reason' in chromiumHere) throw new Error(chromiumHere.reason);
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-dashboard-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // The test runner ends its processes with a signal, after which nothing would stop the service.
  process.once('SIGTERM', () => process.exit());
  const dataDir = join(folder, 'data');
  const service = await startService({
    ...embeddedEnvironment(dataDir),
    // The tests run real servers on this machine.
    LEDGER_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
  });
  const keys = readKeys(dataDir);
  await seed(service.url, keys.live);
  const browser = await chromium.launch({
    executablePath: chromiumHere.path,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  return { service, dataDir, keys, browser, tab: undefined };
}
