import { describe, expect } from 'vitest';
import { formatMoney } from '#dashboard/format/numbers.ts';
import { it } from './support/app.js';

describe('Home', () => {
  it('Net impact, exposure and open reviews equal the answers of the API to the cent', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const pnl = await ledger.analytics.pnl();
    const { aggregate, currency } = await ledger.analytics.liability();
    const { open } = await ledger.reviews.list({ limit: 1 }).page();
    await signIn();
    const written = (amount: string, unit: string) =>
      formatMoney(amount, unit, { locale: 'en-GB' });
    await page.getByTestId('exposure').waitFor();
    await page.getByTestId('net').waitFor();
    expect(await page.getByTestId('net').textContent()).toBe(
      written(pnl.net_ai_impact, pnl.currency),
    );
    expect(await page.getByTestId('exposure').textContent()).toBe(
      written(aggregate.expected, currency),
    );
    const range = page.getByRole('region', { name: 'Exposure' });
    for (const amount of [aggregate.low90, aggregate.high90, aggregate.var95, aggregate.realised]) {
      expect(await range.locator(`data[value="${amount}"]`).first().textContent()).toBe(
        written(amount, currency),
      );
    }
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    if (open.reviews > 0) await page.locator(`li data[value="${open.amount}"]`).waitFor();
    await axe();
  });

  it('A threshold that is exceeded raises an alert', async ({ app: { page, signIn, ledger } }) => {
    await ledger.settings.update({ liability: { exposure_alert_threshold: '0.01' } });
    try {
      await signIn();
      await page
        .getByRole('alert')
        .getByText(/The exposure is above the threshold|It is not known whether/)
        .waitFor();
    } finally {
      await ledger.settings.update({ liability: { exposure_alert_threshold: null } });
    }
    await page.reload();
    await page.getByText('No threshold is set.').waitFor();
  });

  it('A verification of the chain appears in the seal and in the feed', async ({
    app: { page, signIn, ledger },
  }) => {
    await signIn();
    await page.getByRole('heading', { name: 'Happening now' }).waitFor();
    const { head } = await ledger.verification.decisions();
    await page.getByText('Chain of decisions intact').waitFor();
    await page.getByText(`Chain intact to #${head.seq}, checked`).waitFor();
  });

  it('An event arrives in the feed while the page is open, and leads to its page', async ({
    app: { page, signIn, ledger },
  }) => {
    await signIn();
    const feed = page.getByRole('list', { name: 'Newest events' });
    await feed.getByRole('listitem').first().waitFor();
    const event = await ledger.events.create({
      ...{ source: 'feed-test', event_type: 'fee', amount: '-1.25', currency: 'USD' },
      timestamp: '2020-01-01T00:00:00Z',
    });
    await feed.getByRole('link', { name: 'feed-test · fee' }).click();
    await page.waitForURL(`**/money?event=${event.id}`);
  });

  it('An empty ledger shows how to record the first decision', async ({
    app: { page, signIn, keys, axe },
  }) => {
    await signIn({ key: keys.test });
    await page.getByRole('heading', { name: 'Record the first decision' }).waitFor();
    await page.getByText('Nothing to do. New work appears here by itself.').waitFor();
    await axe();
  });
});
