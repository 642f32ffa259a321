import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Instance, openTestService, type TestService } from '../support/service.js';

describe('The documentation beside the API', () => {
  let on: TestService;
  let off: Instance;
  beforeAll(async () => {
    on = await openTestService('embedded');
    off = await on.another({ settings: { LEDGER_DASHBOARD: 'off' } });
  });
  afterAll(() => on.close());

  it('A page is sent to anybody, with a policy that allows nothing inline and no other host', async () => {
    const page = await on.http.inject({ url: '/docs/' });
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
        "img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(page.body).toContain('<h1');
    const head = await on.http.inject({ method: 'HEAD', url: '/docs/api.html' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  it('A browser that has the page is sent no second copy', async () => {
    const first = await on.http.inject({ url: '/docs/api.html' });
    const tag = String(first.headers.etag);
    const headers = { 'if-none-match': tag };
    const again = await on.http.inject({ url: '/docs/api.html', headers });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag]);
    const other = await on.http.inject({ url: '/docs/stream.html', headers });
    expect(other.statusCode).toBe(200);
  });

  it('The address without a slash leads to the folder, behind any prefix', async () => {
    const answer = await on.http.inject({ url: '/docs' });
    expect([answer.statusCode, answer.headers.location]).toEqual([308, 'docs/']);
  });

  it('The name of a page without its ending leads to the page', async () => {
    const answer = await on.http.inject({ url: '/docs/start/finance' });
    expect([answer.statusCode, answer.headers.location]).toEqual([308, 'finance.html']);
  });

  it('Assets are compressed for those who accept it', async () => {
    const page = await on.http.inject({ url: '/docs/' });
    for (const [, path] of page.body.matchAll(/(?:href|src|data-index)="(assets\/[^"]+)"/g)) {
      const url = `/docs/${path}`;
      const plain = await on.http.inject({ url });
      const small = await on.http.inject({ url, headers: { 'accept-encoding': 'gzip' } });
      expect(small.headers['content-encoding']).toBe('gzip');
      expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    }
  });

  it.each([
    ['GET', '/docs/nothing.html', 404],
    ['GET', '/docs/../app.js', 404],
    ['GET', '/docs/..%2Fapp.js', 404],
    ['GET', '/docs/assets/', 404],
    ['GET', '/docs/index.html.gz', 404],
    ['GET', '/documents', 404],
    ['POST', '/docs/', 404],
  ] as const)('%s %s is unknown', async (method, url, status) => {
    expect((await on.http.inject({ method, url })).statusCode).toBe(status);
  });

  it('A service without pages for people has no documentation either', async () => {
    expect((await off.http.inject({ url: '/docs/' })).statusCode).toBe(404);
  });
});
