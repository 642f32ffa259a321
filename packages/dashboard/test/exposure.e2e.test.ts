import { describe, expect } from 'vitest';
import { differenceOf } from '#dashboard/format/decimal.ts';
import { type App, it, readAgain } from './support/app.js';

/** The amounts in a part of the page: exact, and as they are read. */
async function amountsIn({ page }: App, label: string): Promise<string[][]> {
  const found: unknown = await page
    .getByLabel(label, { exact: true })
    .evaluate((part) =>
      [...part.querySelectorAll('data')].map((node) => [node.value, node.textContent]),
    );
  return Array.isArray(found) ? found : [];
}

/** What a reader in Britain sees of these amounts. */
function shown(amounts: readonly (string | null)[], currency: string): string[][] {
  return amounts
    .filter((amount) => amount !== null)
    .map((amount) => {
      const [whole = '', part = ''] = amount.split('.');
      const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
      return [amount, `${currency}\u00a0${grouped}.${part}`];
    });
}

/** Decisions in the base currency: without a rate, those of other files are left out of every figure. */
async function recordLoans({ ledger }: App): Promise<void> {
  for (let n = 0; n < 12; n += 1) {
    await ledger.recordNow({
      ...{ agent_id: 'loan-officer', action_type: 'approve_loan', confidence: 0.6 + n / 40 },
      ...{
        inputs: { loan: n },
        outputs: { approved: true, amount: `${4000 + n}.75`, currency: 'USD' },
      },
      ...{ timestamp: `2026-05-${String(n + 1).padStart(2, '0')}T08:00:00Z` },
      idempotency_key: `exposure-loan-${n}`,
    });
  }
}

describe('Exposure', () => {
  it('Every figure equals the answer of the API to the cent', async ({ app }) => {
    const { page, signIn, ledger, axe } = app;
    await recordLoans(app);
    await signIn({ path: '/exposure' });
    await page.getByRole('table', { name: 'Largest exposures' }).waitFor();
    const answer = await ledger.analytics.liability();
    const { currency, aggregate, by_action_type, top_decisions } = answer;
    const { expected, open, low90, high90, var95, es95, realised } = aggregate;
    const totals = [low90, high90, var95, es95].map((total) => differenceOf(realised, total));
    expect(await amountsIn(app, 'Total exposure')).toEqual(
      shown([open, ...totals, realised, expected], currency),
    );
    expect(await amountsIn(app, 'Exposure by action type')).toEqual(
      shown(
        by_action_type.flatMap((row) => [row.open, row.realised]),
        currency,
      ),
    );
    expect(top_decisions.length).toBe(10);
    expect(Number(open)).toBeGreaterThan(0);
    expect(await amountsIn(app, 'Largest exposures')).toEqual(
      shown(
        top_decisions.flatMap((row) => [
          ...[row.open, differenceOf(row.realised, row.expected_low)],
          ...[differenceOf(row.realised, row.expected_high)],
          ...[row.loss_if_any_p50, row.loss_if_any_p95, row.realised],
        ]),
        currency,
      ),
    );
    const points = answer.trend.length;
    const trend = points < 2 ? page.getByText('The trend begins') : page.locator('.uplot canvas');
    await trend.first().waitFor();
    await page.getByText(/No forecast is stored yet|A verdict needs/).waitFor();
    await axe();
  });

  it('Filters are kept in the address and select what is counted', async ({ app }) => {
    const { page, signIn, ledger } = app;
    await signIn({ path: '/exposure' });
    await page.getByRole('link', { name: 'discount', exact: true }).click();
    await page.waitForURL('**/exposure?action=discount');
    const { aggregate, currency } = await ledger.analytics.liability({ action_type: 'discount' });
    await page.getByText('173 decisions could still cost this').waitFor();
    expect((await amountsIn(app, 'Total exposure'))[0]).toEqual(
      shown([aggregate.open], currency)[0],
    );
    await page.getByLabel('Agent', { exact: true }).fill('nobody');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'No decision matches the filters' }).waitFor();
  });

  it('A change of the risk matrix is previewed, and saved only then', async ({ app }) => {
    const { page, signIn, ledger, axe, expectError } = app;
    expectError(/status of 412/);
    await recordLoans(app);
    await signIn({ path: '/exposure' });
    const before = await ledger.settings.get();
    await page.getByLabel('Likelihood of approve_loan').selectOption('near_certain');
    await page.getByLabel('Severity of approve_loan').selectOption('critical');
    expect(await page.getByRole('button', { name: 'Save the change' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Preview the change' }).click();
    await page.getByRole('button', { name: 'Save the change' }).waitFor();
    const cell = { likelihood: 'near_certain', severity: 'critical' } as const;
    const patch = { liability: { matrix: { approve_loan: cell } } };
    const { dry_run } = await ledger.settings.preview(patch);
    const { exposure_before = '', exposure_after = '', currency_after = '' } = dry_run ?? {};
    expect(exposure_after).not.toBe(exposure_before);
    expect((await amountsIn(app, 'Effect of the change')).slice(0, 2)).toEqual(
      shown([exposure_before, exposure_after], currency_after),
    );
    expect((await ledger.settings.get()).liability).toEqual(before.liability);
    await axe();
    // Another one changes the same cell: what was chosen stays, and replaces theirs only knowingly.
    const theirs = { likelihood: 'rare', severity: 'minor' } as const;
    await ledger.settings.update({ liability: { matrix: { approve_loan: theirs } } });
    await readAgain(page);
    await page.getByText('approve_loan from as all others to Rare, Minor').waitFor();
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.getByText('Someone else changed the settings').waitFor();
    expect((await ledger.settings.get()).liability.matrix).toEqual({ approve_loan: theirs });
    await page.getByRole('button', { name: 'Load the newer settings' }).click();
    await page.getByRole('button', { name: 'Save the change' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Preview the change' }).click();
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.getByText('Saved. New decisions use it now').waitFor();
    expect((await ledger.settings.get()).liability.matrix).toEqual({ approve_loan: cell });
    await page.getByText('Nothing is changed.').waitFor();
    await ledger.settings.update({ liability: { matrix: null } });
  });

  it('A change that the service refuses says what to correct', async ({
    app: { page, signIn, expectError },
  }) => {
    expectError(/status of 422/);
    await signIn({ path: '/exposure' });
    await page.getByText('What the levels stand for').click();
    await page.getByLabel(/^Minor, in/).fill('5000000');
    await page.getByRole('button', { name: 'Preview the change' }).click();
    await page.getByText('The service did not accept the input').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Nothing is changed.').waitFor();
  });

  it('Who may not change settings is not offered the matrix', async ({
    app: { page, signIn, ledger },
  }) => {
    const { key } = await ledger.keys.issue({ name: 'reader', permissions: ['read'] });
    await signIn({ key, path: '/exposure' });
    await page.getByRole('heading', { name: 'Back-test' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Risk matrix' }).count()).toBe(0);
  });

  it('An empty ledger explains what makes an exposure', async ({ app: { page, signIn, keys } }) => {
    await signIn({ key: keys.test, path: '/exposure' });
    await page.getByRole('heading', { name: 'Nothing is exposed yet' }).waitFor();
  });
});
