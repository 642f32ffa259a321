import { describe, expect } from 'vitest';
import { it } from './support/app.js';

describe('Sign-in', () => {
  it('A key opens a session, and only its token is kept, in the storage of the tab', async ({
    app: { page, keys, signIn, axe },
  }) => {
    await signIn();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const stored = await page.evaluate(
      'JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])',
    );
    expect(stored).toContain('lgs_live_');
    expect(stored).not.toContain(keys.live);
    expect(await page.content()).not.toContain(keys.live);
    await axe();
  });

  it('A reload keeps the session, and signing out revokes it', async ({
    app: { page, url, signIn, open, ledger },
  }) => {
    await signIn();
    await open('/decisions');
    const token: unknown = await page.evaluate(
      `JSON.parse(sessionStorage.getItem('decision-ledger.session.live')).token`,
    );
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    const revoked = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    expect((await revoked).status()).toBe(200);
    const answer = await fetch(`${url}/api/v1/me`, { headers: { 'x-ledger-key': String(token) } });
    expect(answer.status).toBe(401);
    expect((await ledger.operations.me()).mode).toBe('live');
  });

  it('A wrong key is refused with a remedy, and nothing is stored', async ({
    app: { page, url, axe, expectError },
  }) => {
    expectError(/status of 401/);
    await page.goto(`${url}/`);
    await page.getByLabel('API key').fill('lg_live_wrong');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The key is not accepted').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await axe();
  });

  it('A revoked session leads back to sign-in, and from there to the page that was open', async ({
    app: { page, signIn, ledger, expectError },
  }) => {
    expectError(/status of 401/);
    expectError(/WebSocket/);
    await signIn({ path: '/decisions?agent=refund-bot' });
    await page.getByRole('heading', { level: 1, name: 'Decisions' }).waitFor();
    const id: unknown = await page.evaluate(
      `JSON.parse(sessionStorage.getItem('decision-ledger.session.live')).sessionId`,
    );
    await ledger.sessions.revoke(String(id));
    await page.getByText('Your session was ended').waitFor();
    expect(new URL(page.url()).searchParams.get('back')).toBe('/decisions?agent=refund-bot');
  });

  it('A key with few permissions is not offered what it may not do', async ({
    app: { page, signIn, open, ledger },
  }) => {
    const { key } = await ledger.keys.issue({ name: 'few', permissions: ['ingest'] });
    await signIn({ key });
    await page.getByText('No live updates').waitFor();
    await open('/decisions');
    await page.getByText('Your key does not allow this').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  });

  it('Live and test data are never shown together', async ({
    app: { page, signIn, open, keys },
  }) => {
    await signIn({ path: '/decisions' });
    await page.getByRole('row').nth(3).waitFor();
    await page.getByText('Test', { exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to test mode' }).waitFor();
    await page.getByLabel('API key').fill(keys.live);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is a live key').waitFor();
    await page.getByLabel('API key').fill(keys.test);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Everything on this page is test data').waitFor();
    await open('/decisions');
    await page.getByText('No decisions are recorded yet').waitFor();
    expect(await page.title()).toBe('[Test] Decisions · Decision Ledger');
    await page.getByText('Live', { exact: true }).first().click();
    await page.getByText('Everything on this page is test data').waitFor({ state: 'detached' });
  });
});
