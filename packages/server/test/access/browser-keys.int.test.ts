import { IssuedKey, KeyPage } from '@decision-ledger/contract/access';
import { DecisionBatchReceipt, DecisionPage } from '@decision-ledger/contract/decision';
import { PERMISSIONS } from '@decision-ledger/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  type Client,
  dataOf,
  decision,
  expectRefusal,
  type Method,
  request,
} from '../support/client.js';
import { routesOf } from '../support/routes.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';

const SHOP = 'https://shop.example.com';
const ELSEWHERE = 'https://elsewhere.example.com';

let bed: TestService;
let org: Organisation;
let browser: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation();
  browser = await clientWith({ permissions: ['record'] });
  await org.live.patch('/settings', { cors: { origins: [SHOP] } });
  bed.clock.advance(1000);
});
afterAll(() => bed.close());

async function issue(body: object) {
  return org.live.post('/keys', { name: 'page', ...body });
}

async function clientWith(body: object): Promise<Client> {
  return bed.client(dataOf(await issue(body), IssuedKey, 201).key);
}

async function recorded() {
  const { decisions } = dataOf(await org.live.get('/decisions?limit=100'), DecisionPage);
  return decisions.toSorted((a, b) => a.seq - b.seq);
}

const batch = (...agents: string[]) => ({
  decisions: agents.map((agent_id) => decision({ agent_id })),
});

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function methodOf(name: string): Method {
  const found = METHODS.find((one) => one === name);
  if (found === undefined) throw new Error(`${name} is no method`);
  return found;
}

const corsOf = ({ headerNames }: Answer) =>
  headerNames.filter((name) => name.startsWith('access-control-'));

describe('The permission record', () => {
  it('It allows to record decisions, alone and in batches', async () => {
    expect((await browser.post('/decisions', decision())).status).toBe(201);
    expect((await browser.post('/decisions/batch', batch('a', 'b'))).status).toBe(201);
    expect(await recorded()).toHaveLength(3);
  });

  it('A key with it alone can do nothing else, on any route', async () => {
    const own = ['POST /api/v1/decisions', 'POST /api/v1/decisions/batch'];
    const keyless =
      /^\w+ (\/api\/v1)?\/(version|healthz|readyz|metrics|openapi\.json|asyncapi\.json|logs\/.*)$/;
    const headers = { origin: SHOP, 'x-ledger-key': browser.key };
    const before = await contents(bed);
    let walked = 0;
    for (const route of await routesOf(bed.http)) {
      if (own.includes(route)) continue;
      const [method = '', url = ''] = route.split(' ');
      const filled = url.replaceAll(/:\w+/g, 'x').replace('*', '0');
      const answer = await request(bed.http, methodOf(method), filled, headers);
      expect(corsOf(answer), route).toEqual([]);
      if (keyless.test(route)) continue;
      walked += 1;
      expect(answer.status, route).toBe(403);
    }
    expect(walked).toBeGreaterThan(50);
    expect(await contents(bed)).toBe(before);
  });

  it('A key with ingest can issue one, and neither a reader nor a recorder can', async () => {
    const body = { name: 'page', permissions: ['record'] };
    const admin = await clientWith({ permissions: ['admin', 'ingest'] });
    expect((await admin.post('/keys', body)).status).toBe(201);
    const reader = await clientWith({ permissions: ['admin', 'read'] });
    expectRefusal(await reader.post('/keys', body), 'forbidden');
    expectRefusal(await browser.post('/keys', body), 'forbidden');
  });

  it('It has a rate limit of its own, which leaves that of the agents alone', async () => {
    await org.live.patch('/settings', { rate_limits: { record_per_second: 2 } });
    bed.clock.advance(1000);
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await browser.post('/decisions', decision()));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(answers[0]?.header('ratelimit-policy')).toBe('"record";q=2;w=1');
    expectRefusal(await browser.post('/decisions/batch', batch('a')), 'rate_limited');
    const agent = await clientWith({ permissions: ['ingest'] });
    const answer = await agent.post('/decisions', decision());
    expect(answer.status).toBe(201);
    expect(answer.header('ratelimit-policy')).toContain('"ingest"');
  });

  it('The first key of an organisation has it too', async () => {
    const { keys } = dataOf(await org.live.get('/keys'), KeyPage);
    expect(keys.at(-1)?.permissions).toEqual([...PERMISSIONS]);
  });
});

describe('Agents of a key', () => {
  const limited = () => clientWith({ permissions: ['record'], agents: ['a', 'b'] });

  it('They are listed with the key', async () => {
    await limited();
    const { keys } = dataOf(await org.live.get('/keys'), KeyPage);
    expect(keys.map(({ agents }) => agents)).toEqual([['a', 'b'], null, null]);
  });

  it('A decision of another agent is refused, and the field is named', async () => {
    const page = await limited();
    expect((await page.post('/decisions', decision({ agent_id: 'a' }))).status).toBe(201);
    expectRefusal(await page.post('/decisions', decision()), 'forbidden', 'agent_id');
    const refused = await page.post('/decisions/batch', batch('a', 'c', 'b', 'd'));
    expectRefusal(refused, 'forbidden', 'decisions[1].agent_id', 'decisions[3].agent_id');
    expect(await recorded()).toHaveLength(1);
  });

  it('In a lenient batch, it is refused alone', async () => {
    const page = await limited();
    const prefer = { prefer: 'handling=lenient' };
    const answer = await page.post('/decisions/batch', batch('a', 'c', 'b'), prefer);
    const { decisions, refused = [] } = dataOf(answer, DecisionBatchReceipt, 201);
    expect(decisions).toHaveLength(2);
    expect(refused).toMatchObject([{ index: 1, error: { code: 'forbidden' } }]);
    expect(Object.keys(refused[0]?.error.details?.fields ?? {})).toEqual(['decisions[1].agent_id']);
    const none = await page.post('/decisions/batch', batch('c', 'd'), prefer);
    expect(none.status).toBe(403);
    expect(none.text).toContain('decisions[1].agent_id');
  });

  it.each([
    { permissions: ['ingest'], agents: ['a'] },
    { permissions: ['record', 'read'], agents: ['a'] },
    { permissions: ['record'], agents: [] },
    { permissions: ['record'], agents: ['a', 'a'] },
    { permissions: ['record'], agents: 'a' },
  ])('The key %j is refused', async (body) => {
    expectRefusal(await issue(body), 'validation_error', 'agents');
  });
});

describe('Decisions from browsers', () => {
  const mark = { ledger_source: 'browser', ledger_origin: SHOP };

  it('They are marked with the origin in their metadata, whatever the page says', async () => {
    const from = { origin: SHOP };
    const metadata = { order: 'A', ledger_source: 'server', ledger_origin: 'https://x.example' };
    await browser.post('/decisions', decision({ metadata }), from);
    await browser.post('/decisions/batch', batch('a'), from);
    await browser.post('/decisions/batch', batch('a'), { ...from, prefer: 'handling=lenient' });
    const found = (await recorded()).map((one) => one.metadata);
    expect(found).toEqual([{ order: 'A', ...mark }, mark, mark]);
    const page = await org.live.get('/decisions?metadata.ledger_source=browser');
    expect(dataOf(page, DecisionPage).decisions).toHaveLength(3);
  });

  it('Those without an origin, and those of agents, are not marked', async () => {
    await browser.post('/decisions', decision());
    const agent = await clientWith({ permissions: ['ingest'] });
    await agent.post('/decisions', decision(), { origin: SHOP });
    expect((await recorded()).map((one) => one.metadata)).toEqual([undefined, undefined]);
  });

  it('A decision with a key is the same alone and in a batch, and a text that is no origin is not kept', async () => {
    const from = { origin: 'x'.repeat(400) };
    await browser.post('/decisions', decision(), { ...from, 'idempotency-key': 'k' });
    const again = { decisions: [{ ...decision(), idempotency_key: 'k' }] };
    const answer = await browser.post('/decisions/batch', again, from);
    expect(answer.header('idempotency-replayed')).toBe('true');
    expect((await recorded()).map((one) => one.metadata?.ledger_origin)).toEqual(['null']);
  });
});

describe('Answers to pages of other origins', () => {
  const asks = { 'access-control-request-method': 'POST' };
  const preflight = (path: string, origin: string, headers: Record<string, string> = asks) =>
    request(bed.http, 'OPTIONS', `/api/v1${path}`, { origin, ...headers });

  it.each(['/decisions', '/decisions/batch', '/decisions?x=1'])(
    'A preflight for %s is answered to listed origins alone',
    async (path) => {
      const answer = await preflight(path, SHOP);
      expect(answer.status).toBe(204);
      expect(answer.header('access-control-allow-origin')).toBe(SHOP);
      expect(answer.header('access-control-allow-methods')).toBe('POST');
      expect(answer.header('access-control-allow-headers')).toContain('X-Ledger-Key');
      expect(answer.header('access-control-allow-credentials')).toBeUndefined();
      expect(answer.header('vary')).toContain('Origin');
      for (const origin of [ELSEWHERE, 'null', `${SHOP}.evil.example`, SHOP.toUpperCase()]) {
        const refused = await preflight(path, origin);
        expect([refused.status, corsOf(refused)]).toEqual([405, []]);
      }
    },
  );

  it('Other preflights are refused as any unknown method', async () => {
    const paths = ['/keys', '/financial-events', '/decisions/dec_1/erase', '/settings', '/me'];
    for (const path of [...paths, '/decisions/chain/verify', '/decisions/batch/']) {
      expect(corsOf(await preflight(path, SHOP)), path).toEqual([]);
    }
    const get = await preflight('/decisions', SHOP, { 'access-control-request-method': 'GET' });
    expect([get.status, corsOf(get)]).toEqual([405, []]);
    expect((await preflight('/decisions', SHOP, {})).status).toBe(405);
  });

  it('An answer to a listed origin can be read, errors included, and one to another cannot', async () => {
    const from = { origin: SHOP };
    const answers = [
      await browser.post('/decisions', decision(), from),
      await browser.post('/decisions', {}, from),
      await bed.client('lg_live_wrong').post('/decisions', decision(), from),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 401]);
    for (const answer of answers) {
      expect(answer.header('access-control-allow-origin')).toBe(SHOP);
      const readable = answer.header('access-control-expose-headers');
      for (const name of ['RateLimit', 'Retry-After', 'X-Request-ID', 'Preference-Applied']) {
        expect(readable).toContain(name);
      }
    }
    const other = await browser.post('/decisions', decision(), { origin: ELSEWHERE });
    expect([other.status, corsOf(other)]).toEqual([201, []]);
    const list = await org.live.get('/decisions', from);
    expect([list.status, corsOf(list)]).toEqual([200, []]);
  });

  it('With the key of another organisation, its own origins decide', async () => {
    const others = await bed.organisation();
    const answer = await others.live.post('/decisions', decision(), { origin: SHOP });
    expect([answer.status, corsOf(answer)]).toEqual([201, []]);
  });

  it('A page of an origin that was removed is not answered any more', async () => {
    const own = 'https://removed.example.com';
    await org.live.patch('/settings', { cors: { origins: [own] } });
    bed.clock.advance(1000);
    expect((await preflight('/decisions', own)).status).toBe(204);
    await org.live.patch('/settings', { cors: null });
    bed.clock.advance(1000);
    expect((await preflight('/decisions', own)).status).toBe(405);
  });
});
