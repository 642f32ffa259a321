import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signIn } from './support/app.js';
import { openDemo } from './support/demo.js';
import { chromiumHere } from './support/shared.js';

/** The benchmark has the goal, on the whole year; this is what nobody would put up with. */
const WORST_MS = 3000;
const LOADS = 3;

/** Runs in the page before its scripts. */
const OBSERVE = `
  window.paint = 0;
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.paint = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });`;

async function largestPaint(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.getByTestId('exposure').waitFor();
  await page.waitForLoadState('networkidle');
  return Number(await page.evaluate('window.paint'));
}

describe.skipIf('reason' in chromiumHere)('The demo', () => {
  it('Home has its largest contentful paint within three seconds', async () => {
    const { url, key, browser, stop } = await openDemo();
    const page = await browser.newPage();
    await page.addInitScript(OBSERVE);
    await signIn(page, url, { key, path: '/', name: 'Ada Lovelace' });
    await page.getByTestId('exposure').waitFor();
    const paints: number[] = [];
    for (let load = 0; load < LOADS; load += 1) paints.push(await largestPaint(page, url));
    await stop();
    const [, middle = 0] = paints.sort((a, b) => a - b);
    expect(middle).toBeGreaterThan(0);
    expect(middle).toBeLessThan(WORST_MS);
  }, 600_000);
});
