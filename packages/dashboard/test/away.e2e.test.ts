import { describe, expect } from 'vitest';
import { it, itAtFirstVisit } from './support/app.js';

describe('An unknown address', () => {
  it('It is a page with the way back, with a session and without', async ({
    app: { page, url, signIn, axe, expectError },
  }) => {
    expectError(/status of 404/);
    for (const path of ['/nothing', '/docs/nothing/at/all']) {
      const answer = await page.goto(url + path);
      expect(answer?.status()).toBe(404);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('link', { name: 'Open the documentation' }).waitFor();
    }
    await axe();
    await signIn();
    await page.goto(`${url}/agents/a/b/c`);
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });
});

describe('Without a connection', () => {
  itAtFirstVisit(
    'Offline, the page says so and since when, what is not loaded is no skeleton, and all returns by itself',
    async ({ app: { page, signIn, axe, expectError } }) => {
      expectError(
        /ERR_INTERNET_DISCONNECTED|WebSocket|preload|dynamically imported|cannot be loaded while the service is away/,
      );
      await signIn({ path: '/decisions' });
      await page.getByRole('table').getByRole('row').nth(2).waitFor();
      await page.context().setOffline(true);
      const notice = page.getByRole('alert').filter({ hasText: 'You are offline' });
      await notice.locator('time').waitFor();
      await axe();
      expect(await page.getByRole('table').getByRole('row').count()).toBeGreaterThan(2);
      await page.getByRole('link', { name: 'Evidence', exact: true }).click();
      const panel = page.locator('#main').getByText('The service cannot be reached');
      await panel.waitFor();
      expect(await page.locator('#main [aria-busy=true]').count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe('/evidence');
      await page.context().setOffline(false);
      await notice.waitFor({ state: 'detached' });
      await page.locator('#main').getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Evidence', level: 1 }).waitFor();
    },
  );

  it('A session without live updates notices that the service is away, stays signed in, and goes on when it is back', async ({
    app: { page, signIn, ledger, expectError },
  }) => {
    expectError(/ERR_FAILED/);
    const { key } = await ledger.keys.issue({ name: 'Reader', permissions: ['read'] });
    await signIn({ key, path: '/agents' });
    await page.getByRole('table').waitFor();
    await page.route('**/api/v1/**', (route) => route.abort('failed'));
    await page.getByRole('link', { name: 'Money', exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'The connection is lost' });
    await notice.getByText('You are still signed in').waitFor();
    await page.unroute('**/api/v1/**');
    await notice.getByRole('button', { name: 'Try now' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Financial events' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/money');
  });
});
