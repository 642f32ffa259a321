import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { readCsv } from '../../server/test/evidence/support/read-csv.js';
import { it } from './support/app.js';
import { DECISIONS, HOSTILE } from './support/seed.js';

const buttonOf = (page: Page, table: string) =>
  page.getByRole('button', { name: `Download CSV: ${table}`, exact: true });

/** The file of a table: its name, and its text with the byte order mark. */
async function download(page: Page, table: string) {
  const [file] = await Promise.all([page.waitForEvent('download'), buttonOf(page, table).click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

/** The lines of the file of a table, by the names of its columns. */
async function linesOf(page: Page, table: string): Promise<Readonly<Record<string, string>>[]> {
  const { text } = await download(page, table);
  const [header = [], ...rows] = readCsv(text.slice(1));
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
}

describe('A list as a CSV file', () => {
  it('Has every row of the list, not only those that were loaded, for spreadsheets', async ({
    app: { page, signIn, ledger },
  }) => {
    await signIn({ path: '/decisions' });
    const { name, text } = await download(page, 'Decisions');
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
    const { name, text } = await download(page, 'Financial events');
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
    await buttonOf(page, 'Changes').click();
    await page.getByText('0 rows read').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await buttonOf(page, 'Changes').waitFor();
    await page.unroute(isWhole);
    await page.route(isWhole, (route) =>
      route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }),
    );
    await buttonOf(page, 'Changes').click();
    const retry = page.getByRole('button', { name: /Try again|Retry/ });
    await retry.waitFor();
    await page.unroute(isWhole);
    const [file] = await Promise.all([page.waitForEvent('download'), retry.click()]);
    expect(file.suggestedFilename()).toMatch(/^activity-/);
  });
});

describe('A short table as a CSV file', () => {
  it('Has every row with the digits of the API, not the few and rounded ones of the page', async ({
    app: { page, signIn, ledger },
  }) => {
    await signIn({ path: '/exposure' });
    const shown = page.getByRole('table', { name: 'Largest exposures' }).locator('tbody tr');
    await shown.first().waitFor();
    const { currency, by_action_type } = await ledger.analytics.liability();
    const decisions = await ledger.analytics.liabilityRows({ limit: 500 }).toArray();
    expect(decisions.length).toBeGreaterThan(await shown.count());
    expect(decisions.some(({ open }) => /\.\d{3}/.test(open ?? ''))).toBe(true);
    const lines = await linesOf(page, 'Largest exposures');
    expect(lines.map(({ decision_id, open, exposure }) => [decision_id, open, exposure])).toEqual(
      decisions.map(({ decision_id, open, exposure }) => [decision_id, open, exposure]),
    );
    const types = await linesOf(page, 'Exposure by action type');
    expect(types).toEqual(
      by_action_type.map(({ decisions: count, ...row }) => ({
        ...{ ...row, currency, decisions: String(count) },
      })),
    );
  });

  it('The statement has its figures, those of its notes, and the money that no figure has', async ({
    app: { page, signIn, ledger },
  }) => {
    await signIn({ path: '/agents/pricing-agent' });
    await page.getByRole('table', { name: 'Figures' }).waitFor();
    const query = { agent_id: 'pricing-agent' };
    const pnl = await ledger.analytics.pnl(query);
    const exposure = await ledger.analytics.liability(query);
    const lines = await linesOf(page, 'Figures');
    const amountOf = (figure: string) => lines.find((line) => line.figure === figure)?.amount;
    expect(amountOf('confirmed.revenue')).toBe(pnl.confirmed.revenue);
    expect(amountOf('confirmed.losses')).toBe(pnl.confirmed.losses);
    expect(amountOf('expected.net.low')).toBe(pnl.confidence_interval.low);
    expect(amountOf('exposure')).toBe(exposure.aggregate.expected);
    expect(amountOf('exposure.var95')).toBe(exposure.aggregate.var95);
    expect(lines.filter(({ figure }) => figure === 'unconverted')).toEqual(
      pnl.unconverted.map((money) => ({ figure: 'unconverted', ...money })),
    );
  });

  it('The links of a decision have the exact amounts of their events', async ({
    app: { page, signIn, ledger },
  }) => {
    const [event] = await ledger.events.list({ external_id: 'R-1041' }).toArray(1);
    const [link] = await ledger.links.list({ financial_event_id: event?.id ?? '' }).toArray(1);
    await signIn({ path: `/decisions/${link?.decision_id}` });
    await page.getByRole('table', { name: 'Links' }).waitFor();
    expect(await linesOf(page, 'Links')).toMatchObject([
      {
        link_id: link?.id,
        financial_event_id: event?.id,
        event_amount: '1249.99',
        currency: 'EUR',
      },
    ]);
  });
});
