import { IssuedKey, Key } from '@decision-ledger/contract/access';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatKey } from '#server/domains/access/keys/rules/key';
import { dataOf, errorOf, expectRefusal } from '../support/client.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation();
  bed.clock.advance(61_000);
});
afterAll(() => bed.close());

/** A well-formed key that was never issued. */
const guess = (n: number) => formatKey('live', String(n).padStart(32, '0'));

const tryKey = (key: string) => bed.client().get('/keys', { 'x-ledger-key': key });

async function lookupsDuring(work: () => Promise<unknown>): Promise<number> {
  const query = bed.service.db.query.bind(bed.service.db);
  let lookups = 0;
  const spy = vi.spyOn(bed.service.db, 'query').mockImplementation((statement) => {
    if (statement.text.includes('key_hash = any')) lookups += 1;
    return query(statement);
  });
  await work();
  spy.mockRestore();
  return lookups;
}

describe('Guessed keys', () => {
  it('Guessed keys get 401 thirty times a minute per address, then 429', async () => {
    const codes: string[] = [];
    for (let n = 0; n < 35; n += 1) codes.push(errorOf(await tryKey(guess(n))).code);
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(30);
    const refused = await tryKey(guess(99));
    expectRefusal(refused, 'rate_limited');
    expect(refused.header('retry-after')).toBe('2');
    expect(refused.header('ratelimit-policy')).toBe('"key_failures";q=30;w=60');
    // Neither is looked up, so neither counts.
    expectRefusal(await bed.client().get('/keys'), 'unauthorized');
    expectRefusal(await tryKey('nonsense'), 'unauthorized');
  });

  it('A flood of guessed keys costs the database only a few lookups per second', async () => {
    const lookups = await lookupsDuring(() =>
      Promise.all(Array.from({ length: 1000 }, (_, n) => tryKey(guess(n)))),
    );
    expect(lookups).toBeLessThanOrEqual(30 + 5);
  });

  it('Valid keys at the address of a guesser still work, whether or not they were seen before', async () => {
    const body = { name: 'fresh', permissions: ['admin'] };
    const fresh = dataOf(await org.live.post('/keys', body), IssuedKey, 201);
    const guesses = Array.from({ length: 200 }, (_, n) => tryKey(guess(n)));
    const [first, again] = await Promise.all([tryKey(fresh.key), org.live.get('/keys')]);
    expect([first.status, again.status]).toEqual([200, 200]);
    await Promise.all(guesses);
    bed.clock.advance(2000);
    await Promise.all(Array.from({ length: 40 }, (_, n) => tryKey(guess(n))));
    const lookups = await lookupsDuring(async () => {
      expect((await tryKey(fresh.key)).status).toBe(200);
    });
    expect(lookups).toBe(1);
  });

  it('Revoked keys count as failed attempts', async () => {
    const body = { name: 'old', permissions: ['read'] };
    const old = dataOf(await org.live.post('/keys', body), IssuedKey, 201);
    dataOf(await org.live.delete(`/keys/${old.key_id}`), Key);
    const codes: string[] = [];
    for (let n = 0; n < 32; n += 1) codes.push(errorOf(await tryKey(old.key)).code);
    expect(codes.slice(30)).toEqual(['rate_limited', 'rate_limited']);
  });
});
