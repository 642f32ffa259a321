import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { readCsv } from '../../server/test/evidence/support/read-csv.js';
import { it } from './support/app.js';
import { DECISIONS, HOSTILE } from './support/seed.js';

const BUTTON = { name: 'Download CSV' };

/** The file that a click downloads: its name, and its text with the byte order mark. */
async function download(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', BUTTON).click(),
  ]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

describe('A list as a CSV file', () => {
  it('Has every row of the list, not only those that were loaded, for spreadsheets', async ({
    app: { page, signIn, ledger },
  }) => {
    await signIn({ path: '/decisions' });
    const { name, text } = await download(page);
    expect(name).toMatch(/^decisions-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(text.startsWith('\ufeffdecision_id,')).toBe(true);
    expect(text.match(/(?<!\r)\n/g)).toBeNull();
    const [header = [], ...rows] = readCsv(text.slice(1));
    const all = await ledger.decisions.list({ limit: 500 }).toArray(DECISIONS * 2);
    expect(rows.length).toBe(all.length);
    const columnOf = (column: string) => rows.map((row) => row[header.indexOf(column)]);
    expect(columnOf('decision_id')).toEqual(all.map(({ decision_id }) => decision_id));
    expect(columnOf('timestamp')).toEqual(all.map(({ timestamp }) => timestamp));
    expect(columnOf('confidence').map(Number)).toEqual(all.map(({ confidence }) => confidence));
    expect(columnOf('agent_id')).toContain(HOSTILE);
  });

  it('Has the rows of the filter, with exact amounts', async ({
    app: { page, signIn, ledger },
  }) => {
    await signIn({ path: '/money?tab=events&source=shop' });
    const { name, text } = await download(page);
    expect(name).toMatch(/^financial-events-/);
    const [header = [], ...rows] = readCsv(text.slice(1));
    const all = await ledger.events.list({ source: 'shop' }).toArray(100);
    expect(rows.map((row) => row[header.indexOf('amount')])).toEqual(
      all.map(({ amount }) => amount),
    );
  });

  it('Is read with progress, can be cancelled, and names a failure with a retry', async ({
    app: { page, signIn, expectError },
  }) => {
    expectError(/status of 500/);
    await signIn({ path: '/activity' });
    await page.getByRole('table', { name: 'Changes' }).getByRole('row').nth(1).waitFor();
    const held: Route[] = [];
    const isWhole = (url: URL) => url.searchParams.get('limit') === '500';
    await page.route(isWhole, (route) => void held.push(route));
    await page.getByRole('button', BUTTON).click();
    await page.getByText('0 rows read').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', BUTTON).waitFor();
    await page.unroute(isWhole);
    await page.route(isWhole, (route) =>
      route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }),
    );
    await page.getByRole('button', BUTTON).click();
    const retry = page.getByRole('button', { name: /Try again|Retry/ });
    await retry.waitFor({ timeout: 30_000 });
    await page.unroute(isWhole);
    const [file] = await Promise.all([page.waitForEvent('download'), retry.click()]);
    expect(file.suggestedFilename()).toMatch(/^activity-/);
  });
});
