import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { inBrowser, WHY } from './support/app.js';
import { startPrefixingProxy } from './support/prefixing-proxy.js';
import { shared } from './support/shared.js';

const PATH = '/tools/ledger';

let strays: readonly string[] = [];

const it = inBrowser
  .extend({
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other
    address: async ({}, use) => {
      const proxy = await startPrefixingProxy((await shared()).service.url, PATH);
      strays = proxy.strays;
      await use(proxy.url);
      await proxy.close();
    },
  })
  .skipIf(WHY !== null);

it('Below a path of a reverse proxy, pages, the stream, files and the documentation work', async ({
  app: { page, url, signIn, open, ledger },
}) => {
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  // An address that is opened without a session is shown after signing in.
  await signIn({ path: '/decisions?agent_id=refund-bot' });
  expect(page.url()).toBe(`${url}/decisions?agent_id=refund-bot`);
  expect(sockets).not.toEqual([]);
  for (const socket of sockets) expect(socket).toContain(`${PATH}/ws/v1/stream`);

  // Each page by its link, then one far down by its address.
  const menu = page.getByRole('navigation', { name: 'Pages' });
  for (const link of await menu.getByRole('link').all()) {
    await link.click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toContain(`${PATH}/`);
  }
  const [newest] = await ledger.decisions.list().toArray(1);
  await open(`/decisions/${newest?.decision_id}`);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toContain(
    `decision-ledger${PATH}.mode`,
  );

  await open('/evidence');
  const verifier = page.getByRole('link', { name: 'Download verify.html' });
  const [file] = await Promise.all([page.waitForEvent('download'), verifier.click()]);
  expect(file.url()).toBe(`${url}/verify.html`);
  expect((await readFile(await file.path(), 'utf8')).slice(0, 20)).toMatch(/<!doctype html>/i);

  await page.goto(`${url}/docs`);
  expect(page.url()).toBe(`${url}/docs/`);
  await page.locator('body[data-search=ready]').waitFor();
  const hrefs = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  const own = hrefs
    .map((href) => new URL(href, page.url()).href)
    .filter((link) => link.startsWith(new URL(url).origin));
  expect(own.length).toBeGreaterThan(10);
  for (const link of own) expect(link).toContain(`${PATH}/`);
  expect(strays).toEqual([]);
});
