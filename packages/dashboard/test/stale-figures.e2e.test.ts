import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type App, it } from './support/app.js';
import { pathsOf } from './support/paths.js';

const RANGE = { from: '2026-04-26', to: '2026-04-29' };
const NAMED = '26 Apr 2026 to 29 Apr 2026';
/** Figures and rows in view that belong to the scope of the page. */
const SHOWN = `[...document.querySelectorAll('#main data, #main tbody tr, #main svg text')]
  .filter((one) => one.closest('[data-own-scope]') === null && one.textContent.trim() !== '')
  .filter((one) => one.checkVisibility())
  .map((one) => one.textContent)`;

/** Notes, after each change of the page and in each frame, what is shown under the name of the range. */
const WATCH = `(() => {
  window.stale = [];
  const look = () => {
    const scope = document.querySelector('[data-testid=scope]')?.textContent ?? '';
    if (scope.includes('${NAMED}')) window.stale.push(...${SHOWN});
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  let isWatching = true;
  const frame = () => { look(); if (isWatching) requestAnimationFrame(frame); };
  frame();
  window.unwatch = () => { isWatching = false; observer.disconnect(); return window.stale; };
})()`;

/** Holds the answers to requests with the range until they are let go. */
async function holdRange(page: Page) {
  const held: Route[] = [];
  let isHolding = true;
  const isOfRange = (url: URL) => url.searchParams.get('start') === RANGE.from;
  await page.route(isOfRange, async (route) => {
    if (isHolding) held.push(route);
    else await route.continue();
  });
  return {
    held,
    letGo: async () => {
      isHolding = false;
      await Promise.all(held.splice(0).map((route) => route.continue()));
      await page.unroute(isOfRange);
    },
  };
}

/** @returns whether the page has a range */
async function changeRange({ page, open, complete }: App, path: string): Promise<boolean> {
  await open(path);
  await complete();
  const { held, letGo } = await holdRange(page);
  await page.evaluate(WATCH);
  const search = new URLSearchParams(RANGE).toString();
  const target = `${path}${path.includes('?') ? '&' : '?'}${search}`;
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(target)})`);
  const hasRange = path.startsWith('/agents') || (await page.getByText(NAMED).count()) > 0;
  if (!hasRange) {
    await page.evaluate('new Promise((done) => setTimeout(done, 200))');
    if ((await page.getByText(NAMED).count()) === 0) {
      expect(held, `${path} asks for a range that it does not name`).toEqual([]);
      await letGo();
      return false;
    }
  }
  await page.getByTestId('scope').getByText(NAMED).waitFor();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await expectNothingPrinted(page, path);
  expect(await page.evaluate('window.unwatch()'), path).toEqual([]);
  await letGo();
  await complete();
  return true;
}

async function expectNothingPrinted(page: Page, path: string): Promise<void> {
  const button = page.getByRole('button', { name: 'Print' });
  if ((await button.count()) > 0) expect(await button.isDisabled(), path).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByTestId('not-printed').isVisible(), path).toBe(true);
  expect(await page.locator('h1').isVisible(), path).toBe(false);
  await page.emulateMedia({ media: 'screen' });
}

describe('A change of the range', () => {
  it('No page shows or prints a figure of the former range under the name of the new one', async ({
    app,
  }) => {
    await app.signIn();
    const withRange: string[] = [];
    const [decision] = await app.ledger.decisions.list({ limit: 1 }).toArray(1);
    for (const path of pathsOf('pricing-agent', decision?.decision_id ?? '')) {
      if (await changeRange(app, path)) withRange.push(path);
    }
    expect(withRange).toEqual([
      ...['/agents', '/agents/pricing-agent', '/decisions', '/money?tab=events'],
      ...['/money?tab=unattributed', '/money?tab=unconverted', '/exposure', '/activity'],
    ]);
  });
});
