import { DecisionPage } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  type Client,
  dataOf,
  decision,
  errorOf,
  expectRefusal,
  request,
} from '../support/client.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation('default');
});
afterAll(() => bed.close());

const ingest = (client: Client) => client.post('/decisions', decision());
const batch = (client: Client) => client.post('/decisions/batch', { decisions: [decision()] });
const read = (client: Client) => client.get('/decisions?limit=1');

const AT_ONCE = 40;

/** How many of `tries` requests are admitted while the clock does not advance. */
async function admitted(tries: number, send: (n: number) => Promise<Answer>): Promise<number> {
  let count = 0;
  for (let done = 0; done < tries; done += AT_ONCE) {
    const wave = Array.from({ length: Math.min(AT_ONCE, tries - done) }, (_, n) => send(done + n));
    for (const { status } of await Promise.all(wave)) {
      expect([200, 201, 429]).toContain(status);
      if (status !== 429) count += 1;
    }
  }
  return count;
}

describe('Default limits', () => {
  it.for([
    ['100 single writes', 100, ingest],
    ['10 batches', 10, batch],
    ['1000 reads', 1000, read],
  ] as const)('An organisation may send %s a second by default', async ([, limit, send]) => {
    expect(await admitted(limit + 20, () => send(org.live))).toBe(limit);
    bed.clock.advance(500);
    expect(await admitted(limit, () => send(org.live))).toBe(limit / 2);
    bed.clock.advance(10_000);
    expect(await admitted(limit + 20, () => send(org.live))).toBe(limit);
  });

  it('Both ledgers of an organisation share its limits', async () => {
    const both = (n: number) => ingest(n % 2 === 0 ? org.live : org.test);
    expect(await admitted(120, both)).toBe(100);
  });

  it('All keys of an organisation share its limits', async () => {
    const body = { name: 'another', permissions: ['ingest'] };
    const issued = await org.live.post('/keys', body);
    const another = bed.client(/lg_live_\w+/.exec(issued.text)?.[0]);
    const both = (n: number) => ingest(n % 2 === 0 ? org.live : another);
    // Issuing the key used one of the hundred.
    expect(await admitted(120, both)).toBe(99);
  });

  it('Organisations do not share limits', async () => {
    const neighbour = await bed.organisation('default');
    await admitted(120, () => ingest(org.live));
    expect(await admitted(120, () => ingest(neighbour.live))).toBe(100);
  });

  it('One exhausted limit leaves the others untouched', async () => {
    await admitted(120, () => ingest(org.live));
    await admitted(20, () => batch(org.live));
    expect((await read(org.live)).status).toBe(200);
  });
});

describe('Counted requests', () => {
  it.for([
    [
      'issuing a key',
      (client: Client) => client.post('/keys', { name: 'x', permissions: ['read'] }),
    ],
    ['revoking a key', (client: Client) => client.delete('/keys/nothing')],
    ['changing settings', (client: Client) => client.patch('/settings', {})],
    ['a write that is refused', (client: Client) => client.post('/decisions', '{')],
  ] as const)('A single write is counted for %s', async ([, send]) => {
    await send(org.live);
    expect(await admitted(120, () => ingest(org.live))).toBe(99);
  });

  it.for([
    '/decisions/nothing',
    '/decisions/chain/verify',
    '/activity',
    '/activity/chain/verify',
    '/keys',
    '/settings',
    '/decisions?limit=0',
  ])('A read is counted for GET %s', async (path) => {
    const answer = await org.live.get(path);
    expect(answer.header('ratelimit')).toBe('"read";r=999;t=1');
  });

  it('Requests without a key, without the permission or without a tenant do not count', async () => {
    const body = { name: 'reader', permissions: ['read'] };
    const issued = await org.live.post('/keys', body);
    const reader = bed.client(/lg_live_\w+/.exec(issued.text)?.[0]);
    for (let n = 0; n < 5; n += 1) {
      expectRefusal(await ingest(reader), 'forbidden');
      expectRefusal(await ingest(bed.client()), 'unauthorized');
      expect((await request(bed.http, 'GET', '/healthz')).headerNames).not.toContain('ratelimit');
    }
    expect(await admitted(120, () => ingest(org.live))).toBe(99);
  });
});

describe('Refusal with 429', () => {
  it('A 429 says when to retry, and that time is right', async () => {
    await admitted(100, () => ingest(org.live));
    const before = await contents(bed);
    const answer = await ingest(org.live);
    expectRefusal(answer, 'rate_limited');
    expect(errorOf(answer).message).toContain('100');
    expect(answer.header('retry-after')).toBe('1');
    expect(answer.header('ratelimit-policy')).toBe('"ingest";q=100;w=1');
    expect(answer.header('ratelimit')).toBe('"ingest";r=0;t=1');
    expect(await contents(bed)).toBe(before);
    bed.clock.advance(Number(answer.header('retry-after')) * 1000);
    expect((await ingest(org.live)).status).toBe(201);
  });

  it('A 429 is sent before the body is read', async () => {
    await admitted(100, () => ingest(org.live));
    expectRefusal(await org.live.post('/decisions', 'x'.repeat(2_000_000)), 'rate_limited');
  });

  it('A 429 is counted in the metrics', async () => {
    const figure = async () => {
      const { text } = await request(bed.http, 'GET', '/metrics');
      return Number(/ledger_rate_limited_total\{bucket="batch"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const before = await figure();
    await admitted(13, () => batch(org.live));
    expect((await figure()) - before).toBe(3);
  });
});

describe('Answers', () => {
  it('Every answer reports what is left', async () => {
    const lefts: (string | undefined)[] = [];
    for (let n = 0; n < 3; n += 1) lefts.push((await batch(org.live)).header('ratelimit'));
    expect(lefts).toEqual(['"batch";r=9;t=1', '"batch";r=8;t=1', '"batch";r=7;t=1']);
  });
});

describe('Changed limits', () => {
  const limit = (client: Client, figures: object) =>
    client.patch('/settings', { rate_limits: figures });

  it('A changed limit applies immediately here, for both ledgers, and within a second in another process', async () => {
    const other = await bed.another();
    const elsewhere = other.client(org.live.key);
    expect((await read(elsewhere)).status).toBe(200);
    expect((await limit(org.live, { read_per_second: 3 })).status).toBe(200);
    expect(await admitted(20, () => read(org.live))).toBe(3);
    expectRefusal(await read(org.test), 'rate_limited');
    bed.clock.advance(1000);
    expect(await admitted(20, () => read(elsewhere))).toBe(3);
  });

  it('A limit may be raised to 1,000,000 and reset by null', async () => {
    await limit(org.live, { ingest_per_second: 1_000_000, read_per_second: 1_000_000 });
    expect(await admitted(300, () => ingest(org.live))).toBe(300);
    const { decisions } = dataOf(await org.live.get('/decisions?limit=500'), DecisionPage);
    expect(decisions).toHaveLength(300);
    await limit(org.live, { ingest_per_second: null });
    expect((await ingest(org.live)).header('ratelimit-policy')).toBe('"ingest";q=100;w=1');
  });
});
