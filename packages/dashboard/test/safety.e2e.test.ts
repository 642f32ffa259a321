import { describe, expect } from 'vitest';
import { it, itAtFirstVisit } from './support/app.js';

describe('Safety of the dashboard', () => {
  it('Every page has a strict policy with a nonce of its own', async ({ app: { url } }) => {
    const nonces = new Set<string>();
    for (const path of ['/', '/decisions', '/decisions/dec_1', '/settings']) {
      const answer = await fetch(url + path, { headers: { accept: 'text/html' } });
      const policy = answer.headers.get('content-security-policy') ?? '';
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      nonces.add(nonce);
      expect(policy.replace(nonce, 'N')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; connect-src 'self'; " +
          "img-src 'self' data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
          "form-action 'self'",
      );
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'private, no-store',
        vary: 'Accept, Authorization, X-Ledger-Key',
      });
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
      const html = await answer.text();
      expect(html).toContain(nonce);
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|__NONCE__/);
    }
    expect(nonces.size).toBe(4);
  });

  itAtFirstVisit(
    'The first load needs at most 300 KB of compressed script',
    async ({ app: { page, open, signIn } }) => {
      const files = new Map<string, number>();
      const plain: string[] = [];
      page.on('response', (answer) => {
        if (!answer.url().endsWith('.js')) return;
        const { 'content-length': length, 'content-encoding': encoding } = answer.headers();
        files.set(answer.url(), Number(length));
        // A file that compression would make larger is sent as it is.
        if (encoding !== 'br' && Number(length) > 200) plain.push(answer.url());
      });
      await signIn();
      await open('/');
      expect(plain).toEqual([]);
      expect(files.size).toBeGreaterThan(3);
      const bytes = [...files.values()].reduce((sum, length) => sum + length, 0);
      expect(bytes).toBeGreaterThan(50 * 1024);
      expect(bytes).toBeLessThanOrEqual(300 * 1024);
    },
  );

  it('Every page of the menu opens with its heading and its title', async ({
    app: { page, signIn, axe },
  }) => {
    await signIn({ path: '/settings' });
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const names = await links.allTextContents();
    expect(names.length).toBe(9);
    for (const link of await links.all()) {
      await link.click();
      const name = ((await link.textContent()) ?? '').replace(/[\d,.].*$/, '');
      await page.getByRole('heading', { level: 1, name }).waitFor();
      expect(await page.title()).toBe(`${name} · Decision Ledger`);
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      await axe();
    }
  });

  it('An address that the dashboard lacks stays unknown', async ({ app: { url } }) => {
    const headers = { accept: 'text/html' };
    for (const path of [
      '/nothing',
      '/decisions/a/b',
      '/assets/nothing.js',
      '/assets/../index.html',
    ]) {
      expect((await fetch(url + path, { headers })).status, path).toBe(404);
    }
  });

  it('The search finds a record by its id, an agent and a page', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const [decision] = await ledger.decisions.list({ agent_id: 'refund-bot' }).toArray(1);
    await signIn();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.fill('expo');
    await page.getByRole('option', { name: 'Exposure' }).waitFor();
    await field.fill('refund');
    await page.getByRole('option', { name: 'refund-bot Agent' }).waitFor();
    await axe();
    await field.fill(decision?.decision_id ?? '');
    await page.getByRole('option', { name: 'refund-bot · refund' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/decisions/${decision?.decision_id}`);
  });

  it('A lost connection is announced until it is back', async ({
    app: { page, signIn, expectError },
  }) => {
    expectError(/WebSocket|ERR_INTERNET_DISCONNECTED/);
    await signIn({ path: '/decisions' });
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    await page.context().setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'detached' });
    await page.getByText('Connected', { exact: true }).waitFor();
  });
});
