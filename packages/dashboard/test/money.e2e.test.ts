import type { RowsQuery } from '@decision-ledger/client/api/analytics-rows';
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

  it('Events are found by amount, by words and by their customer, and what is wrong is said', async ({
    app: { page, signIn, ledger, axe, expectError },
  }) => {
    expectError(/status of 422/);
    const event = (n: number) => ({
      ...{ ...eventOf('parcels', n, 'USD'), description: `Parcel ${n}, sent late` },
      metadata: { customer: `K-${n}` },
    });
    for (let n = 1; n <= 4; n += 1) await ledger.events.create(event(n));
    await signIn({ path: '/money?source=parcels' });
    const find = async (label: string, text: string) => {
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByLabel('Source').fill('parcels');
      await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Apply' }).click();
    };
    const shown = (amounts: string[]) =>
      expect.poll(() => amountsOf(page, 'Financial events')).toEqual(amounts);
    await find('Amount', '3.350');
    await shown(['-3.35']);
    await axe();
    await find('At least', '3.35');
    await shown(['-4.35', '-3.35']);
    await find('At most', '1.4');
    await shown(['-1.35']);
    await find('Text', 'late parcel 2');
    await shown(['-2.35']);
    await find('Customer', 'K-4');
    await shown(['-4.35']);
    await find('Amount', 'twelve');
    await page.getByText('The service did not accept the input').waitFor();
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
    for (let n = 1; n <= 3; n += 1) {
      await ledger.events.create({ ...eventOf('unknown', n, 'USD'), description: `Case ${n}` });
    }
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
    // An amount of few digits is not made smaller because the API states it with many.
    expect(rows.some(({ amount }) => amount.length > 14)).toBe(true);
    expect(await parts.locator('data[data-long=true]').count()).toBe(0);
    await axe();
    // A search has a sum of its own, by keyboard.
    const find = async (label: string, text: string) => {
      await page.getByRole('button', { name: 'Clear' }).press('Enter');
      await page.getByLabel('Source').fill('unknown');
      await page.getByLabel(label, { exact: true }).fill(text);
      await page.keyboard.press('Enter');
    };
    const shows = async (search: RowsQuery) => {
      const wanted = { figure: 'unattributed', source: 'unknown', ...search } as const;
      const { sum, rows: found } = await ledger.analytics.pnlRows(wanted).page();
      await page.locator(`strong data[value="${sum?.converted}"]`).waitFor();
      await expect.poll(() => parts.count()).toBe(found.length);
      return found.map(({ event_amount }) => event_amount);
    };
    await find('Amount', '2.35');
    expect(await shows({ amount: '2.35' })).toEqual(['-2.35']);
    await axe();
    await find('At least', '2.3');
    expect(await shows({ min_amount: '2.3' })).toEqual(['-2.35', '-3.35']);
    await find('Text', 'case 3');
    expect(await shows({ text: 'case 3' })).toEqual(['-3.35']);
    await find('Customer', 'nobody');
    await page.getByText('Nothing matches the filters').waitFor();
    await page.getByRole('button', { name: 'Clear' }).press('Enter');
    await page.getByLabel('Age', { exact: true }).selectOption('90');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    await page.waitForURL(/age=.*90/);
  });

  it('A rate is set after its dry run, the money then counts, and it is taken back', async ({
    app: { page, signIn, ledger, axe, expectError },
  }) => {
    expectError(/status of 412/);
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
    // What another one sets after the dry run is not replaced before it was seen.
    await ledger.settings.update({
      exchange_rates: [{ from: 'CHF', to: 'USD', date: '2026-03-01', rate: '1.2' }],
    });
    const set = dialog.getByRole('button', { name: 'Set the rate' });
    await set.click();
    await dialog.getByText('Someone else changed the settings').waitFor();
    await dialog.getByRole('button', { name: 'Load the newer settings' }).click();
    await dialog.getByRole('button', { name: 'Show the effect' }).click();
    await dialog.getByText('It replaces the rate 1.2 of that day.').waitFor();
    await ledger.settings.update({ exchange_rates: null });
    await set.click();
    await dialog.getByRole('button', { name: 'Load the newer settings' }).click();
    await dialog.getByRole('button', { name: 'Show the effect' }).click();
    await set.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Nothing matches the filters').waitFor();
    expect((await ledger.settings.get()).exchange_rates).toEqual([
      { from: 'CHF', to: 'USD', date: '2026-03-01', rate: '1.25' },
    ]);
    await page.getByText('One CHF is 1.25 USD').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('data[value="-7.35"]').first().waitFor();
    expect((await ledger.settings.get()).exchange_rates).toEqual([]);
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
