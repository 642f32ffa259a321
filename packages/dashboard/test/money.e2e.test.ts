import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { it } from './support/app.js';
import { HOSTILE } from './support/seed.js';

/** The amounts of the rows in view, as the API wrote them. */
async function amountsOf(page: Page, table: string): Promise<(string | null)[]> {
  const rows = page.getByRole('table', { name: table }).locator('tbody tr');
  await rows.first().locator('data').first().waitFor();
  return rows.locator('data').evaluateAll((all) => all.map((one) => one.getAttribute('value')));
}

function eventOf(source: string, n: number, currency: string) {
  const timestamp = new Date(Date.parse('2026-03-01T00:00:00Z') + n * 60_000).toISOString();
  return { source, event_type: 'fee', amount: `-${n}.35`, currency, timestamp };
}

describe('Money', () => {
  it('The events are those of the API, filtered by the address', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    for (let n = 1; n <= 5; n += 1) await ledger.events.create(eventOf('fees', n, 'USD'));
    await signIn({ path: '/money' });
    await page.getByRole('tab', { name: 'Events', selected: true }).waitFor();
    await axe();
    await page.getByLabel('Source').fill('fees');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('source') === 'fees');
    await page
      .getByRole('table', { name: 'Financial events' })
      .locator('[aria-rowindex="6"]')
      .waitFor();
    const answered = await ledger.events.list({ source: 'fees' }).toArray();
    expect(await amountsOf(page, 'Financial events')).toEqual(answered.map(({ amount }) => amount));
  });

  it('A phone shows all digits of the largest amounts, broken between their groups only', async ({
    app: { page, signIn, ledger, expectError },
  }) => {
    // The page may still ask for an event that is deleted at the end.
    expectError(/status of 404/);
    const amounts = ['-123456789012345.67', '987654321098765.43'];
    for (const amount of amounts) {
      const event = await ledger.events.create({ ...eventOf('vault', 1, 'USD'), amount });
      // Totals of other tests are smaller.
      onTestFinished(async () => void (await ledger.events.delete(event.id)));
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn({ path: '/money?source=vault' });
    const cells = page
      .getByRole('table', { name: 'Financial events' })
      .locator('td', { has: page.locator('data') });
    await cells.nth(1).waitFor();
    const shown = await cells.evaluateAll((all) =>
      all.map((cell) => ({
        text: cell.textContent,
        isCut: cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight,
        lines: [...cell.querySelectorAll('span')].map((part) => part.getClientRects().length),
      })),
    );
    expect(shown.map(({ text }) => text).sort()).toEqual([
      ...['-USD\u00a0123,456,789,012,345.67', 'USD\u00a0987,654,321,098,765.43'],
    ]);
    expect(shown.map(({ isCut }) => isCut)).toEqual([false, false]);
    expect(shown.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 12 }, () => 1));
  });

  it('A filter can be saved, and belongs to its list', async ({ app: { page, signIn, axe } }) => {
    await signIn({ path: '/money?source=fees' });
    await page.getByRole('button', { name: 'Save filter' }).click();
    await page.getByLabel('Name of the filter').fill('Fees');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL(({ searchParams }) => !searchParams.has('source'));
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await axe();
    await page.getByRole('button', { name: 'Fees', exact: true }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('source') === 'fees');
    await page.getByRole('tab', { name: 'Links' }).click();
    await page.getByRole('button', { name: 'Apply' }).waitFor();
    expect(await page.getByRole('button', { name: 'Saved filters' }).count()).toBe(0);
  });

  it('An event opens over the list with its links, and its texts stay texts', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const [event] = await ledger.events.list({ external_id: 'R-1041' }).toArray(1);
    const [link] = await ledger.links.list({ financial_event_id: event?.id ?? '' }).toArray(1);
    await signIn({ path: '/money?tab=links&status=CONFIRMED' });
    await page.getByRole('table', { name: 'Links' }).getByRole('link').first().waitFor();
    await axe();
    await page.goto(`${new URL(page.url()).origin}/money?event=${event?.id}`);
    const drawer = page.getByRole('dialog', { name: 'Financial event' });
    await drawer.locator('data[value="1249.99"]').waitFor();
    await drawer.getByText(HOSTILE).waitFor();
    await drawer.getByRole('link', { name: link?.decision_id ?? '' }).waitFor();
    expect(await page.evaluate('window.injected')).toBeUndefined();
    await axe();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('event')).toBe(false);
  });

  it('Unattributed money sums to the figure of the API', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    for (let n = 1; n <= 3; n += 1) await ledger.events.create(eventOf('unknown', n, 'USD'));
    const query = { start: '2026-03-01', end: '2026-03-01' };
    await signIn({ path: '/money?tab=unattributed&from=2026-03-01&to=2026-03-01' });
    await page.getByRole('table', { name: 'Unattributed money' }).waitFor();
    const { unattributed } = await ledger.analytics.pnl(query);
    await page.locator(`strong data[value="${unattributed}"]`).waitFor();
    const rows = await ledger.analytics.pnlRows({ ...query, figure: 'unattributed' }).toArray();
    const parts = page.getByRole('table').locator('tbody tr');
    await parts
      .nth(rows.length - 1)
      .locator('data')
      .first()
      .waitFor();
    expect(await parts.count()).toBe(rows.length);
    await axe();
  });

  it('A rate is set after its dry run, and the money then counts', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    await ledger.events.create(eventOf('swiss', 7, 'CHF'));
    await signIn({ path: '/money?tab=unconverted&currency=CHF' });
    await page.locator('data[value="-7.35"]').first().waitFor();
    await axe();
    await page.getByRole('button', { name: 'Set a rate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set the rate from CHF to USD' });
    await dialog.getByLabel('One CHF in USD').fill('0');
    await dialog.getByText('A rate must be above zero.').waitFor();
    await dialog.getByLabel('One CHF in USD').fill('1.25');
    await expect.poll(() => dialog.getByLabel('From this day on').inputValue()).toBe('2026-03-01');
    await dialog.getByRole('button', { name: 'Show the effect' }).click();
    await dialog.getByText('The exposure would change from').waitFor();
    expect((await ledger.settings.get()).exchange_rates).toEqual([]);
    await axe();
    await dialog.getByRole('button', { name: 'Set the rate' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Nothing matches the filters').waitFor();
    expect((await ledger.settings.get()).exchange_rates).toEqual([
      { from: 'CHF', to: 'USD', date: '2026-03-01', rate: '1.25' },
    ]);
    await ledger.settings.update({ exchange_rates: null });
  });

  it('A connection that cannot be reached says why', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    await signIn({ path: '/money?tab=connections' });
    await page.getByText('No accounting system is connected').waitFor();
    await page.getByText('Stripe is not connected').waitFor();
    await axe();
    await ledger.settings.update({
      accounting: [
        { id: 'books', kind: 'hledger', url: 'http://books.invalid:5000', poll_seconds: 86_400 },
      ],
    });
    try {
      await ledger.operations.pollAccounting('books');
      await page.reload();
      const row = page.getByRole('row', { name: 'books' });
      await row.getByText('Problem').waitFor();
      const { connections } = await ledger.operations.accounting();
      await row.getByText(connections[0]?.problem ?? 'no problem').waitFor();
      await axe();
    } finally {
      await ledger.settings.update({ accounting: null });
    }
  });

  it('A key without admin is not offered what it may not do', async ({
    app: { page, signIn, ledger },
  }) => {
    await ledger.events.create(eventOf('norse', 9, 'NOK'));
    const { key } = await ledger.keys.issue({ name: 'Reader', permissions: ['read', 'stream'] });
    await signIn({ key, path: '/money?tab=unconverted&currency=NOK' });
    await page.locator('data[value="-9.35"]').first().waitFor();
    expect(await page.getByRole('button', { name: 'Set a rate' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Connections' }).click();
    await page.getByText('needs a key with the permission admin').waitFor();
  });
});
