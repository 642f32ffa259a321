import { describe, expect } from 'vitest';
import { it } from './support/app.js';

describe('Activity', () => {
  it('The list has the changes that the API answers, with all details of each', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const { key_id } = await ledger.keys.issue({ name: 'Observed key', permissions: ['read'] });
    const [issued] = await ledger.operations.activity({ subject: key_id }).toArray(1);
    await signIn({ path: '/activity' });
    const row = page.getByRole('row').filter({ hasText: key_id });
    await row.getByText('name: Observed key').waitFor();
    await axe();
    await row.getByRole('button', { name: 'Key issued' }).click();
    const entry = page.getByRole('dialog', { name: 'Key issued' });
    await entry.locator(`code[title="${issued?.hash}"]`).waitFor();
    const data = JSON.parse((await entry.locator('pre').textContent()) ?? '');
    expect(data).toEqual(issued?.data);
    await axe();
    await page.keyboard.press('Escape');
    await entry.waitFor({ state: 'detached' });
  });

  it('Filters are kept in the address and select by kind, subject and day', async ({
    app: { page, signIn, ledger },
  }) => {
    const [erasure] = await ledger.operations
      .activity({ type: 'decision.field_erased' })
      .toArray(1);
    await signIn({ path: '/activity' });
    await page.getByLabel('Change', { exact: true }).selectOption('decision.field_erased');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL('**/activity?type=decision.field_erased');
    const link = page.getByRole('link', { name: erasure?.subject ?? '' });
    await link.waitFor();
    const changes = page.getByRole('row').getByRole('button');
    expect(new Set(await changes.allTextContents())).toEqual(new Set(['Fields erased']));
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'No change matches the filters' }).waitFor();
    await page.goBack();
    await link.click();
    await page.waitForURL(`**/decisions/${erasure?.subject}`);
  });

  it('A long list is read while it is scrolled', async ({ app: { page, signIn, ledger } }) => {
    // More than a page: each change of a setting is one.
    for (let days = 20; days < 130; days += 1) {
      await ledger.settings.update({ analytics: { close_after_days: days } });
    }
    await ledger.settings.update({ analytics: null });
    await signIn({ path: '/activity?type=settings.changed' });
    await page.getByRole('button', { name: 'Settings changed' }).first().waitFor();
    const beyond = page.locator('[aria-rowindex="110"] button');
    for (let n = 0; n < 40 && (await beyond.count()) === 0; n += 1) {
      await page.mouse.wheel(0, 500);
      await page.waitForTimeout(50);
    }
    await beyond.waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(70);
  });
});
