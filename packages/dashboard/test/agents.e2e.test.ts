import { describe, expect } from 'vitest';
import { formatMoney } from '#dashboard/format/numbers.ts';
import { it } from './support/app.js';

describe('Agents', () => {
  it('Net and exposure of every agent equal the answer of the API to the cent', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const { agents, currency } = await ledger.analytics.agents({ limit: 500 }).page();
    await signIn({ path: '/agents' });
    const table = page.getByRole('table', { name: 'Agents' });
    await table.waitFor();
    const expected = agents.map(({ agent_id, net, exposure }) => [
      agent_id,
      formatMoney(net, currency, { locale: 'en-GB', signed: true }),
      formatMoney(exposure ?? '', currency, { locale: 'en-GB' }),
    ]);
    const lines = await table.locator('tbody tr').all();
    const shown = await Promise.all(
      lines.map(async (line) => [
        await line.getByRole('link').textContent(),
        await line.locator('[data-column="net"]').textContent(),
        await line.locator('[data-column="exposure"]').textContent(),
      ]),
    );
    expect(shown.toSorted()).toEqual(expected.toSorted());
    expect(shown.length).toBeGreaterThan(2);
    await axe();
  });

  it('The table is sorted and filtered through the address, and leads to statements', async ({
    app: { page, signIn },
  }) => {
    await signIn({ path: '/agents?from=2026-04-01&to=2026-04-30' });
    const names = page.locator('tbody tr a');
    await names.first().waitFor();
    const net = page.getByRole('columnheader', { name: 'Net' });
    await net.getByRole('link').click();
    await page.waitForURL('**/agents?from=2026-04-01&to=2026-04-30&sort=net');
    expect(await net.getAttribute('aria-sort')).toBe('descending');
    expect(await names.first().textContent()).toBe('pricing-agent');
    await net.getByRole('link').click();
    await page.waitForURL('**&sort=net&order=up');
    await page.getByLabel('Find an agent').fill('PRICING');
    await page.waitForFunction('document.querySelectorAll("tbody tr").length === 1');
    await names.first().click();
    await page.waitForURL('**/agents/pricing-agent?from=2026-04-01&to=2026-04-30');
    await page.getByText('pricing-agent, April 2026:').waitFor();
  });

  it('A range without decisions says so', async ({ app: { page, signIn, axe } }) => {
    await signIn({ path: '/agents?from=2001-01-01&to=2001-12-31' });
    await page.getByRole('heading', { name: 'Nothing in this range' }).waitFor();
    await axe();
  });
});
