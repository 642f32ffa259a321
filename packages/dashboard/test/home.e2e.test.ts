import { describe, expect, onTestFinished } from 'vitest';
import { formatMoney } from '#dashboard/format/numbers.ts';
import { it } from './support/app.js';

const valuesOf = (all: Element[]) => all.map((one) => one.getAttribute('value'));

describe('Home', () => {
  it('Net impact, exposure and open reviews equal the answers of the API to the cent', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const pnl = await ledger.analytics.pnl();
    const { aggregate, currency } = await ledger.analytics.liability();
    const refund = await ledger.events.create({
      ...{ source: 'home-till', event_type: 'refund', amount: '-61.07', currency: 'USD' },
      ...{ timestamp: '2020-01-02T00:00:00Z', metadata: { reverses: 'never-recorded-1' } },
    });
    onTestFinished(async () => void (await ledger.events.delete(refund.id)));
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
    // The refund joins them as soon as it has been compared with decisions.
    const reviews = async () => {
      const { open } = await ledger.reviews.list({ limit: 1 }).page();
      return page.locator(`li data[value="${open.amount}"]`).count();
    };
    await expect.poll(reviews).toBeGreaterThan(0);
    const doubts = await ledger.events.sameMoney({ limit: 1 }).page();
    const doubted = page.getByRole('listitem').filter({ hasText: 'may count twice' });
    expect(await doubted.locator('data').evaluateAll(valuesOf)).toEqual(
      doubts.open_amounts.map(({ amount }) => amount),
    );
    await axe();
    const waiting = page
      .getByRole('listitem')
      .filter({ hasText: 'a payment that is not recorded' });
    await waiting.getByRole('link').press('Enter');
    const list = page.getByRole('table', { name: 'Financial events' });
    await list.locator('data[value="-61.07"]').waitFor();
    const refunds = await ledger.events.list({ reverses_unknown: true }).toArray();
    expect(await list.locator('tbody data').evaluateAll(valuesOf)).toEqual(
      refunds.map(({ amount }) => amount),
    );
  });

  it('A threshold that is exceeded raises an alert', async ({ app: { page, signIn, ledger } }) => {
    await ledger.settings.update({ liability: { exposure_alert_threshold: '0.01' } });
    try {
      await signIn();
      await page
        .getByRole('alert')
        .getByText(/is above the threshold|It is not known whether/)
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
