import { IssuedKey, Key, KeyPage } from '@decision-ledger/contract/access';
import {
  type Activity,
  ActivityChainVerification,
  ActivityPage,
} from '@decision-ledger/contract/chain';
import { PERMISSIONS, type Permission } from '@decision-ledger/contract/permissions';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { judgeKey } from '#server/domains/access/keys/index';
import { formatKey } from '#server/domains/access/keys/rules/key';
import { type Client, dataOf, decision, errorOf, expectRefusal } from '../../support/client.js';
import {
  contents,
  type Engine,
  type Instance,
  type Organisation,
  openTestService,
  type TestService,
} from '../../support/service.js';

let bed: TestService;
let other: Instance;
let org: Organisation;

/** Keys are issued, listed and revoked over HTTP, and stop working when they should. */
export function keysSuite(engine: Engine): void {
  describe(`Keys on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      other = await bed.another();
    });
    beforeEach(async () => {
      org = await bed.organisation();
    });
    afterAll(() => bed.close());

    describe('Issuing', issuing);
    describe('Expiry', expiry);
    describe('Key diagnosis', judgement);
    describe('Revocation', revocation);
    describe('Permissions', permissions);
    describe('Modes', modes);
    describe('Idempotency-Key', idempotency);
    describe('Activity chain', activity);
  });
}

async function issue(client: Client, fields: object = {}): Promise<IssuedKey> {
  const body = { name: 'a key', permissions: ['read'], ...fields };
  return dataOf(await client.post('/keys', body), IssuedKey, 201);
}

const list = async (client: Client) => dataOf(await client.get('/keys'), KeyPage).keys;

async function activityOf(client: Client, subject: string): Promise<Activity[]> {
  const answer = await client.get(`/activity?subject=${subject}`);
  return dataOf(answer, ActivityPage).activity;
}

function issuing(): void {
  it('A new key is shown once and never again', async () => {
    const { key, ...shown } = await issue(org.live, { name: 'reader' });
    expect(key).toMatch(/^lg_live_[0-9A-Za-z]{38}$/);
    expect(shown).toMatchObject({ name: 'reader', mode: 'live', permissions: ['read'] });
    expect(shown).toMatchObject({ expires_at: null, revoked_at: null });
    const answer = await org.live.get('/keys');
    expect(answer.text).not.toContain(key);
    expect(dataOf(answer, KeyPage).keys[0]).toEqual(shown);
  });

  it('A new key works immediately, also in another process', async () => {
    const { key } = await issue(org.live);
    expect((await bed.client(key).get('/decisions')).status).toBe(200);
    expect((await other.client(key).get('/decisions')).status).toBe(200);
  });

  it('Keys are listed newest first, in pages without gaps or repeats', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.push((await issue(org.live)).key_id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: KeyPage = dataOf(await org.live.get(`/keys?limit=2${query}`), KeyPage);
      seen.push(...page.keys.map(({ key_id }) => key_id));
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(6);
    expect(seen.slice(0, 5)).toEqual(made.reverse());
  });

  it.for([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['no permissions', { permissions: undefined }, 'permissions'],
    ['an empty list of permissions', { permissions: [] }, 'permissions'],
    ['an unknown permission', { permissions: ['read', 'root'] }, 'permissions[1]'],
    ['a permission twice', { permissions: ['read', 'read'] }, 'permissions'],
    ['a mode of its own', { mode: 'live' }, 'mode'],
    ['an expiry that is now', { expires_at: '2026-04-16T09:30:00Z' }, 'expires_at'],
    ['an expiry that is no time', { expires_at: 'never' }, 'expires_at'],
    ['null as an expiry', { expires_at: null }, 'expires_at'],
  ] as const)('A key with %s is refused with 422', async ([, fields, field]) => {
    const before = await contents(bed);
    const body = { name: 'a key', permissions: ['read'], ...fields };
    expectRefusal(await org.live.post('/keys', body), 'validation_error', field);
    expect(await contents(bed)).toBe(before);
  });
}

function expiry(): void {
  it('A key stops working at its expiry to the millisecond, also in another process', async () => {
    const inOneMinute = new Date(bed.clock.now() + 60_000).toISOString();
    const { key, expires_at } = await issue(org.live, { expires_at: inOneMinute });
    expect(expires_at).toBe(inOneMinute);
    bed.clock.advance(59_999);
    expect((await bed.client(key).get('/decisions')).status).toBe(200);
    expect((await other.client(key).get('/decisions')).status).toBe(200);
    bed.clock.advance(1);
    expectRefusal(await bed.client(key).get('/decisions'), 'unauthorized');
    expectRefusal(await other.client(key).get('/decisions'), 'unauthorized');
  });
}

function judgement(): void {
  const judge = (text: string) => judgeKey(bed.service.installation, bed.clock, text);

  it('The reason for a refused key is reported to the operator and never in a response', async () => {
    const inOneMinute = new Date(bed.clock.now() + 60_000).toISOString();
    const { key, key_id } = await issue(org.test, { expires_at: inOneMinute });
    const verdict = await judge(key);
    expect(verdict).toMatchObject({ principal: { actor: key_id, scope: { mode: 'test' } } });
    expect(await judge(key.slice(0, -1))).toEqual({ problem: 'mistyped' });
    const unknown = formatKey('live', 'x'.repeat(32));
    expect(await judge(unknown)).toEqual({ problem: 'unknown' });
    bed.clock.advance(60_000);
    expect(await judge(key)).toEqual({ problem: 'expired' });
    const revoked = await issue(org.live);
    await org.live.delete(`/keys/${revoked.key_id}`);
    expect(await judge(revoked.key)).toEqual({ problem: 'revoked' });
  });
}

function revocation(): void {
  it('A revoked key stops working immediately here and within a second in another process', async () => {
    const { key, key_id } = await issue(org.live);
    expect((await bed.client(key).get('/decisions')).status).toBe(200);
    expect((await other.client(key).get('/decisions')).status).toBe(200);
    const revoked = dataOf(await org.live.delete(`/keys/${key_id}`), Key);
    expect(revoked.revoked_at).not.toBeNull();
    expectRefusal(await bed.client(key).get('/decisions'), 'unauthorized');
    bed.clock.advance(1000);
    expectRefusal(await other.client(key).get('/decisions'), 'unauthorized');
  });

  it('A revoked key stays in the list, marked as revoked', async () => {
    const { key_id } = await issue(org.live);
    const revoked = dataOf(await org.live.delete(`/keys/${key_id}`), Key);
    expect((await list(org.live)).find((key) => key.key_id === key_id)).toEqual(revoked);
  });

  it('Revoking a key again changes nothing', async () => {
    const { key_id } = await issue(org.live);
    const first = dataOf(await org.live.delete(`/keys/${key_id}`), Key);
    const before = await contents(bed);
    expect(dataOf(await org.live.delete(`/keys/${key_id}`), Key)).toEqual(first);
    expect(await contents(bed)).toBe(before);
  });

  it('Eight concurrent revocations of a key take effect once', async () => {
    const { key_id } = await issue(org.live);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => org.live.delete(`/keys/${key_id}`)),
    );
    const times = answers.map((answer) => dataOf(answer, Key).revoked_at);
    expect(new Set(times).size).toBe(1);
    const recorded = await activityOf(org.live, key_id);
    expect(recorded.map(({ type }) => type)).toEqual(['key.revoked', 'key.issued']);
  });

  it('A key may revoke itself', async () => {
    const { key, key_id } = await issue(org.live, { permissions: ['admin'] });
    const own = bed.client(key);
    dataOf(await own.delete(`/keys/${key_id}`), Key);
    expectRefusal(await own.get('/keys'), 'unauthorized');
  });
}

function permissions(): void {
  it('A key cannot grant permissions that it does not hold', async () => {
    const { key } = await issue(org.live, { permissions: ['admin', 'read'] });
    const admin = bed.client(key);
    for (const permission of PERMISSIONS) {
      const held = ['admin', 'read'].includes(permission);
      const before = await contents(bed);
      const answer = await admin.post('/keys', { name: 'x', permissions: ['read', permission] });
      if (held) continue;
      expectRefusal(answer, 'forbidden');
      expect(errorOf(answer).message).toContain(permission);
      expect(await contents(bed)).toBe(before);
    }
    expect((await issue(admin, { permissions: ['admin', 'read'] })).permissions).toEqual([
      'admin',
      'read',
    ]);
  });

  it('Permissions cannot be widened through a chain of keys', async () => {
    const { key } = await issue(org.live, { permissions: ['admin'] });
    const { key: second } = await issue(bed.client(key), { permissions: ['admin'] });
    const wanted: Permission[] = ['admin', 'ingest'];
    const answer = await bed.client(second).post('/keys', { name: 'x', permissions: wanted });
    expectRefusal(answer, 'forbidden');
  });
}

function modes(): void {
  it('A key creates, lists and revokes only keys of its own mode', async () => {
    const live = await issue(org.live);
    const test = await issue(org.test);
    expect([live.mode, test.mode]).toEqual(['live', 'test']);
    expect(test.key).toMatch(/^lg_test_/);
    const ids = async (client: Client) => (await list(client)).map(({ key_id }) => key_id);
    expect(await ids(org.live)).not.toContain(test.key_id);
    expect(await ids(org.test)).not.toContain(live.key_id);
    const before = await contents(bed);
    expectRefusal(await org.live.delete(`/keys/${test.key_id}`), 'not_found');
    expectRefusal(await org.test.delete(`/keys/${live.key_id}`), 'not_found');
    expect(await contents(bed)).toBe(before);
    for (const { key } of [live, test]) {
      expect((await bed.client(key).get('/decisions')).status).toBe(200);
    }
  });
}

function idempotency(): void {
  const body = { name: 'once', permissions: ['read'] };

  it('A repeated request makes one key, and the answer names it without the secret', async () => {
    const headers = { 'idempotency-key': 'make it once' };
    const issued = dataOf(await org.live.post('/keys', body, headers), IssuedKey, 201);
    const before = await contents(bed);
    for (const instance of [bed, other]) {
      const again = await instance.client(org.live.key).post('/keys', body, headers);
      expectRefusal(again, 'idempotency_conflict');
      expect(again.text).toContain(issued.key_id);
      expect(again.text).not.toContain(issued.key);
      expect(again.header('idempotency-replayed')).toBeUndefined();
    }
    expect(await contents(bed)).toBe(before);
  });

  it('Eight concurrent requests with one Idempotency-Key make one key', async () => {
    const headers = { 'idempotency-key': 'at once' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => org.live.post('/keys', body, headers)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect((await list(org.live)).filter(({ name }) => name === 'once')).toHaveLength(1);
  });

  it('Reusing an Idempotency-Key for another key, or after a decision, is a conflict', async () => {
    const headers = { 'idempotency-key': 'for a decision' };
    const recorded = await org.live.post('/decisions', decision(), headers);
    expect(recorded.status).toBe(201);
    const crossed = await org.live.post('/keys', body, headers);
    expectRefusal(crossed, 'idempotency_conflict');
    expect(crossed.text).not.toContain('dec_');
    const renamed = { 'idempotency-key': 'for a key' };
    await org.live.post('/keys', body, renamed);
    const answer = await org.live.post('/keys', { ...body, name: 'another' }, renamed);
    expectRefusal(answer, 'idempotency_conflict');
    expectRefusal(await org.live.post('/decisions', decision(), renamed), 'idempotency_conflict');
  });

  it('A refused request leaves its Idempotency-Key free', async () => {
    const headers = { 'idempotency-key': 'second try' };
    const refused = await org.live.post('/keys', { ...body, expires_at: 'never' }, headers);
    expectRefusal(refused, 'validation_error', 'expires_at');
    dataOf(await org.live.post('/keys', body, headers), IssuedKey, 201);
  });
}

function activity(): void {
  it('The activity chain records every issue and revocation with its actor', async () => {
    const { key, key_id: admin } = await issue(org.live, { permissions: ['admin', 'read'] });
    const { key_id, key: short } = await issue(bed.client(key), {
      name: 'short',
      expires_at: '2030-01-01T00:00:00Z',
    });
    dataOf(await org.live.delete(`/keys/${key_id}`), Key);
    const [operator] = (await list(org.live)).slice(-1);
    const [revoked, issued, ...rest] = await activityOf(org.live, key_id);
    expect(rest).toEqual([]);
    expect(revoked).toMatchObject({
      type: 'key.revoked',
      actor: operator?.key_id,
      subject: key_id,
    });
    expect(revoked?.data).toEqual({ name: 'short' });
    expect(issued).toMatchObject({ type: 'key.issued', actor: admin, subject: key_id });
    expect(issued?.data).toEqual({
      name: 'short',
      permissions: ['read'],
      expires_at: '2030-01-01T00:00:00.000Z',
      // The table holds the hash of the key; the chain, the hash of that.
      key_digest: sha256Hex(sha256Hex(short)),
    });
  });

  it('The activity chain records the first keys, made by the operator, and verifies', async () => {
    await issue(org.test);
    const { activity: changes } = dataOf(await org.test.get('/activity'), ActivityPage);
    expect(changes.map(({ type, seq }) => [type, seq])).toEqual([
      ['key.issued', 2],
      ['key.issued', 1],
    ]);
    expect(changes[1]?.actor).toBe('operator');
    const verified = dataOf(
      await org.test.get('/activity/chain/verify'),
      ActivityChainVerification,
    );
    expect(verified).toMatchObject({ is_valid: true, records_checked: 2, first_broken_link: null });
  });
}
