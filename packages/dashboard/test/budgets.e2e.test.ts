import { describe, expect, onTestFinished } from 'vitest';
import { it } from './support/app.js';

describe('Budgets', () => {
  it('A budget is added in the settings, shown with its state, and removed', async ({
    app: { page, signIn, open, ledger, axe },
  }) => {
    onTestFinished(async () => {
      await ledger.settings.update({ budgets: null });
    });
    await signIn({ path: '/settings?section=thresholds' });
    const form = page.getByRole('form', { name: 'Add a budget' });
    await form.getByLabel('Limits').selectOption('What may still be lost');
    expect(await form.getByLabel('by', { exact: true }).count()).toBe(0);
    await form.getByLabel('Limits').selectOption('Refunds');
    await form.getByLabel('by', { exact: true }).selectOption('month');
    await form.getByLabel('Name').fill('refunds-of-nobody');
    await form.getByLabel('of the agent').fill('nobody');
    await form.getByLabel('Amount, in USD').fill('250.50');
    await form.getByRole('button', { name: 'Add budget' }).click();
    const added = page.getByRole('cell', { name: 'Refunds of nobody, by month' });
    await added.waitFor();
    const budget = { id: 'refunds-of-nobody', measure: 'refunds', period: 'month' };
    expect((await ledger.settings.get()).budgets).toEqual([
      { ...budget, agent_id: 'nobody', amount: '250.50' },
    ]);
    await axe();
    await open('/exposure');
    const row = page.getByRole('table', { name: 'Budgets' }).getByRole('row').nth(1);
    await row.getByText('Within').waitFor();
    await row.getByText('250.50').waitFor();
    await axe();
    await open('/settings?section=thresholds');
    await page.getByRole('button', { name: 'Remove the budget refunds-of-nobody' }).click();
    await added.waitFor({ state: 'detached' });
    expect((await ledger.settings.get()).budgets).toEqual([]);
  });
});
