import { describe, expect, onTestFinished } from 'vitest';
import { giveUpJobIn } from '../../server/test/support/stored-jobs.js';
import { it, readAgain } from './support/app.js';
import { shared } from './support/shared.js';

describe('Settings', () => {
  it('Every section of the address can be used', async ({ app: { page, signIn, axe } }) => {
    await signIn({ path: '/settings' });
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    await links.first().waitFor();
    const names = await links.allTextContents();
    expect(names.length).toBe(10);
    for (const name of names) {
      await links.filter({ hasText: name }).click();
      await page.getByRole('region', { name, exact: true }).waitFor();
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    }
    await page.waitForURL('**/settings?section=failed-jobs');
    await page.getByText('No background work has failed').waitFor();
    await axe();
  });

  it('A dead letter is shown on Home and with its reason, and runs again on request', async ({
    app: { page, signIn, open, ledger, axe },
  }) => {
    await giveUpJobIn((await shared()).dataDir, 'live', 'ch_given_up');
    await signIn({ path: '/' });
    await page.getByText('1 background job failed').waitFor();
    await open('/settings?section=failed-jobs');
    const row = page.getByRole('table', { name: 'Dead letters' }).getByRole('row').nth(1);
    await row.getByText('it did not work').waitFor();
    await row.getByText('ch_given_up').waitFor();
    await axe();
    await row.getByRole('button', { name: 'Retry stripe-object' }).click();
    await page.getByText('The job runs again').waitFor();
    await page.getByText('No background work has failed').waitFor();
    expect(await ledger.operations.deadJobs().toArray()).toEqual([]);
  });

  it('Weights are saved when they sum to 1, and not before', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    await ledger.settings.update({ attribution: { weights: null } });
    await signIn({ path: '/settings?section=attribution' });
    await page.getByLabel('Timing').fill('0.3');
    await page.getByText('The weights sum to 0.95. They must sum to 1.').waitFor();
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await axe();
    await page.getByLabel('Metadata').fill('0.35');
    await page.getByText('The weights sum to 1.').waitFor();
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await ledger.settings.get()).attribution.weights).toEqual({
      ...{ temporal: 0.3, metadata: 0.35, agent_pattern: 0.2, amount: 0.15 },
    });
    await ledger.settings.update({ attribution: { weights: null } });
  });

  it('Origins are saved one on each line, and a text that is none is refused by name', async ({
    app: { page, signIn, ledger, axe, expectError },
  }) => {
    expectError(/status of 422/);
    await signIn({ path: '/settings?section=keys' });
    const origins = page.getByLabel('Origins');
    const save = page.getByRole('button', { name: 'Save the origins' });
    await origins.fill('https://app.example.com\n\n  https://shop.example.org:8443 ');
    await save.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    const stored = async () => (await ledger.settings.get()).cors.origins;
    expect(await stored()).toEqual(['https://app.example.com', 'https://shop.example.org:8443']);
    await origins.fill('https://app.example.com/path');
    await save.press('Enter');
    await page.getByText(/cors\.origins/).waitFor();
    await axe();
    expect(await stored()).toHaveLength(2);
    await ledger.settings.update({ cors: { origins: [] } });
  });

  it('A value that says that an action was denied is added, applies to a decision, and is removed', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const { decision_id } = await ledger.recordNow({
      ...{ agent_id: 'letter-bot', action_type: 'answer', inputs: {}, confidence: 0.9 },
      outputs: { bescheid: 'Abgelehnt' },
    });
    const outcome = async () => (await ledger.decisions.get(decision_id)).outcome;
    expect(await outcome()).toMatchObject({ outcome: 'unknown' });
    await signIn({ path: '/settings?section=outcomes' });
    await page.getByLabel('Paths', { exact: true }).fill('outputs.bescheid');
    await page.getByLabel('have one of the values').fill('abgelehnt, false');
    await page.getByRole('button', { name: 'Add value' }).press('Enter');
    const remove = page.getByRole('button', { name: 'Remove denied of abgelehnt, false' });
    await remove.waitFor();
    await axe();
    expect(await outcome()).toMatchObject({ outcome: 'denied', by: 'outputs.bescheid' });
    await remove.press('Enter');
    await remove.waitFor({ state: 'detached' });
    expect(await outcome()).toMatchObject({ outcome: 'unknown' });
    await page.getByLabel('Paths of errors').fill('outputs.fehler');
    await page.getByRole('button', { name: 'Save the paths' }).press('Enter');
    await page.getByText('Saved', { exact: true }).last().waitFor();
    expect((await ledger.settings.get()).liability.outcomes.errors).toEqual(['outputs.fehler']);
    await ledger.settings.update({ liability: { outcomes: null } });
  });

  it('A key is shown once, works, is rotated, and is refused after it was revoked', async ({
    app: { page, signIn, ledger, url, axe },
  }) => {
    await signIn({ path: '/settings?section=keys' });
    await page.getByLabel('Name of the key').fill('Rotating bot');
    await page.getByLabel('read', { exact: true }).check();
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('alert').locator('code');
    const first = (await shown.textContent()) ?? '';
    expect(await allows(url, first)).toBe(200);
    await axe();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Rotate Rotating bot' }).click();
    const second = (await shown.textContent()) ?? '';
    expect(second).not.toBe(first);
    expect([await allows(url, first), await allows(url, second)]).toEqual([200, 200]);
    await page.getByRole('alert').getByRole('button', { name: 'Revoke Rotating bot' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('Revoked: Rotating bot').waitFor();
    expect([await allows(url, first), await allows(url, second)]).toEqual([401, 200]);
    const stored = await page.evaluate('JSON.stringify([{...sessionStorage}, {...localStorage}])');
    expect(stored).not.toContain(second);
    const named = (await ledger.keys.list().toArray(50)).filter(
      ({ name }) => name === 'Rotating bot',
    );
    expect(named.map(({ revoked_at }) => revoked_at === null)).toEqual([true, false]);
  });

  it('A rate is added and removed, and a threshold is set', async ({
    app: { page, signIn, ledger },
  }) => {
    await signIn({ path: '/settings?section=currencies' });
    await page.getByLabel('1 unit of').fill('chf');
    await page.getByLabel('is worth').fill('1.13');
    await page.getByLabel('from', { exact: true }).fill('2026-01-02');
    await page.getByRole('button', { name: 'Add rate' }).click();
    await page.getByRole('cell', { name: '1 CHF = 1.13 USD' }).waitFor();
    const rate = { from: 'CHF', to: 'USD', date: '2026-01-02', rate: '1.13' };
    expect((await ledger.settings.get()).exchange_rates).toContainEqual(rate);
    const rates = async () => (await ledger.settings.get()).exchange_rates;
    const undo = page.getByRole('button', { name: 'Undo' });
    const remove = page.getByRole('button', { name: 'Remove the rate of CHF to USD' });
    // A rate of the same day is replaced, and undone it is the former one again.
    await page.getByLabel('1 unit of').fill('chf');
    await page.getByText('It replaces the rate 1.13 of that day.').waitFor();
    await page.getByLabel('is worth').fill('1.2');
    await page.getByRole('button', { name: 'Add rate' }).click();
    await page.getByRole('cell', { name: '1 CHF = 1.2 USD' }).waitFor();
    await page.getByText('One CHF is 1.2 USD from 2026-01-02 on.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: '1 CHF = 1.13 USD' }).waitFor();
    expect(await rates()).toEqual([rate]);
    await remove.press('Enter');
    await page.getByText('There is no rate yet').waitFor();
    await page.getByText('The rate of CHF from 2026-01-02 is removed.').waitFor();
    await undo.press('Enter');
    await page.getByRole('cell', { name: '1 CHF = 1.13 USD' }).waitFor();
    expect(await rates()).toEqual([rate]);
    // What another one has changed since is theirs.
    await remove.press('Enter');
    await undo.waitFor();
    await ledger.settings.update({ exchange_rates: [{ ...rate, rate: '1.14' }] });
    await undo.press('Enter');
    await page.getByText('Someone else has changed this rate since').waitFor();
    expect(await rates()).toEqual([{ ...rate, rate: '1.14' }]);
    await ledger.settings.update({ exchange_rates: null });

    await page.getByRole('link', { name: 'Thresholds and alerts' }).click();
    await page.getByLabel('Threshold, in USD').fill('12500.50');
    await page.getByRole('button', { name: 'Save the threshold' }).click();
    // The note that the removal was saved may still be there.
    await expect
      .poll(async () => (await ledger.settings.get()).liability.exposure_alert_threshold)
      .toBe('12500.50');
    await ledger.settings.update({ liability: { exposure_alert_threshold: null } });
  });

  it('A limit of late decisions is set in seconds, kept within its bounds, and removed', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const unlimited = { recording: { max_lateness_seconds: null } };
    await ledger.settings.update(unlimited);
    // Other files record older decisions in the same ledger.
    onTestFinished(async () => {
      await ledger.settings.update(unlimited);
    });
    await signIn({ path: '/settings?section=recording' });
    const limit = page.getByLabel('Latest recording after a decision, in seconds');
    const save = page.getByRole('button', { name: 'Save the limit' });
    const saved = async () => {
      const [answer] = await Promise.all([
        page.waitForResponse((one) => one.request().method() === 'PATCH'),
        save.click(),
      ]);
      expect(answer.status()).toBe(200);
      return (await ledger.settings.get()).recording.max_lateness_seconds;
    };
    await limit.fill('60');
    await limit.blur();
    expect(await limit.inputValue()).toBe('86400');
    await limit.fill('172800');
    await page.getByText('Now 48 hours.').waitFor();
    await axe();
    expect(await saved()).toBe(172_800);
    await limit.fill('');
    expect(await saved()).toBe(null);
  });

  it('What is typed while a change is saved stays', async ({ app: { page, signIn, ledger } }) => {
    await ledger.settings.update({ liability: { exposure_alert_threshold: '100.00' } });
    await signIn({ path: '/settings?section=thresholds' });
    const threshold = page.getByLabel('Threshold, in USD');
    const save = page.getByRole('button', { name: 'Save the threshold' });
    await threshold.fill('300.00');
    let release: () => void = () => undefined;
    const isTyped = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v1/settings', async (route) => {
      if (route.request().method() === 'GET') await isTyped;
      await route.continue();
    });
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await threshold.fill('400.00');
    release();
    await page.waitForFunction(() => document.querySelector('button[data-loading]') === null);
    expect(await threshold.inputValue()).toBe('400.00');
    await save.click();
    await expect
      .poll(async () => (await ledger.settings.get()).liability.exposure_alert_threshold)
      .toBe('400.00');
    await page.unroute('**/api/v1/settings');
  });

  it('Of two admins, the second is not to overwrite the first, sees what changed and keeps what was typed', async ({
    app: { page, signIn, ledger, axe, expectError },
  }) => {
    expectError(/status of 412/);
    const set = (exposure_alert_threshold: string | null) =>
      ledger.settings.update({ liability: { exposure_alert_threshold } });
    const current = async () => (await ledger.settings.get()).liability.exposure_alert_threshold;
    await set('100.00');
    await signIn({ path: '/settings?section=thresholds' });
    const threshold = page.getByLabel('Threshold, in USD');
    const save = page.getByRole('button', { name: 'Save the threshold' });
    const refused = page.getByText('Someone else changed the settings');
    const load = page.getByRole('button', { name: 'Load the newer settings' });
    await threshold.fill('300.00');
    await set('200.00');
    // The page knows the newer settings before the click, and yet the person has not decided about them.
    await readAgain(page);
    await page.getByText('from 100.00 to 200.00').waitFor();
    await save.click();
    await refused.waitFor();
    await axe();
    expect(await current()).toBe('200.00');
    await load.click();
    await refused.waitFor({ state: 'detached' });
    expect(await threshold.inputValue()).toBe('300.00');
    // What was loaded is not what a third one has changed since.
    await set('250.00');
    await readAgain(page);
    await page.getByText('from 100.00 to 250.00').waitFor();
    await save.click();
    await refused.waitFor();
    expect(await current()).toBe('250.00');
    await load.click();
    await save.click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect(await current()).toBe('300.00');
    await set(null);
  });

  it('A webhook secret is masked once it is saved', async ({ app: { page, signIn, ledger } }) => {
    await signIn({ path: '/settings?section=webhooks' });
    await page.getByLabel('Signing secret', { exact: true }).fill('whsec_of_a_test');
    await page.getByRole('button', { name: 'Save the secret' }).click();
    await page.getByRole('list', { name: 'Signing secrets' }).getByText('********').waitFor();
    expect(await page.content()).not.toContain('whsec_of_a_test');
    await page.getByRole('button', { name: /^Remove the secret/ }).click();
    await page.getByText('There is no signing secret yet').waitFor();
    expect((await ledger.settings.get()).stripe.signing_secrets).toEqual([]);
  });

  it('Without the permission admin, only the own session is offered', async ({
    app: { page, signIn, ledger, expectError },
  }) => {
    expectError(/status of 401/);
    expectError(/WebSocket/);
    const { key } = await ledger.keys.issue({ name: 'reader', permissions: ['read'] });
    await signIn({ key, path: '/settings?section=keys' });
    const row = page.getByRole('table', { name: 'Sessions' }).getByRole('row').nth(1);
    await row.getByText('This one').waitFor();
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(['Sessions']);
    await page.getByRole('button', { name: 'End the session of Ada Lovelace' }).click();
    await page.getByText('Your session was ended').waitFor();
  });
});

async function allows(url: string, key: string): Promise<number> {
  return (await fetch(`${url}/api/v1/me`, { headers: { 'x-ledger-key': key } })).status;
}
