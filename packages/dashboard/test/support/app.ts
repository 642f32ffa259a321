import process from 'node:process';
import { Ledger } from '@decision-ledger/client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Keys } from '../../../server/test/support/service-process.js';
import { checkAccessibility } from './accessibility.js';
import { chromiumHere, shared } from './shared.js';
import { clearTab, openTab } from './tab.js';

/** The dashboard in a tab, without sessions and settings of other tests. */
export interface App {
  readonly page: Page;
  readonly url: string;
  readonly keys: Keys;
  /** The live ledger. */
  readonly ledger: Ledger;
  /** Opens the sign-in page with this key, and waits for the page that follows. */
  signIn(options?: {
    readonly key?: string;
    readonly path?: string;
    readonly name?: string;
  }): Promise<void>;
  /** Opens a path within the session, as a typed address does, and waits for its heading. */
  open(path: string): Promise<void>;
  /** Waits until everything on the page is loaded, so that it may be printed. */
  complete(): Promise<void>;
  /** Fails on a serious or critical finding of axe, in light and in dark. */
  axe(): Promise<void>;
  /** Announces a console error that the test provokes; any other fails it. */
  expectError(text: RegExp): void;
}

interface Fixtures {
  /** Whether the browser has never loaded a file of the dashboard before. */
  readonly isFirstVisit: boolean;
  /** Where the browser finds the service. */
  readonly address: string;
  readonly app: App;
}

export const WHY = 'reason' in chromiumHere ? chromiumHere.reason : null;
if (WHY !== null) process.stderr.write(`The tests of the dashboard are skipped: ${WHY}\n`);

export const inBrowser = test.extend<Fixtures>({
  isFirstVisit: false,
  // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other
  address: async ({}, use) => use((await shared()).service.url),
  app: async ({ isFirstVisit, address, task }, use) => {
    const all = await shared();
    const kept = isFirstVisit ? undefined : all.tab;
    const page = kept ?? (await openTab(all.browser));
    if (kept !== undefined) all.tab = undefined;
    const { keys } = all;
    const watch = watchPage(page, address);
    await use({
      ...{ page, keys, url: address, expectError: watch.expectError },
      ledger: new Ledger({ url: address, key: keys.live }),
      signIn: (given = {}) =>
        signIn(page, address, { key: keys.live, path: '/', name: 'Ada Lovelace', ...given }),
      open: (path) => open(page, address + path),
      complete: () => isComplete(page),
      axe: () => checkAccessibility(page),
    });
    // What a failed test leaves behind breaks no other test.
    if (isFirstVisit || task.result?.state === 'fail') await page.context().close();
    else all.tab = await clearTab(page, address);
    expect(watch.problems()).toEqual([]);
  },
});

/** A test in the browser. It fails on a console error, a fault of the page and a request to another host. */
export const it = inBrowser.skipIf(WHY !== null);

/** The same in a browser that has loaded no file of the dashboard yet. */
export const itAtFirstVisit = inBrowser.extend({ isFirstVisit: true }).skipIf(WHY !== null);

function watchPage(page: Page, url: string) {
  const problems: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') problems.push(line.text());
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const target = request.url();
    const isOwn = target.startsWith(url) || target.startsWith('data:');
    if (!isOwn) problems.push(`request to ${target}`);
  });
  page.on('websocket', (socket) => {
    if (!socket.url().startsWith(url.replace('http', 'ws'))) problems.push(`to ${socket.url()}`);
  });
  return {
    problems: () => problems.filter((text) => !expected.some((pattern) => pattern.test(text))),
    expectError: (text: RegExp) => void expected.push(text),
  };
}

/** Signs in on the page of this path, and waits for what follows. */
export async function signIn(
  page: Page,
  url: string,
  { key, path, name }: { key: string; path: string; name: string },
) {
  await page.goto(url + path);
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await isConnected(page);
}

/** Opens an address within a session, and waits for its heading. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await isConnected(page);
}

/** A page that is left while it connects to the stream logs an error. */
async function isConnected(page: Page): Promise<void> {
  const footer = page.locator('footer').locator('[data-state=live], [data-state=off]');
  await footer.waitFor({ state: 'attached' });
}

/** Waits until everything on the page is loaded. */
export async function isComplete(page: Page): Promise<void> {
  const waiting = page.locator('#main [aria-busy=true], [data-testid=not-printed]');
  await expect.poll(() => waiting.count()).toBe(0);
}

/** Makes the page read everything again, as after a lost stream, and waits until it has the settings. */
export async function readAgain(page: Page): Promise<void> {
  const answer = page.waitForResponse(
    (one) => one.url().endsWith('/api/v1/settings') && one.request().method() === 'GET',
  );
  await page.evaluate(() => {
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
  });
  await answer;
}
