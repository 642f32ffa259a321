import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { IssuedKey, Key } from '@decision-ledger/contract/key';
import { PERMISSIONS, type Permission } from '@decision-ledger/contract/permissions';
import { formatKey } from '@decision-ledger/server/domains/keys/rules/key-text';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  dataOf,
  decision,
  expectRefusal,
  type Method,
  request,
} from './support/client.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from './support/service.js';

let bed: TestService;
let org: Organisation;
let decisionId: string;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
  const recorded = await org.live.post('/decisions', decision());
  decisionId = dataOf(recorded, DecisionReceipt, 201).decision_id;
});
afterAll(() => bed.close());

async function issue(permissions: readonly Permission[], expiresAt?: string) {
  const body = { name: 'a key', permissions, ...(expiresAt && { expires_at: expiresAt }) };
  return dataOf(await org.live.post('/keys', body), IssuedKey, 201);
}

/** Each route that needs a key, with a request that would otherwise succeed. */
const ROUTES: [method: Method, path: () => string, permission: Permission, body?: object][] = [
  ['POST', () => '/decisions', 'ingest', decision()],
  ['POST', () => '/decisions/batch', 'ingest', { decisions: [decision()] }],
  ['GET', () => '/decisions', 'read'],
  ['GET', () => `/decisions/${decisionId}`, 'read'],
  ['GET', () => '/decisions/chain/verify', 'read'],
  ['GET', () => '/activity', 'read'],
  ['GET', () => '/activity/chain/verify', 'read'],
  ['GET', () => '/keys', 'admin'],
  ['POST', () => '/keys', 'admin', { name: 'new', permissions: ['read'] }],
  ['DELETE', () => '/keys/key_01kpat0fe0ec88qqtsarzj0nhh', 'admin'],
  ['GET', () => '/settings', 'admin'],
  ['PATCH', () => '/settings', 'admin', {}],
];

const call = (client: Client, method: Method, path: string, body?: object) => {
  const json = { 'content-type': 'application/json' };
  const headers = { 'x-ledger-key': client.key, ...(body && json) };
  return request(bed.http, method, `/api/v1${path}`, headers, body && JSON.stringify(body));
};

describe('401', () => {
  it('has one body, byte for byte, for every key that does not open', async () => {
    const good = org.live.key;
    const revoked = await issue(['read']);
    const expired = await issue(['read'], '2026-04-16T09:30:01Z');
    dataOf(await org.live.delete(`/keys/${revoked.key_id}`), Key);
    bed.clock.advance(2000);
    const wrong = [
      ...['', ' ', 'key', 'null', 'undefined', good.slice(0, -1), `${good}0`, ` ${good}x`],
      ...[good.toLowerCase(), good.toUpperCase(), good.replace('live', 'test')],
      ...[good.replace('lg_', 'xx_'), good.slice(0, -6), `${good.slice(0, -6)}000000`],
      ...[`Bearer ${good}`, `${good}, ${good}`, 'x'.repeat(10_000), "' or 1=1 --", 'lg_live_é'],
      ...[formatKey('live', 'a'.repeat(32)), formatKey('test', 'Z9'.repeat(16))],
      ...[revoked.key, expired.key],
    ];
    const answers = [await bed.client().get('/decisions')];
    for (const key of wrong) {
      answers.push(await bed.client().get('/decisions', { 'x-ledger-key': key }));
    }
    const body = '{"error":{"code":"unauthorized","message":"invalid or missing api key"}}';
    for (const answer of answers) {
      expectRefusal(answer, 'unauthorized');
      expect(answer.text).toBe(body);
    }
    const names = answers.map(({ headerNames }) => headerNames.join());
    expect(new Set(names).size).toBe(1);
  });

  it.for(ROUTES)('%s %s needs a key', async ([method, path, , body]) => {
    const before = await contents(bed);
    expectRefusal(await call(bed.client(), method, path(), body), 'unauthorized');
    expect(await contents(bed)).toBe(before);
  });

  it('comes before anything about the request: body, query, id', async () => {
    const nobody = bed.client();
    expectRefusal(await nobody.post('/decisions', 'no JSON'), 'unauthorized');
    expectRefusal(await nobody.get('/decisions?limit=0'), 'unauthorized');
    expectRefusal(await nobody.get('/decisions/nothing'), 'unauthorized');
    expectRefusal(await nobody.delete('/keys/nothing'), 'unauthorized');
  });

  it('is the answer to a good key anywhere but in its header', async () => {
    const { key } = org.live;
    const nobody = bed.client();
    for (const path of [`/decisions?key=${key}`, `/decisions?X-Ledger-Key=${key}`]) {
      expectRefusal(await nobody.get(path), 'unauthorized');
    }
    const header = { authorization: `Bearer ${key}`, cookie: `X-Ledger-Key=${key}` };
    expectRefusal(await nobody.get('/decisions', header), 'unauthorized');
  });
});

describe('403', () => {
  it.for(ROUTES)(
    '%s %s needs its permission and no other',
    async ([method, path, needed, body]) => {
      const others = await issue(PERMISSIONS.filter((permission) => permission !== needed));
      const before = await contents(bed);
      expectRefusal(await call(bed.client(others.key), method, path(), body), 'forbidden');
      expect(await contents(bed)).toBe(before);
      // What a key grants it must hold, so the one that may issue keys has what it hands out too.
      const own = await issue([...new Set<Permission>([needed, 'read'])]);
      const { status } = await call(bed.client(own.key), method, path(), body);
      expect([200, 201, 404]).toContain(status);
    },
  );

  it('comes before anything about the body', async () => {
    const reader = bed.client((await issue(['read'])).key);
    expectRefusal(await reader.post('/decisions', 'no JSON'), 'forbidden');
  });
});
