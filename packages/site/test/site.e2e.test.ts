import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumHere, shared } from '../../dashboard/test/support/shared.js';
import { sample } from '../../proof/test/support/runs.js';
import { ROOT } from '../../server/test/support/paths.js';

const ALL = readdirSync(join(ROOT, 'packages/server/dist/site'), {
  recursive: true,
  encoding: 'utf8',
}).filter((path) => path.endsWith('.html'));
/** Those of operations and errors are made from the API description, by two templates. */
const isMade = (path: string) => path.startsWith('reference/');
const PATHS = [...ALL.filter((path) => !isMade(path)), ...sample(ALL.filter(isMade).sort())];
/** Together they have every kind of part: code in each language, tables, pictures, long menus. */
const SAMPLES = [
  ...['index', 'start/engineer', 'start/risk', 'concepts', 'alerts', 'client', 'stripe', 'python'],
  ...['reference/recordDecision', 'reference/errors/rate_limited'],
];
const PHONE = { width: 390, height: 844 };

const RUN_AXE = `axe.run(document, { runOnly: ['color-contrast', 'link-name', 'list', 'label',
  'scrollable-region-focusable', 'landmark-one-main', 'aria-valid-attr-value'], resultTypes: ['violations'] })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;

describe.skipIf('reason' in chromiumHere)('The documentation in a browser', () => {
  let page: Page;
  let url: string;
  const problems: string[] = [];

  beforeAll(async () => {
    const { service, browser } = await shared();
    url = `${service.url}/docs/`;
    const context = await browser.newContext({ viewport: PHONE });
    page = await context.newPage();
    page.on('console', (line) => problems.push(`${page.url()}: ${line.text()}`));
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
    page.on('response', (answer) => {
      if (answer.status() >= 400) problems.push(`${answer.status()}: ${answer.url()}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) problems.push(`request to ${request.url()}`);
    });
  });
  afterAll(() => page.context().close());

  it('On a phone no page scrolls sideways, and none logs an error or breaks the policy', async () => {
    const wide: string[] = [];
    for (const path of PATHS) {
      await page.goto(url + path, { waitUntil: 'load' });
      const width = await page.evaluate('document.documentElement.scrollWidth');
      if (Number(width) > PHONE.width) wide.push(`${path}: ${width}`);
    }
    expect(wide).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('Text has contrast in light and in dark, and what scrolls can be reached', async () => {
    const found: string[] = [];
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const path of SAMPLES) {
      await page.goto(`${url}${path}.html`, { waitUntil: 'load' });
      await page.evaluate(axe.source);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const here = await page.evaluate<string[]>(RUN_AXE);
        found.push(...here.map((problem) => `${path}, ${colorScheme}: ${problem}`));
      }
    }
    expect(found).toEqual([]);
  });

  it('The search is used with the keyboard, and needs no network once the page is loaded', async () => {
    await page.goto(url, { waitUntil: 'load' });
    await page.locator('body[data-search=ready]').waitFor();
    await page.context().setOffline(true);
    await page.keyboard.press('/');
    await page.keyboard.type('idempotency');
    const results = page.getByRole('list', { name: 'Pages found' }).getByRole('link');
    await results.first().waitFor();
    expect(await results.count()).toBeGreaterThan(3);
    await page.keyboard.press('ArrowDown');
    expect(await results.first().evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await results.count()).toBe(0);
    await page.context().setOffline(false);
    await page.keyboard.type(' conflict');
    await results.first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'idempotency_conflict' }).waitFor();
  });

  it('The search says that nothing was found, and where everything is', async () => {
    await page.goto(url, { waitUntil: 'load' });
    await page.locator('body[data-search=ready]').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('qqqqxxxx');
    await page.getByText('Nothing found for “qqqqxxxx”.').waitFor();
    const results = page.getByRole('list', { name: 'Pages found' });
    await results.getByRole('link', { name: 'Concepts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Concepts' }).waitFor();
  });

  it('A chosen language applies to every example and on the next page, and code is copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${url}start/engineer.html`, { waitUntil: 'load' });
    await page.getByRole('tab', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tabpanel').getAttribute('data-name')).toBe('TypeScript');
    await page.goto(`${url}reference/recordDecision.html`, { waitUntil: 'load' });
    const panel = page.getByRole('tabpanel');
    expect(await panel.getAttribute('data-name')).toBe('TypeScript');
    await page.getByRole('tab', { name: 'Python' }).click();
    await panel.hover();
    await panel.getByRole('button', { name: 'Copy' }).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    const text = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(text).toBe(await panel.locator('pre').textContent());
    expect(text).toContain('urllib.request.Request(');
  });
});
