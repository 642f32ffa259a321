import { IssuedKey } from '@decision-ledger/contract/access';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataOf } from '../support/client.js';
import { decide } from '../support/estimates.js';
import { readExport } from '../support/exports.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';
import { type DescribedRequest, describedRequests } from './support/described-requests.js';
import { exchange } from './support/raw.js';
import { MARK, type RecordedTenant, recordedTenant } from './support/tenants.js';
import { type Cache, describeVarnish, startVarnish } from './support/varnish.js';

/** How a bundle begins, whose files are compressed. */
const ARCHIVE = 'PK\u0003\u0004';

/** Operations whose answers any cache may keep. A new one is private unless it is declared and named here. */
const PUBLIC = new Set(['getPublicCheckpoint', 'getPublicTile']);
const ACCEPT = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describeVarnish('Behind a shared cache without configuration', () => {
  let bed: TestService;
  let first: RecordedTenant;
  let second: Organisation;
  let cache: Cache | undefined;
  let requests: readonly DescribedRequest[];

  beforeAll(async () => {
    bed = await openTestService('embedded');
    // Checkpoints have the time of the database.
    bed.clock.advance(Date.now() - bed.clock.now());
    const { port } = new URL(await bed.http.listen({ host: '127.0.0.1', port: 0 }));
    first = await recordedTenant(bed);
    second = await bed.organisation();
    cache = await startVarnish(Number(port));
    requests = [
      ...(await describedRequests(bed.http, first.values)),
      ...['/', '/decisions', '/nowhere', '/api/v1/nowhere', '/docs', '/verify.html'].map(
        (path) => ({ operation: 'none', method: 'GET', path }),
      ),
    ];
  });
  afterAll(async () => {
    await cache?.stop();
    await bed.close();
  });

  async function ask({ method, path }: Pick<DescribedRequest, 'method' | 'path'>, key?: string) {
    const own = key === undefined ? [] : [`X-Ledger-Key: ${key}`];
    const headers = ['Host: ledger.example', ACCEPT, ...own, 'Connection: close'];
    const length = method === 'POST' || method === 'PATCH' ? ['Content-Length: 0'] : [];
    const lines = [`${method} ${path} HTTP/1.1`, ...headers, ...length];
    return exchange(cache?.port ?? 0, `${lines.join('\r\n')}\r\n\r\n`);
  }

  async function revokedKey(): Promise<string> {
    const body = { name: MARK, permissions: ['read'] };
    const { client } = first;
    const { key, key_id } = dataOf(await client.post('/keys', body), IssuedKey, 201);
    await client.delete(`/keys/${key_id}`);
    return key;
  }

  it('Nobody gets the bytes of another, at any address, and no private answer is given twice', async () => {
    const ids = new Map<string, string>();
    const revoked = await revokedKey();
    let secrets = 0;
    for (const request of requests) {
      for (const key of [first.client.key, second.live.key, revoked, undefined]) {
        const answer = await ask(request, key);
        const place = `${request.method} ${request.path} of ${key}`;
        if (key === first.client.key) secrets += Number(answer.text.includes(MARK));
        else if (!PUBLIC.has(request.operation)) {
          for (const secret of [MARK, ARCHIVE]) expect(answer.text, place).not.toContain(secret);
        }
        const id = answer.header('x-request-id') ?? '';
        expect(id, place).toMatch(/^req_/);
        if (!PUBLIC.has(request.operation)) expect(ids.get(id), place).toBeUndefined();
        ids.set(id, place);
      }
    }
    // The addresses do hold what could have been given to others.
    expect(secrets).toBeGreaterThan(10);
  });

  it('The link of a download serves nobody once its key is revoked', async () => {
    const body = { name: 'auditor', permissions: ['read', 'export'] };
    const issued = dataOf(await first.client.post('/keys', body), IssuedKey, 201);
    const { download_url = '' } = await readExport(
      bed.client(issued.key),
      first.values['exports/id'] ?? '',
    );
    const { pathname, search } = new URL(download_url, 'http://ledger');
    const download = { method: 'GET', path: `${pathname}${search}` };
    const archive = expect.stringContaining(ARCHIVE);
    expect(await ask(download)).toMatchObject({ status: 200, text: archive });
    await first.client.delete(`/keys/${issued.key_id}`);
    const refused = await ask(download);
    expect([refused.status, refused.text.includes(ARCHIVE)]).toEqual([403, false]);
  });

  it('A tile of a public log and a file with a hash in its name are kept by the cache', async () => {
    const page = await ask({ method: 'GET', path: '/' });
    const asset = /src="\.?(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? '';
    const tile = requests.find(({ operation }) => operation === 'getPublicTile')?.path ?? '';
    for (const path of [asset, tile]) {
      const [one, two] = [await ask({ method: 'GET', path }), await ask({ method: 'GET', path })];
      expect([one.status, two.status], path).toEqual([200, 200]);
      expect(two.header('x-request-id'), path).toBe(one.header('x-request-id'));
    }
  });

  it('What does not exist yet is found once it does', async () => {
    const { client } = first;
    const path = `/api/v1/analytics/experiments/${MARK}-2`;
    expect((await ask({ method: 'GET', path }, client.key)).status).toBe(404);
    await decide(client, { metadata: { experiment: { id: `${MARK}-2`, arm: 'a' } } });
    expect((await ask({ method: 'GET', path }, client.key)).status).toBe(200);
  });
});
