import { LIMITS } from '@decision-ledger/contract/limits';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, decision, errorOf, expectRefusal } from '../support/client.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
});
afterAll(() => bed.close());

const list = (item: string, times: number) => `[${`${item},`.repeat(times - 1)}${item}]`;
const members = (times: number, from = 0) =>
  Array.from({ length: times }, (_, n) => `"k${n + from}":1`).join();
const key = (permissions: string) => `{"name":"a","permissions":${permissions}}`;
const fields = (names: string) => `{"reason":"a","fields":${names}}`;

const MILLION = LIMITS.bodyValues;
const ERASE = '/decisions/dec_01kpat0fe0ec88qqtsarzj0nhh/erase';

/** CPU time of the process while a request is answered, in ms. */
async function costOf(send: () => Promise<Answer>): Promise<[Answer, number]> {
  const start = process.cpuUsage();
  const answer = await send();
  const { user, system } = process.cpuUsage(start);
  return [answer, (user + system) / 1000];
}

describe('Cost of refused bodies', () => {
  it.each([
    ['40,000 permissions', '/keys', key(list('1', 40_000)), 'permissions'],
    ['a mebibyte of permissions', '/keys', key(list('1', 500_000)), 'permissions'],
    ['the same permission 100,000 times', '/keys', key(list('"read"', 100_000)), 'permissions'],
    ['half a million fields to erase', ERASE, fields(list('1', 500_000)), 'fields'],
    ['the same field 90,000 times', ERASE, fields(list('"inputs"', 90_000)), 'fields'],
    [
      'nearly a million decisions',
      '/decisions/batch',
      `{"decisions":${list('1', MILLION - 10)}}`,
      'decisions',
    ],
    [
      'nearly a million empty decisions',
      '/decisions/batch',
      `{"decisions":${list('{}', MILLION - 10)}}`,
      'decisions',
    ],
  ])('A body with %s is refused within 3 seconds of CPU', async (_what, path, body, field) => {
    const [answer, cost] = await costOf(() => org.live.post(path, body));
    expectRefusal(answer, 'validation_error', field);
    expect(answer.text.length).toBeLessThan(1000);
    // Limits a cost that once was ten seconds to five minutes.
    expect(cost).toBeLessThan(3000);
  });

  it('A body of unknown fields is refused with twenty of them named', async () => {
    const body = `{${members(LIMITS.bodyMembers)}}`;
    const [answer, cost] = await costOf(() => org.live.post('/decisions/batch', body));
    const { code, details } = errorOf(answer);
    expect(code).toBe('validation_error');
    expect(Object.keys(details?.fields ?? {})).toHaveLength(LIMITS.errorFields);
    expect(cost).toBeLessThan(6000);
  });

  it('A field name as long as the body is cut in the error', async () => {
    const body = `{"${'k'.repeat(1_000_000)}":1}`;
    for (const path of ['/decisions', '/decisions/batch', '/keys', '/links', '/exports']) {
      const answer = await org.live.post(path, body);
      expect(errorOf(answer).code).toBe('validation_error');
      expect(answer.text.length).toBeLessThan(3000);
    }
    const twice = await org.live.post('/decisions', `{"${'k'.repeat(400_000)}":{"a":1,"a":2}}`);
    expect(errorOf(twice).code).toBe('validation_error');
    expect(twice.text.length).toBeLessThan(3000);
  });
});

describe('Body size limit', () => {
  const tooLarge = async (body: string) => {
    const [answer, cost] = await costOf(() => org.live.post('/decisions/batch', body));
    expectRefusal(answer, 'payload_too_large');
    expect(cost).toBeLessThan(3000);
    return errorOf(answer).message;
  };

  it.each(['1', '{}', '[]', '""', 'null', '{"a":1}'])(
    'A body with more than a million values such as %s is refused as too large',
    async (item) => {
      const message = await tooLarge(`{"decisions":${list(item, MILLION)}}`);
      expect(message).toContain(`more than ${MILLION} values`);
      expect(message).toContain('in parts');
    },
  );

  it('A body with more than the maximum number of members is refused as too large', async () => {
    const half = LIMITS.bodyMembers / 2;
    const message = await tooLarge(`[{${members(half)}},{${members(half, half)},"last":1}]`);
    expect(message).toContain(`more than ${LIMITS.bodyMembers} members`);
  });
});

it('A decision with many values is recorded whole', async () => {
  const embedding = Array.from({ length: 40_000 }, (_, n) => n % 10);
  const answer = await org.live.post('/decisions', decision({ inputs: { embedding } }));
  expect(answer, answer.text.slice(0, 300)).toMatchObject({ status: 201 });
});

it('A batch of the largest payloads is recorded in order, in several pieces', async () => {
  const big = (n: number) => decision({ agent_id: `a${n}`, inputs: { text: 'x'.repeat(250_000) } });
  const decisions = Array.from({ length: 30 }, (_, n) => big(n));
  const answer = await org.test.post('/decisions/batch', { decisions });
  expect(answer, answer.text.slice(0, 300)).toMatchObject({ status: 201 });
  const page = await org.test.get('/decisions?limit=30');
  const agents = Array.from(page.text.matchAll(/"agent_id":"a(\d+)"/g), ([, n]) => Number(n));
  expect(agents.sort((a, b) => a - b)).toEqual(decisions.map((_, n) => n));
  const seqs = Array.from(answer.text.matchAll(/"seq":(\d+)/g), ([, seq]) => Number(seq));
  expect(seqs).toEqual(decisions.map((_, n) => n + 1));
});
