import {
  IssuedKey,
  Key,
  OpenedSession,
  Session,
  SessionPage,
} from '@decision-ledger/contract/access';
import { ActivityChainVerification, ActivityPage } from '@decision-ledger/contract/chain';
import { PERMISSIONS, type Permission } from '@decision-ledger/contract/permissions';
import { StreamTicket } from '@decision-ledger/contract/stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { credentialText } from '#server/domains/access/keys/index';
import {
  type Answer,
  type Client,
  dataOf,
  decision,
  errorOf,
  expectRefusal,
  request,
} from '../../support/client.js';
import {
  type Engine,
  type Instance,
  type Organisation,
  openTestService,
  type TestService,
} from '../../support/service.js';
import { connect, listen, refusal } from '../../support/stream.js';

const HOUR = 3_600_000;

let bed: TestService;
let other: Instance;
let org: Organisation;

/** Sessions of people. */
export function sessionsSuite(engine: Engine): void {
  describe(`Sessions on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      other = await bed.another();
    });
    beforeEach(async () => {
      org = await bed.organisation();
      bed.clock.advance(61_000);
    });
    afterAll(() => bed.close());

    describe('Use', use);
    describe('End', end);
    describe('Visibility', visibility);
    describe('Secrecy', secrecy);
    describe('Stream', stream);
  });
}

const open = async (client: Client, body: object = { name: 'Ada Lovelace' }) =>
  dataOf(await client.post('/sessions', body), OpenedSession, 201);

async function keyWith(permissions: readonly Permission[], more = {}) {
  const body = { name: 'a key', permissions, ...more };
  const issued = dataOf(await org.live.post('/keys', body), IssuedKey, 201);
  return { ...issued, client: bed.client(issued.key) };
}

const bearer = (token: string) =>
  request(bed.http, 'GET', '/api/v1/decisions', { authorization: `Bearer ${token}` });

function use(): void {
  it('A token works in either header, with the permissions of the key', async () => {
    const key = await keyWith(['read', 'ingest']);
    const session = await open(key.client);
    expect(session).toMatchObject({ name: 'Ada Lovelace', key_id: key.key_id, mode: 'live' });
    expect(session.permissions).toEqual(['read', 'ingest']);
    expect(session.token).toMatch(/^lgs_live_[0-9A-Za-z]{38}$/);
    expect((await bearer(session.token)).status).toBe(200);
    const client = bed.client(session.token);
    expect((await client.post('/decisions', decision())).status).toBe(201);
    expectRefusal(await client.get('/keys'), 'forbidden');
  });

  it('A session has at most the permissions of its key, and may have fewer', async () => {
    const key = await keyWith(['read', 'review']);
    const wide = await key.client.post('/sessions', {
      name: 'Ada',
      permissions: ['read', 'admin'],
    });
    expectRefusal(wide, 'forbidden');
    const narrow = await open(key.client, { name: 'Ada', permissions: ['review'] });
    expect(narrow.permissions).toEqual(['review']);
    expectRefusal(await bed.client(narrow.token).get('/decisions'), 'forbidden');
  });

  it('A session opens no session, and issues no key with further permissions', async () => {
    const permissions = PERMISSIONS.filter((permission) => permission !== 'erase');
    const { token } = await open(org.live, { name: 'Ada', permissions });
    const client = bed.client(token);
    expectRefusal(await client.post('/sessions', { name: 'Eve' }), 'forbidden');
    const wide = { name: 'wide', permissions: ['read', 'erase'] };
    expectRefusal(await client.post('/keys', wide), 'forbidden');
    dataOf(await client.post('/keys', { name: 'own', permissions: ['read'] }), IssuedKey, 201);
  });

  it.for([
    ['empty', ''],
    ['only spaces', '   '],
    ['on two lines', 'Ada\nLovelace'],
    ['201 characters long', 'x'.repeat(201)],
  ] as const)('A name is refused if it is %s', async ([, name]) => {
    expectRefusal(await org.live.post('/sessions', { name }), 'validation_error', 'name');
  });

  it('Everything that a session changes is recorded under its person', async () => {
    const { token, session_id, key_id } = await open(org.live, { name: 'Zoë Ünal' });
    const client = bed.client(token);
    dataOf(await client.post('/keys', { name: 'own', permissions: ['read'] }), IssuedKey, 201);
    dataOf(await client.delete(`/sessions/${session_id}`), Session);
    const { activity } = dataOf(await org.live.get('/activity'), ActivityPage);
    const [revoked, issued, created] = activity;
    const actor = `Zoë Ünal (${session_id})`;
    expect(revoked).toMatchObject({ type: 'session.revoked', actor, subject: session_id });
    expect(issued).toMatchObject({ type: 'key.issued', actor });
    expect(created).toMatchObject({ type: 'session.created', actor: key_id, subject: session_id });
    expect(created?.data).toMatchObject({ name: 'Zoë Ünal', permissions: [...PERMISSIONS] });
    const verified = await org.live.get('/activity/chain/verify');
    expect(dataOf(verified, ActivityChainVerification).is_valid).toBe(true);
  });
}

async function expectEnded(token: string): Promise<void> {
  const nobody = await bed.client().get('/decisions');
  for (const answer of [await bearer(token), await bed.client(token).get('/decisions')]) {
    expectRefusal(answer, 'unauthorized');
    expect(answer.text).toBe(nobody.text);
  }
}

function end(): void {
  it('A session ends after eight hours', async () => {
    const { token, expires_at } = await open(org.live);
    expect(Date.parse(expires_at) - bed.clock.now()).toBe(8 * HOUR);
    bed.clock.advance(8 * HOUR - 1);
    expect((await bearer(token)).status).toBe(200);
    bed.clock.advance(1);
    await expectEnded(token);
  });

  it('A session ends when its key expires', async () => {
    const expiresAt = new Date(bed.clock.now() + HOUR).toISOString();
    const key = await keyWith(['read'], { expires_at: expiresAt });
    const { token, expires_at } = await open(key.client);
    expect(expires_at).toBe(expiresAt);
    bed.clock.advance(HOUR);
    await expectEnded(token);
  });

  it('A session ends when its key is revoked, in every process', async () => {
    const key = await keyWith(['read']);
    const { token } = await open(key.client);
    const elsewhere = other.client(token);
    expect((await elsewhere.get('/decisions')).status).toBe(200);
    expect((await bearer(token)).status).toBe(200);
    dataOf(await org.live.delete(`/keys/${key.key_id}`), Key);
    await expectEnded(token);
    bed.clock.advance(1000);
    expectRefusal(await elsewhere.get('/decisions'), 'unauthorized');
  });

  it('A revoked session ends at once here and within a second elsewhere; its key lives on', async () => {
    const { token, session_id } = await open(org.live);
    const elsewhere = other.client(token);
    expect((await elsewhere.get('/decisions')).status).toBe(200);
    const revoked = dataOf(await org.live.delete(`/sessions/${session_id}`), Session);
    expect(revoked.revoked_at).not.toBeNull();
    await expectEnded(token);
    bed.clock.advance(1000);
    expectRefusal(await elsewhere.get('/decisions'), 'unauthorized');
    expect(dataOf(await org.live.delete(`/sessions/${session_id}`), Session)).toEqual(revoked);
    expect((await org.live.get('/decisions')).status).toBe(200);
  });
}

async function listed(client: Client): Promise<string[]> {
  const page = dataOf(await client.get('/sessions'), SessionPage);
  return page.sessions.map(({ session_id }) => session_id);
}

function visibility(): void {
  it('A caller with admin sees all sessions, a key its own, and a session only itself', async () => {
    const [one, two] = [await keyWith(['read']), await keyWith(['read'])];
    const [a, b, c] = [await open(one.client), await open(one.client), await open(two.client)];
    const ids = [c, b, a].map(({ session_id }) => session_id);
    expect(await listed(org.live)).toEqual(ids);
    expect(await listed(one.client)).toEqual([b.session_id, a.session_id]);
    expect(await listed(bed.client(a.token))).toEqual([a.session_id]);
    for (const client of [two.client, bed.client(b.token)]) {
      expectRefusal(await client.delete(`/sessions/${a.session_id}`), 'not_found');
    }
    expect((await bearer(a.token)).status).toBe(200);
    dataOf(await bed.client(a.token).delete(`/sessions/${a.session_id}`), Session);
    await expectEnded(a.token);
  });

  it('Sessions are listed page by page, without their tokens', async () => {
    const opened = [await open(org.live), await open(org.live), await open(org.live)];
    const first = await org.live.get('/sessions?limit=2');
    const { sessions, next_cursor } = dataOf(first, SessionPage);
    const second = await org.live.get(`/sessions?limit=2&cursor=${next_cursor}`);
    const all = [...sessions, ...dataOf(second, SessionPage).sessions];
    expect(all.map(({ session_id }) => session_id)).toEqual(
      opened.map(({ session_id }) => session_id).reverse(),
    );
    for (const { token } of opened) expect(first.text + second.text).not.toContain(token);
  });
}

const guess = (n: number) => credentialText('lgs').format('live', String(n).padStart(32, '0'));

function secrecy(): void {
  it('A token is neither stored nor logged, wherever a caller puts it', async () => {
    const from = bed.logLines.length;
    const { token } = await open(org.live);
    const answers = [
      await bearer(token),
      await org.live.get(`/decisions?agent_id=${token}`),
      await org.live.get(`/decisions/${token}`),
      await request(bed.http, 'GET', `/api/v1/decisions?key=${token}`),
      await request(bed.http, 'GET', `/nothing?ticket=${token}`),
      await org.live.post('/sessions', { name: 'Ada', [token]: 1 }),
    ];
    const secret = token.slice('lgs_live_'.length, -6);
    const shown = (answer: Answer) => answer.text;
    for (const text of [...bed.logLines.slice(from), ...answers.map(shown)]) {
      expect(text).not.toContain(secret);
    }
    const rows = await bed.service.db.query<{ text: string }>({
      text: 'select row_to_json(s)::text as text from sessions s',
      values: [],
    });
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toContain(secret);
  });

  it('Guessed tokens are limited like guessed keys', async () => {
    const codes: string[] = [];
    for (let n = 0; n < 35; n += 1) codes.push(errorOf(await bearer(guess(n))).code);
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(30);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(5);
    // A mistyped token is refused without a lookup and does not count.
    expectRefusal(await bearer(`${guess(99).slice(0, -1)}x`), 'unauthorized');
  });

  it('Requests of a session count for the organisation', async () => {
    const { token } = await open(org.live);
    const answer = await bearer(token);
    expect(answer.header('ratelimit-policy')).toBe('"read";q=1000000;w=1');
  });
}

function stream(): void {
  it('A session opens the stream by its token and by a ticket, and its end closes both', async () => {
    const url = await listen((await bed.another()).http);
    const { token, session_id } = await open(org.live);
    const answer = await bed.client(token).post('/stream/tickets', '');
    const { ticket } = dataOf(answer, StreamTicket, 201);
    const late = dataOf(await bed.client(token).post('/stream/tickets', ''), StreamTicket, 201);
    const listeners = [
      await connect(url, { headers: { authorization: `Bearer ${token}` } }),
      await connect(url, { query: { ticket } }),
    ];
    await org.live.post('/decisions', decision());
    for (const listener of listeners) await listener.until(({ events }) => events.length > 0);
    dataOf(await org.live.delete(`/sessions/${session_id}`), Session);
    for (const { ended } of listeners) expect((await ended).code).toBe(4001);
    expectRefusal(await refusal(url, { query: { ticket: late.ticket } }), 'unauthorized');
  });
}
