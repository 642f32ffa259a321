import { IssuedKey, Key } from '@decision-ledger/contract/access';
import { PERMISSIONS } from '@decision-ledger/contract/permissions';
import { Settings } from '@decision-ledger/contract/settings';
import { StreamTicket } from '@decision-ledger/contract/stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatKey } from '#server/domains/access/keys/rules/key';
import { type Client, dataOf, errorOf, expectRefusal } from '../../support/client.js';
import { type Organisation, openTestService, type TestService } from '../../support/service.js';
import { type Approach, connect, type Listener, listen, refusal } from '../../support/stream.js';

let bed: TestService;
let url: string;
let org: Organisation;
let open: Listener[] = [];

beforeAll(async () => {
  bed = await openTestService('embedded');
  url = await listen(bed.http);
});
afterAll(() => bed.close());
beforeEach(async () => {
  org = await bed.organisation();
  // Resets the counts of failed attempts.
  bed.clock.advance(61_000);
});
afterEach(async () => {
  await Promise.all(open.map((listener) => listener.close()));
  open = [];
});

const accepted = async (approach: Approach): Promise<Listener> => {
  const listener = await connect(url, approach);
  open.push(listener);
  return listener;
};

const issue = async (client: Client, body: object) =>
  dataOf(await client.post('/keys', { name: 'a key', ...body }), IssuedKey, 201);

const ticketOf = async (client: Client) =>
  dataOf(await client.post('/stream/tickets', ''), StreamTicket, 201);

const change = async (stream: object, rate_limits: object = {}) =>
  dataOf(await org.live.patch('/settings', { stream, rate_limits }), Settings);

const UNKNOWN = formatKey('live', 'a'.repeat(32));

describe('Handshakes', () => {
  it('A handshake is accepted with a key in the header or the query', async () => {
    await accepted({ key: org.live.key });
    await accepted({ query: { key: org.test.key } });
  });

  it('A handshake without a valid key is refused with one and the same body', async () => {
    const expired = await issue(org.live, {
      permissions: ['stream'],
      expires_at: new Date(bed.clock.now() + 1000).toISOString(),
    });
    bed.clock.advance(2000);
    const answers = await Promise.all([
      refusal(url, {}),
      refusal(url, { key: 'nonsense' }),
      refusal(url, { key: UNKNOWN }),
      refusal(url, { key: expired.key }),
      refusal(url, { query: { key: UNKNOWN } }),
      refusal(url, { query: { ticket: 'nonsense' } }),
      // Nothing else that is wrong is checked.
      refusal(url, { query: { after: 'bent', types: 'nonsense' } }),
    ]);
    const rest = (await org.live.get('/decisions', { 'x-ledger-key': UNKNOWN })).text;
    for (const answer of answers) {
      expectRefusal(answer, 'unauthorized');
      expect(answer.text).toBe(rest);
    }
  });

  it('A handshake with a key without the permission is refused', async () => {
    const permissions = PERMISSIONS.filter((name) => name !== 'stream');
    const { key } = await issue(org.live, { permissions });
    expectRefusal(await refusal(url, { key }), 'forbidden');
  });

  it('A handshake on another path or with another method than GET is refused', async () => {
    const { key } = org.live;
    for (const path of ['/ws/v1/streams', '/', '/api/v1/ws/v1/stream']) {
      expectRefusal(await refusal(url, { key, path }), 'not_found');
    }
    const answer = await bed.http.inject({ method: 'POST', url: '/ws/v1/stream' });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.for<[Record<string, string>, string]>([
    [{ types: 'decision.made' }, 'types'],
    [{ types: 'decision.recorded,' }, 'types'],
    [{ types: 'heartbeat' }, 'types'],
    [{ types: '' }, 'types'],
    [{ agent_id: '' }, 'agent_id'],
    [{ agent_id: 'a'.repeat(201) }, 'agent_id'],
    [{ after: 'bent' }, 'after'],
    [{ after: '1.1.0.AAAAAAAAAAAAAAAA' }, 'after'],
    [{ since: 'yesterday' }, 'since'],
  ])('A handshake with the query %o is refused', async ([query, field]) => {
    expectRefusal(await refusal(url, { key: org.live.key, query }), 'validation_error', field);
  });

  it('A handshake after an event of another ledger is refused, also within the organisation', async () => {
    const other = await bed.organisation();
    for (const { key } of [other.live, other.test, org.test]) {
      const listener = await accepted({ key });
      const after = listener.lastId() ?? '';
      const approach = { key: org.live.key, query: { after } };
      expectRefusal(await refusal(url, approach), 'validation_error', 'after');
    }
  });

  it.for<[Record<string, string | string[]>]>([
    [{ 'sec-websocket-version': '12' }],
    [{ 'sec-websocket-key': 'short' }],
    [{ 'sec-websocket-protocol': 'a,,b' }],
    [{ 'sec-websocket-protocol': 'a\u00a0, b' }],
    [{ 'sec-websocket-protocol': 'a, a' }],
    [{ 'sec-websocket-protocol': ['a', 'b,a'] }],
  ])('A handshake with the malformed headers %o is refused', async ([headers]) => {
    const before = bed.logLines.length;
    const { status, text } = await raw({ ...HANDSHAKE, ...headers, 'x-ledger-key': org.live.key });
    expect([status, JSON.parse(text).error.code]).toEqual([400, 'malformed_request']);
    await expect.poll(() => bed.logLines.slice(before).join()).toContain('"status":400');
  });

  it('A handshake may name protocols, each once', async () => {
    const headers = { 'sec-websocket-protocol': 'a ,b,\tab' };
    const handshake = { ...HANDSHAKE, ...headers, 'x-ledger-key': org.live.key };
    await expect(raw(handshake)).rejects.toThrow('the handshake was accepted');
  });

  it('A plain request to the stream is refused with an upgrade instruction', async () => {
    const answer = await org.live.get('/../../ws/v1/stream');
    expect(errorOf(answer).code).toBe('malformed_request');
  });
});

const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

async function raw(
  headers: Record<string, string | string[]>,
  path = '/ws/v1/stream',
  body?: string,
): Promise<{ status: number; text: string }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(
      new URL(path, url.replace(/^ws/, 'http')),
      { method, headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new Error('the handshake was accepted'));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('Other upgrades', () => {
  it('An upgrade for another protocol is ignored and its request answered, body included', async () => {
    const body = JSON.stringify({
      ...{ agent_id: 'a', action_type: 'b', confidence: 1 },
      ...{ inputs: { text: 'x'.repeat(200_000) }, outputs: {} },
    });
    const headers = {
      ...{ 'x-ledger-key': org.live.key, 'content-type': 'application/json' },
      ...{ connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' },
      'content-length': String(Buffer.byteLength(body)),
    };
    expect((await raw(headers, '/api/v1/decisions', body)).status).toBe(201);
    const { 'content-length': _, ...plain } = headers;
    expect((await raw(plain, '/api/v1/decisions')).status).toBe(200);
    expect((await raw({ ...HANDSHAKE }, '/healthz')).status).toBe(200);
  });
});

describe('Handshake limits', () => {
  it('Failed handshakes are limited to 30 a minute per address', async () => {
    const tries = Array.from({ length: 35 }, () => refusal(url, { key: UNKNOWN }));
    const codes = (await Promise.all(tries)).map((answer) => {
      if (answer.status === 429) expect(Number(answer.header('retry-after'))).toBeGreaterThan(0);
      return errorOf(answer).code;
    });
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(30);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(5);
    // Valid keys at the same address still connect, even ones never seen before.
    await accepted({ key: org.live.key });
    const fresh = await issue(org.live, { permissions: ['stream'] });
    await accepted({ key: fresh.key });
    const { ticket } = await ticketOf(org.live);
    await accepted({ query: { ticket } });
    expectRefusal(await refusal(url, {}), 'rate_limited');
    bed.clock.advance(60_000);
    expectRefusal(await refusal(url, {}), 'unauthorized');
  });

  it('An address with failed handshakes may connect with a valid key that is new to the process', async () => {
    const other = await bed.another();
    const address = await listen(other.http);
    await Promise.all(Array.from({ length: 40 }, () => refusal(address, {})));
    const listener = await connect(address, { key: org.live.key });
    open.push(listener);
  });

  it('Forged tickets cause no database query', async () => {
    const { ticket } = await ticketOf(org.live);
    const forged = `${ticket.slice(0, -43)}${'A'.repeat(43)}`;
    const asked: string[] = [];
    const query = bed.service.db.query.bind(bed.service.db);
    const spy = vi.spyOn(bed.service.db, 'query').mockImplementation((statement) => {
      asked.push(statement.text);
      return query(statement);
    });
    expectRefusal(await refusal(url, { query: { ticket: forged } }), 'unauthorized');
    spy.mockRestore();
    expect(asked.filter((text) => text.includes('stream_tickets'))).toEqual([]);
    await accepted({ query: { ticket } });
  });

  it("Handshakes with a valid key are limited by the organisation's setting, per address", async () => {
    await change({}, { handshakes_per_minute: 3 });
    const other = await bed.organisation();
    for (let n = 0; n < 3; n += 1) await accepted({ key: org.live.key });
    const answer = await refusal(url, { key: org.test.key });
    expectRefusal(answer, 'rate_limited');
    expect(answer.header('retry-after')).toBe('20');
    await accepted({ key: other.live.key });
    bed.clock.advance(20_000);
    await accepted({ key: org.live.key });
  });

  it('Handshakes count for the address of the socket, whatever a header says', async () => {
    const tries = Array.from({ length: 31 }, (_, n) =>
      refusal(url, { headers: { 'x-forwarded-for': `10.0.0.${n}` } }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  it('Behind trusted proxies, handshakes count for the last address that is not a proxy', async () => {
    const behind = await bed.another({
      settings: { LEDGER_TRUST_PROXY: '127.0.0.1, 10.9.0.0/16' },
    });
    const address = await listen(behind.http);
    const statusOf = async (forwarded: string) =>
      (await refusal(address, { headers: { 'x-forwarded-for': forwarded } })).status;
    const of = (name: (n: number) => string) =>
      Promise.all(Array.from({ length: 31 }, (_, n) => statusOf(name(n))));
    const refused = (statuses: readonly number[]) => statuses.filter((status) => status === 429);
    expect(refused(await of((n) => `10.0.0.${n}`))).toHaveLength(0);
    // What stands before it was sent by the client.
    expect(refused(await of((n) => `10.0.1.${n}, 192.0.2.7, 10.9.1.1`))).toHaveLength(1);
    expect(await statusOf('192.0.2.8, 10.9.1.1')).toBe(401);
  });

  it('Many valid keys of one address may connect concurrently', async () => {
    const keys: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      keys.push((await issue(org.live, { permissions: ['stream'] })).key);
    }
    const all = [...keys, ...keys].map((key) => accepted({ key }));
    expect(await Promise.all(all)).toHaveLength(80);
  });
});

describe('Connection limit', () => {
  it('The connection limit covers both modes, and a closed connection makes room', async () => {
    await change({ max_connections: 2 });
    const first = await accepted({ key: org.live.key });
    await accepted({ key: org.test.key });
    const answer = await refusal(url, { key: org.live.key });
    expectRefusal(answer, 'rate_limited');
    expect(answer.header('retry-after')).toBe('10');
    expect(answer.text).toContain('stream.max_connections');
    await first.close();
    const again = () => accepted({ key: org.live.key }).catch(() => null);
    await expect.poll(again).not.toBeNull();
  });

  it('Refused handshakes do not count as connections', async () => {
    await change({ max_connections: 1 });
    const { key } = org.live;
    await refusal(url, { key, query: { types: 'nonsense' } });
    await refusal(url, { key, query: { after: 'bent' } });
    await accepted({ key });
  });
});

describe('Tickets', () => {
  it('A ticket opens the stream of its ledger once', async () => {
    const { ticket, expires_at } = await ticketOf(org.test);
    expect(expires_at).toBe(new Date(bed.clock.now() + 60_000).toISOString());
    const listener = await accepted({ query: { ticket } });
    expect(listener.heartbeats[0]?.mode).toBe('test');
    expectRefusal(await refusal(url, { query: { ticket } }), 'unauthorized');
  });

  it('A ticket is requested with an empty body or none', async () => {
    for (const body of ['', '{}']) {
      dataOf(await org.live.post('/stream/tickets', body), StreamTicket, 201);
    }
    const answer = await org.live.post('/stream/tickets', '{"a":1}');
    expectRefusal(answer, 'validation_error', 'a');
  });

  it('A ticket used concurrently opens one connection', async () => {
    const { ticket } = await ticketOf(org.live);
    const tries = Array.from({ length: 5 }, () =>
      accepted({ query: { ticket } }).then(
        () => true,
        () => false,
      ),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  });

  it('A ticket expires after a minute', async () => {
    const { ticket } = await ticketOf(org.live);
    bed.clock.advance(60_000);
    expectRefusal(await refusal(url, { query: { ticket } }), 'unauthorized');
  });

  it('A ticket is void once its key is revoked', async () => {
    const issued = await issue(org.live, { permissions: ['stream'] });
    const { ticket } = await ticketOf(bed.client(issued.key));
    dataOf(await org.live.delete(`/keys/${issued.key_id}`), Key);
    expectRefusal(await refusal(url, { query: { ticket } }), 'unauthorized');
  });

  it('A ticket is not accepted in place of a key', async () => {
    const { ticket } = await ticketOf(org.live);
    const answer = await bed.client().get(`/decisions?ticket=${ticket}`);
    expectRefusal(answer, 'unauthorized');
  });

  it('A ticket is stored only as a hash', async () => {
    const { ticket } = await ticketOf(org.live);
    const secret = ticket.slice(-43);
    const rows = await bed.service.db.query<{ text: string }>({
      text: 'select row_to_json(t)::text as text from stream_tickets t',
      values: [],
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ text }) => text).join()).not.toContain(secret);
  });
});

it('Keys and tickets in the query are never logged', async () => {
  const { ticket } = await ticketOf(org.live);
  await accepted({ query: { ticket } });
  await accepted({ query: { key: org.live.key } });
  await refusal(url, { query: { key: UNKNOWN, ticket } });
  await refusal(url, { query: { ticket } });
  const log = bed.logLines.join('\n');
  expect(log).toContain('a stream was opened');
  for (const secret of [ticket, ticket.slice(-43), org.live.key, UNKNOWN]) {
    expect(log).not.toContain(secret);
  }
});
