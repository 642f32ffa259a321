import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Instance, openTestService, type TestService } from '../support/service.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('The dashboard beside the API', () => {
  let on: TestService;
  let off: Instance;
  beforeAll(async () => {
    on = await openTestService('embedded');
    off = await on.another({ settings: { LEDGER_DASHBOARD: 'off' } });
  });
  afterAll(() => on.close());

  it.each(['/', '/decisions', '/decisions/dec_1', '/agents/refund%20bot%2F1?from=2026-01-01'])(
    'A browser that opens %s gets the page, and a HEAD its headers',
    async (url) => {
      const page = await on.http.inject({ url, headers: { accept: BROWSER } });
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.body).toContain('<div id="root">');
      const head = await on.http.inject({ method: 'HEAD', url, headers: { accept: BROWSER } });
      expect([head.statusCode, head.body]).toEqual([200, '']);
    },
  );

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.5', undefined])(
    'To a caller that accepts %s, the pages are unknown as before',
    async (accept) => {
      const headers = accept === undefined ? {} : { accept };
      for (const url of ['/', '/decisions', '/settings']) {
        const answer = await on.http.inject({ url, headers });
        const before = await off.http.inject({ url, headers });
        expect([answer.statusCode, answer.json()]).toEqual([404, before.json()]);
      }
    },
  );

  it.each(['/nothing', '/decisions/a/b', '/docs/nothing', '/money.html'])(
    'A browser at the unknown address %s gets a page, and everybody else JSON, both with 404',
    async (url) => {
      const page = await on.http.inject({ url, headers: { accept: BROWSER } });
      expect(page.statusCode).toBe(404);
      expect(page.body).toContain('<div id="root">');
      const answer = await on.http.inject({ url, headers: { accept: '*/*' } });
      expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'not_found']);
    },
  );

  it.each([
    ['POST', '/decisions', 404],
    ['GET', '/api/v1/nothing', 404],
    ['GET', '/assets/', 404],
    ['GET', '/assets/..%2Findex.html', 404],
    ['GET', '/assets/LICENCES.txt', 404],
    ['GET', '/api/v1/decisions', 401],
    ['POST', '/api/v1/decisions/a', 405],
    ['GET', '/healthz', 200],
  ] as const)('%s %s answers a browser as without a dashboard: %i', async (method, url, status) => {
    const headers = { accept: BROWSER };
    const [answer, before] = [
      await on.http.inject({ method, url, headers }),
      await off.http.inject({ method, url, headers }),
    ];
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toBe(before.body);
    expect(answer.headers['content-security-policy']).toBeUndefined();
  });

  it('Assets are sent in the smallest encoding that is accepted', async () => {
    const page = await on.http.inject({ url: '/', headers: { accept: BROWSER } });
    const url = /src="\.(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1] ?? '';
    const sizes: number[] = [];
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0', undefined],
      ['', undefined],
    ]) {
      const answer = await on.http.inject({ url, headers: { 'accept-encoding': accepted } });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
      sizes.push(answer.rawPayload.length);
    }
    expect(sizes.slice(0, 3)).toEqual([...sizes.slice(0, 3)].sort((a, b) => a - b));
  });

  it('A service without the dashboard answers its pages as any unknown path', async () => {
    const answer = await off.http.inject({ url: '/', headers: { accept: BROWSER } });
    expect(answer.statusCode).toBe(404);
  });
});
