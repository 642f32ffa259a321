import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumHere } from './support/shared.js';

const ROWS = 10_000_000;
const ORIGIN = 'http://table.test';

/** The numbers of the rows that are wholly in view, from the top. */
const IN_VIEW = `[...document.querySelectorAll('tbody tr')]
  .map((row) => ({ box: row.getBoundingClientRect(), text: row.textContent }))
  .filter(({ box, text }) => text !== '' && box.top >= 32 && box.bottom <= innerHeight)
  .sort((a, b) => a.box.top - b.box.top)
  .map(({ text }) => Number(text))`;

async function rowsInView(page: Page): Promise<number[]> {
  // What a scroll event changes is drawn in the frame after it.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
  return page.evaluate<number[]>(IN_VIEW);
}

function expectWithoutGaps(rows: readonly number[]): void {
  expect(rows.length).toBeGreaterThan(10);
  expect(rows).toEqual(rows.map((_, index) => (rows[0] ?? 0) + index));
}

describe.skipIf('reason' in chromiumHere)('A list of ten million rows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-table-'));
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    await build({
      root: join(import.meta.dirname, 'support/table-page'),
      ...{ configFile: false, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } },
    });
    const executablePath = 'path' in chromiumHere ? chromiumHere.path : '';
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    await page.route(`${ORIGIN}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) });
    });
    await page.goto(ORIGIN);
    await page.getByRole('link', { name: '0', exact: true }).waitFor();
    return () => page.close();
  });

  it('Shows its last row after the key End and its first one after Home', async () => {
    await page.keyboard.press('End');
    await page.getByRole('link', { name: String(ROWS - 1), exact: true }).waitFor();
    const last = await rowsInView(page);
    expectWithoutGaps(last);
    expect(last.at(-1)).toBe(ROWS - 1);
    await page.keyboard.press('Home');
    await page.getByRole('link', { name: '0', exact: true }).waitFor();
    expect((await rowsInView(page))[0]).toBe(0);
  });

  it('Shows each row in turn while the wheel turns, wherever the bar was dropped', async () => {
    await page.mouse.move(500, 400);
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    for (const share of [0, 0.02, 0.5, 0.98, 1]) {
      await page.evaluate(`scrollTo(0, ${Math.round(height * share)})`);
      let before = await rowsInView(page);
      expectWithoutGaps(before);
      for (let turns = 0; turns < 30; turns += 1) {
        await page.mouse.wheel(0, share < 0.5 ? 370 : -370);
        await page.waitForTimeout(20);
        const after = await rowsInView(page);
        expectWithoutGaps(after);
        const moved = Math.abs((after[0] ?? 0) - (before[0] ?? 0));
        expect(moved).toBeLessThan(before.length);
        before = after;
      }
    }
  });

  it('Moves by the key PageDown and by Tab without leaving out a row', async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
    const before = await rowsInView(page);
    await page.keyboard.press('PageDown');
    await page.waitForTimeout(300);
    const after = await rowsInView(page);
    expectWithoutGaps(after);
    expect(after[0]).toBeGreaterThan(before[0] ?? 0);
    expect(after[0]).toBeLessThanOrEqual((before.at(-1) ?? 0) + 1);
    const start = after[3] ?? 0;
    await page.getByRole('link', { name: String(start), exact: true }).focus();
    for (let step = 1; step <= 40; step += 1) {
      await page.keyboard.press('Tab');
      await page.waitForTimeout(20);
      expect(await page.evaluate('document.activeElement.textContent')).toBe(String(start + step));
    }
  });

  it('States the number of rows and the place of each for screen readers', async () => {
    const table = page.getByRole('table', { name: 'Numbers' });
    expect(await table.getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 3)');
    const [first = 0] = await rowsInView(page);
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: String(first), exact: true }) });
    expect(await row.getAttribute('aria-rowindex')).toBe(String(first + 2));
  });

  it('Has few elements', async () => {
    expect(Number(await page.evaluate('document.querySelectorAll("*").length'))).toBeLessThan(400);
  });
});
