import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { startDemo } from '../../../server/test/support/demo-process.js';
import { chromiumHere } from './shared.js';

/** The demo, and a browser. */
export interface Demo {
  readonly url: string;
  readonly key: string;
  readonly browser: Browser;
  stop(): Promise<void>;
}

export async function openDemo(): Promise<Demo> {
  if ('reason' in chromiumHere) throw new Error(chromiumHere.reason);
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-pages-'));
  const { url, key, command } = await startDemo({}, '--data-dir', folder);
  const browser = await chromium.launch({
    executablePath: chromiumHere.path,
    args: ['--no-sandbox'],
  });
  return {
    ...{ url, key, browser },
    async stop() {
      await browser.close();
      command.stop();
      await command.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
