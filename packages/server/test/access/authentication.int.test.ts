import { IssuedKey, Key } from '@decision-ledger/contract/access';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { PERMISSIONS, type Permission } from '@decision-ledger/contract/permissions';
import { Settings } from '@decision-ledger/contract/settings';
import { STREAM_PATH } from '@decision-ledger/contract/stream';
import { WebhookReceipt } from '@decision-ledger/contract/webhook';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatKey } from '#server/domains/access/keys/rules/key';
import {
  type Client,
  dataOf,
  decision,
  expectRefusal,
  type Method,
  request,
} from '../support/client.js';
import { event, link, recordEvent, signatureOf } from '../support/money.js';
import { routesOf } from '../support/routes.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';
import { charge, eventOf } from '../support/stripe-events.js';

let bed: TestService;
let org: Organisation;
let decisionId: string;
let eventId: string;

const SECRET = 'whsec_authentication';

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
  const recorded = await org.live.post('/decisions', decision());
  decisionId = dataOf(recorded, DecisionReceipt, 201).decision_id;
  eventId = (await recordEvent(org.live)).id;
  const stripe = { signing_secrets: [SECRET] };
  dataOf(await org.live.patch('/settings', { stripe }), Settings);
});
afterAll(() => bed.close());

async function issue(permissions: readonly Permission[], expiresAt?: string) {
  const body = { name: 'a key', permissions, ...(expiresAt && { expires_at: expiresAt }) };
  return dataOf(await org.live.post('/keys', body), IssuedKey, 201);
}

const LINK = 'lnk_01kpat0fe0ec88qqtsarzj0nhh';
const EVENT = 'evt_01kpat0fe0ec88qqtsarzj0nhh';
const EXPORT = 'exp_01kpat0fe0ec88qqtsarzj0nhh';
const FEBRUARY = { start_date: '2026-02-01', end_date: '2026-02-28' };
const WEBHOOK = '/financial-events/webhook/stripe';
const DELIVERY = eventOf('charge.succeeded', charge(), { livemode: true });

/** Each route that needs a key, with a request that would otherwise succeed or find nothing. */
const ROUTES: [method: Method, path: () => string, permission: Permission, body?: Body][] = [
  ['POST', () => '/decisions', 'record', decision()],
  ['POST', () => '/decisions/batch', 'record', { decisions: [decision()] }],
  ['GET', () => '/decisions', 'read'],
  ['GET', () => `/decisions/${decisionId}`, 'read'],
  ['GET', () => `/decisions/${decisionId}/liability`, 'read'],
  ['GET', () => `/decisions/${decisionId}/proof`, 'read'],
  ['POST', () => `/decisions/${decisionId}/presentation`, 'export', { fields: ['inputs'] }],
  [
    'POST',
    () => `/decisions/${decisionId}/erase`,
    'erase',
    { fields: ['inputs'], reason: 'asked' },
  ],
  ['POST', () => '/uploads', 'ingest', { size: 1, sha256: '0'.repeat(64), media_type: 'a/b' }],
  ['GET', () => `/uploads/upl_${LINK.slice(4)}`, 'ingest'],
  ['PATCH', () => `/uploads/upl_${LINK.slice(4)}?offset=0`, 'ingest'],
  ['GET', () => `/decisions/${decisionId}/uploads/inputs`, 'read'],
  ['GET', () => '/decisions/chain/verify', 'read'],
  ['GET', () => '/activity', 'read'],
  ['GET', () => '/activity/chain/verify', 'read'],
  ['GET', () => '/keys', 'admin'],
  ['POST', () => '/keys', 'admin', { name: 'new', permissions: ['read'] }],
  ['DELETE', () => '/keys/key_01kpat0fe0ec88qqtsarzj0nhh', 'admin'],
  ['GET', () => '/settings', 'admin'],
  ['PATCH', () => '/settings', 'admin', {}],
  ['POST', () => '/financial-events', 'ingest', event()],
  ['GET', () => '/financial-events', 'read'],
  ['GET', () => `/financial-events/${eventId}`, 'read'],
  ['GET', () => `/financial-events/${eventId}/explanation?decision_id=${decisionId}`, 'read'],
  ['DELETE', () => `/financial-events/${EVENT}`, 'manage'],
  ['GET', () => '/movements/same-money', 'read'],
  ['POST', () => '/movements/pair', 'review', { reports: [EVENT, `evt_${LINK.slice(4)}`] }],
  ['POST', () => '/movements/part', 'review', { report: EVENT }],
  ['POST', () => '/movements/withdraw', 'review', { reports: [EVENT, `evt_${LINK.slice(4)}`] }],
  ['POST', () => '/links', 'ingest', link(`dec_${LINK.slice(4)}`, EVENT)],
  ['GET', () => '/links', 'read'],
  ['GET', () => `/links/${LINK}`, 'read'],
  ['DELETE', () => `/links/${LINK}`, 'review'],
  ['POST', () => `/links/${LINK}/confirm`, 'review', {}],
  ['POST', () => `/links/${LINK}/reject`, 'review', {}],
  ['GET', () => '/reviews', 'read'],
  ['GET', () => '/reviews/answers', 'read'],
  ['POST', () => `/reviews/${EVENT}`, 'review', { none: true }],
  ['DELETE', () => `/reviews/${EVENT}`, 'review'],
  ['POST', () => '/exports', 'export', { export_type: 'insurance', ...FEBRUARY }],
  ['GET', () => '/exports', 'export'],
  ['GET', () => `/exports/${EXPORT}`, 'export'],
  ['GET', () => `/exports/${EXPORT}/custody`, 'export'],
  ['GET', () => `/exports/${EXPORT}/download`, 'export'],
  ['GET', () => '/signing-keys', 'read'],
  ['GET', () => '/log/decisions', 'read'],
  ['GET', () => '/log/decisions/checkpoint', 'read'],
  ['GET', () => '/log/decisions/tile/0/000', 'read'],
  ['GET', () => '/log/decisions/consistency?first=0&second=1', 'read'],
  ['GET', () => '/followers', 'admin'],
  ['GET', () => '/jobs/dead', 'admin'],
  ['GET', () => '/otlp/spans', 'admin'],
  ['POST', () => '/jobs/job_01kpat0fe0ec88qqtsarzj0nhh/retry', 'admin', {}],
  ['GET', () => '/accounting/connections', 'admin'],
  ['POST', () => '/accounting/connections/con_00000000000000000000000000/poll', 'admin', {}],
  [
    'POST',
    () => '/accounting/connections/con_00000000000000000000000000/release',
    'admin',
    { plan: '0' },
  ],
  ['GET', () => '/analytics/ai-pnl', 'read'],
  ['GET', () => '/analytics/ai-pnl/rows', 'read'],
  ['GET', () => '/analytics/months', 'read'],
  ['GET', () => '/analytics/timeline', 'read'],
  ['GET', () => '/analytics/liability', 'read'],
  ['GET', () => '/analytics/liability/rows', 'read'],
  ['GET', () => '/analytics/liability/backtest', 'read'],
  ['GET', () => '/analytics/liability/model?action_type=refund', 'read'],
  ['GET', () => '/analytics/running-cost', 'read'],
  ['GET', () => '/budgets', 'read'],
  ['GET', () => '/budgets/check?agent_id=refund-bot', 'read'],
  ['GET', () => '/analytics/agents', 'read'],
  ['GET', () => '/analytics/attribution-model', 'read'],
  ['GET', () => '/analytics/attribution-quality', 'read'],
  ['GET', () => '/analytics/experiments', 'read'],
  ['GET', () => '/analytics/experiments/exp_01kpat0fe0ec88qqtsarzj0nhh', 'read'],
  ['GET', () => '/search?q=x', 'read'],
  ['GET', () => '/verification', 'read'],
  ['POST', () => WEBHOOK, 'webhook', DELIVERY],
  ['POST', () => '/stream/tickets', 'stream'],
];

/** Routes for which any key will do. */
const ANY_KEY: [method: Method, path: () => string, permission: 'any', body?: Body][] = [
  ['GET', () => '/me', 'any'],
  ['GET', () => '/sessions', 'any'],
  ['POST', () => '/sessions', 'any', { name: 'Ada' }],
  ['DELETE', () => '/sessions/ses_01kpat0fe0ec88qqtsarzj0nhh', 'any'],
];

type Body = Readonly<Record<string, unknown>>;

/** Carries a Stripe signature, which only the webhook reads. */
const call = (client: Client, method: Method, path: string, body?: Body) => {
  const text = body && JSON.stringify(body);
  const signature = signatureOf(text ?? '', SECRET, bed.clock.now());
  const json = { 'content-type': 'application/json', 'stripe-signature': signature };
  const headers = { ...(client.key !== '' && { 'x-ledger-key': client.key }), ...(body && json) };
  return request(bed.http, method, `/api/v1${path}`, headers, text);
};

it('Every route that takes a key has a case in this file', async () => {
  const cases = [...ROUTES, ...ANY_KEY].map(
    ([method, path]) => `${method} /api/v1${path().split('?')[0]}`,
  );
  const keyless =
    /^\w+ (\/api\/v1)?\/(version|healthz|readyz|metrics|openapi\.json|asyncapi\.json)$/;
  // Tested in stream-handshake.int.test.ts, otlp-mapping.int.test.ts and otlp-answers.int.test.ts.
  const elsewhere = [`GET ${STREAM_PATH}`, 'POST /v1/traces', 'POST /v1/metrics', 'POST /v1/logs'];
  for (const route of await routesOf(bed.http)) {
    // Those of public logs are tested in transparency-suite.ts.
    const isPublic = route.startsWith('GET /api/v1/logs/');
    if (keyless.test(route) || elsewhere.includes(route) || isPublic) continue;
    const filled = route
      .replace(':id', '[a-z]{3}_[0-9a-z]{26}')
      .replace(':chain', 'decisions')
      .replace(':field', 'inputs');
    const pattern = new RegExp(`^${filled.replace('*', '[0-9/]+')}$`);
    expect(
      cases.filter((name) => pattern.test(name)),
      route,
    ).toHaveLength(1);
  }
});

describe('Unauthorized requests', () => {
  it('Every key that is not accepted gets the same 401 body, byte for byte', async () => {
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

  it.for([...ROUTES, ...ANY_KEY])(
    '%s %s answers 401 without a key',
    async ([method, path, , body]) => {
      const before = await contents(bed);
      expectRefusal(await call(bed.client(), method, path(), body), 'unauthorized');
      expect(await contents(bed)).toBe(before);
    },
  );

  it('A missing key is refused with 401 before the body, query or id is checked', async () => {
    const nobody = bed.client();
    expectRefusal(await nobody.post('/decisions', 'no JSON'), 'unauthorized');
    expectRefusal(await nobody.get('/decisions?limit=0'), 'unauthorized');
    expectRefusal(await nobody.get('/decisions/nothing'), 'unauthorized');
    expectRefusal(await nobody.delete('/keys/nothing'), 'unauthorized');
  });

  it('A valid key anywhere but in its header is refused with 401', async () => {
    const { key } = org.live;
    const nobody = bed.client();
    for (const path of [`/decisions?key=${key}`, `/decisions?X-Ledger-Key=${key}`]) {
      expectRefusal(await nobody.get(path), 'unauthorized');
    }
    const header = { authorization: `Bearer ${key}`, cookie: `X-Ledger-Key=${key}` };
    expectRefusal(await nobody.get('/decisions', header), 'unauthorized');
  });
});

describe('Forbidden requests', () => {
  it.for(ROUTES)('%s %s needs exactly its own permission', async ([method, path, needed, body]) => {
    const granting = needed === 'record' ? ['record', 'ingest'] : [needed];
    const others = await issue(PERMISSIONS.filter((permission) => !granting.includes(permission)));
    const before = await contents(bed);
    expectRefusal(await call(bed.client(others.key), method, path(), body), 'forbidden');
    expect(await contents(bed)).toBe(before);
    // A key can grant only what it holds, so the issuing key also holds `read`.
    const own = await issue([...new Set<Permission>([needed, 'read'])]);
    const { status } = await call(bed.client(own.key), method, path(), body);
    expect([200, 201, 202, 404]).toContain(status);
  });

  it.for(ANY_KEY)('%s %s refuses a key that may only record', async ([method, path, , body]) => {
    const { key } = await issue(['record']);
    expectRefusal(await call(bed.client(key), method, path(), body), 'forbidden');
  });

  it.for(ANY_KEY)('%s %s accepts a key with any permission', async ([method, path, , body]) => {
    const { key } = await issue(['webhook']);
    const { status } = await call(bed.client(key), method, path(), body);
    expect([200, 201, 404]).toContain(status);
  });

  it('The webhook answers 403 to a key in the query that lacks the webhook permission', async () => {
    const others = await issue(PERMISSIONS.filter((permission) => permission !== 'webhook'));
    const before = await contents(bed);
    const answer = await call(bed.client(), 'POST', `${WEBHOOK}?key=${others.key}`, DELIVERY);
    expectRefusal(answer, 'forbidden');
    expect(await contents(bed)).toBe(before);
  });

  it('A missing permission is refused with 403 before the body is checked', async () => {
    const reader = bed.client((await issue(['read'])).key);
    expectRefusal(await reader.post('/decisions', 'no JSON'), 'forbidden');
  });
});

describe('Keys in the query', () => {
  const good = async () => (await issue(['webhook'])).key;

  it('The webhook accepts a key in the query that holds only the webhook permission', async () => {
    const answer = await call(bed.client(), 'POST', `${WEBHOOK}?key=${await good()}`, DELIVERY);
    dataOf(answer, WebhookReceipt, 202);
  });

  it.for([...ROUTES, ...ANY_KEY].filter(([, path]) => path() !== WEBHOOK))(
    '%s %s does not accept a key in the query',
    async ([method, path, , body]) => {
      const { key } = org.live;
      const before = await contents(bed);
      for (const name of ['key', 'Key', 'x-ledger-key']) {
        const query = `${path().includes('?') ? '&' : '?'}${name}=${key}`;
        const answer = await call(bed.client(), method, `${path()}${query}`, body);
        expectRefusal(answer, 'unauthorized');
      }
      expect(await contents(bed)).toBe(before);
    },
  );

  it('The webhook refuses a query key with further permissions, and a key in the header', async () => {
    const wide = await issue(['webhook', 'read']);
    const before = await contents(bed);
    const answer = await call(bed.client(), 'POST', `${WEBHOOK}?key=${wide.key}`, DELIVERY);
    expectRefusal(answer, 'forbidden');
    expect(answer.text).toContain('issue a key with that permission alone');
    expect(await contents(bed)).toBe(before);
    dataOf(await call(bed.client(wide.key), 'POST', WEBHOOK, DELIVERY), WebhookReceipt, 202);
  });

  it('A key in the query is ignored when the header has one', async () => {
    const [key, other] = [await good(), await issue(['read'])];
    const both = `${WEBHOOK}?key=${key}`;
    expectRefusal(await call(bed.client(other.key), 'POST', both, DELIVERY), 'forbidden');
    expectRefusal(await call(bed.client('no key'), 'POST', both, DELIVERY), 'unauthorized');
    const answer = await call(bed.client(key), 'POST', `${WEBHOOK}?key=${other.key}`, DELIVERY);
    dataOf(answer, WebhookReceipt, 202);
  });

  it.for([
    ['no key', () => ''],
    ['an empty key', () => '?key='],
    ['the same key twice', (key: string) => `?key=${key}&key=${key}`],
    ['a wrong key', (key: string) => `?key=${key}0`],
    ['a key under another name', (key: string) => `?Key=${key}`],
    ['a key under a name in brackets', (key: string) => `?key[]=${key}`],
    ['a key after a space', (key: string) => `?key=%20${key}`],
  ] as const)('The webhook answers 401 to a query with %s', async ([, query]) => {
    const before = await contents(bed);
    const { key } = org.live;
    const answer = await call(bed.client(), 'POST', `${WEBHOOK}${query(key)}`, DELIVERY);
    expectRefusal(answer, 'unauthorized');
    expect(await contents(bed)).toBe(before);
  });
});
