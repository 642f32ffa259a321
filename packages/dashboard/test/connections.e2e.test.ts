import { describe, expect, onTestFinished } from 'vitest';
import {
  describeHledger,
  startHledgerWeb,
} from '../../server/test/sources/accounting/support/hledger-web.js';
import { it } from './support/app.js';

const JOURNAL = '2026-04-02 * Rent\n  expenses:rent  700.00 EUR\n  assets:bank\n';
const LATER = '\n2026-04-03 * Power\n  expenses:power  80.00 EUR\n  assets:bank\n';

describeHledger('The form of an accounting connection', () => {
  it('It adds a real server, whose events arrive, also on request, says by field what is wrong, and edits and removes it', async ({
    app: { page, signIn, ledger, axe, expectError },
  }) => {
    expectError(/status of 422/);
    const books = await startHledgerWeb();
    onTestFinished(() => books.stop());
    onTestFinished(async () => void (await ledger.settings.update({ accounting: null })));
    books.write(JOURNAL);
    await signIn({ path: '/money?tab=connections' });
    await page.getByRole('button', { name: 'Add a connection…' }).click();
    const form = page.getByRole('dialog', { name: 'Add a connection' });
    await form.getByLabel('System').selectOption('hledger');
    await form.getByLabel('id', { exact: true }).fill('rent books');
    await form.getByLabel('url', { exact: true }).fill('ftp://books');
    await form.getByRole('button', { name: 'Save and poll' }).click();
    await form.getByText('must be 1 to 50 letters').first().waitFor();
    await axe();
    await form.getByLabel('id', { exact: true }).fill('rent');
    await form.getByLabel('url', { exact: true }).fill(books.url);
    await form.getByRole('button', { name: 'Save and poll' }).click();
    await form.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: 'rent' });
    await row.getByText('Up to date').waitFor();
    await axe();
    const amounts = async () =>
      (await ledger.events.list({ source: 'accounting/rent' }).toArray()).map(
        ({ amount, currency }) => `${amount} ${currency}`,
      );
    expect(await amounts()).toEqual(['-700 EUR']);
    books.write(JOURNAL + LATER);
    await row.getByRole('button', { name: 'Poll now' }).click();
    await expect.poll(amounts).toContain('-80 EUR');
    await row.getByRole('button', { name: 'Edit rent' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit rent' });
    expect(await edit.getByLabel('url', { exact: true }).inputValue()).toBe(books.url);
    await edit.getByLabel('accounts').fill('expenses\nrevenues');
    await edit.getByRole('button', { name: 'Save and poll' }).click();
    await edit.waitFor({ state: 'detached' });
    expect((await ledger.settings.get()).accounting).toMatchObject([
      { id: 'rent', url: books.url, accounts: ['expenses', 'revenues'] },
    ]);
    await row.getByRole('button', { name: 'Remove rent' }).click();
    await page.getByRole('button', { name: 'Remove the connection' }).click();
    await page.getByText('No accounting system is connected').waitFor();
    expect((await ledger.settings.get()).accounting).toEqual([]);
  });
});

describeHledger('What a poll withholds', () => {
  it('Is shown with its sums and events, and a release applies what was shown', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const books = await startHledgerWeb();
    onTestFinished(() => books.stop());
    onTestFinished(async () => void (await ledger.settings.update({ accounting: null })));
    const entry = (n: number) =>
      `2025-10-0${n} * Client ${n}\n  revenues:sales  -${n}00.00 EUR\n  assets:bank\n\n`;
    books.write([1, 2, 3, 4, 5].map(entry).join(''));
    const url = books.url;
    await ledger.settings.update({
      accounting: [{ id: 'brake', kind: 'hledger', url, poll_seconds: 86_400 }],
    });
    const live = () => ledger.events.list({ source: 'accounting/brake' }).toArray();
    const state = async () => (await ledger.operations.accounting()).connections[0];
    await expect.poll(async () => (await live()).length).toBe(5);
    books.write(entry(1));
    await signIn({ path: '/money?tab=connections' });
    const row = page.getByRole('row', { name: 'brake' });
    await row.getByRole('button', { name: 'Poll now' }).click();
    await row.getByRole('button', { name: 'Changes withheld of brake' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Changes withheld of brake' });
    await dialog.getByText('4 events would be deleted').waitFor();
    const sums = dialog.getByRole('table', { name: 'Sums of the connection' }).locator('data');
    const values = await sums.evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    const plan = (await state())?.withheld;
    expect(values).toEqual(plan?.sums.flatMap(({ before, after }) => [before, after]));
    expect(values).toEqual(['1500', '100']);
    const events = dialog.getByRole('table', { name: 'Events withheld' }).locator('tbody tr');
    expect(await events.count()).toBe(4);
    await axe();
    expect(await live()).toHaveLength(5);
    await dialog.getByRole('button', { name: 'Release the changes' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await live()).length).toBe(1);
    await expect.poll(async () => (await state())?.withheld).toBe(null);
  });
});

describe('Connections with secrets', () => {
  it('The secrets of QuickBooks are written, never shown, and kept by an edit of something else', async ({
    app: { page, signIn, ledger },
  }) => {
    onTestFinished(async () => void (await ledger.settings.update({ accounting: null })));
    const quickbooks = {
      ...{
        id: 'qb',
        kind: 'quickbooks' as const,
        realm_id: '12',
        client_id: 'app',
        poll_seconds: 86_400,
      },
      ...{
        client_secret: 'first-secret',
        refresh_token: 'first-token',
        environment: 'sandbox' as const,
      },
      ...{ api_url: 'http://qb.invalid', token_url: 'http://qb.invalid/token' },
    } as const;
    await ledger.settings.update({ accounting: [quickbooks] });
    const secretsOf = async () => {
      const [stored] = (await ledger.settings.get()).accounting;
      return stored?.kind === 'quickbooks' ? [stored.client_secret, stored.refresh_token] : [];
    };
    const before = await secretsOf();
    await signIn({ path: '/money?tab=connections' });
    await page.getByRole('button', { name: 'Edit qb' }).click();
    const form = page.getByRole('dialog', { name: 'Edit qb' });
    expect(await form.getByLabel('client_secret').inputValue()).toBe('');
    await form.getByLabel('realm_id').fill('13');
    await form.getByLabel('refresh_token').fill('second-token');
    await form.getByRole('button', { name: 'Save and poll' }).click();
    await form.waitFor({ state: 'detached' });
    const after = await secretsOf();
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect((await ledger.settings.get()).accounting).toMatchObject([{ realm_id: '13' }]);
  });

  it('Stripe gets an address with a key of its own, and its secrets stay masks', async ({
    app: { page, signIn, ledger, axe, url },
  }) => {
    onTestFinished(async () => void (await ledger.settings.update({ stripe: null })));
    await signIn({ path: '/money?tab=connections' });
    await page.getByRole('button', { name: 'Create a key for this address' }).click();
    const address = page.getByText(`${url}/api/v1/financial-events/webhook/stripe?key=lg_live_`);
    const target = (await address.textContent()) ?? '';
    await page.getByLabel('Signing secret', { exact: true }).fill('whsec_0123456789abcdef');
    await page.getByRole('button', { name: 'Save the secret' }).click();
    await page.getByText('Waiting for the first event').waitFor();
    await page.getByRole('list', { name: 'Signing secrets' }).getByText('********').waitFor();
    expect(await page.content()).not.toContain('whsec_0123');
    await axe();
    // The key opens the webhook, which then asks for the signature.
    const answer = await fetch(target, { method: 'POST', body: '{}' });
    expect(await answer.text()).toContain('the header Stripe-Signature is missing');
    await page.getByRole('button', { name: /^Remove the secret/ }).click();
    await page.getByText('Stripe is not connected').waitFor();
    expect((await ledger.settings.get()).stripe.signing_secrets).toEqual([]);
  });
});
