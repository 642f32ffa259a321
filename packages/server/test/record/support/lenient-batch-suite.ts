import {
  DecisionBatchReceipt,
  DecisionPage,
  type RefusedDecision,
} from '@decision-ledger/contract/decision';
import { type Static, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Client, dataOf, decision, errorOf } from '../../support/client.js';
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

const LENIENT = { prefer: 'handling=lenient' };
const REPLAYED = 'idempotency-replayed';

/** Batches whose decisions are refused one by one. */
export function lenientBatchSuite(engine: Engine): void {
  describe(`Lenient batches on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      other = await bed.another();
    });
    beforeEach(async () => {
      org = await bed.organisation();
    });
    afterAll(() => bed.close());

    describe('Decisions', decisions);
    describe('The whole batch', whole);
    describe('Repeats', repeats);
    describe('Late decisions', late);
  });
}

/** A batch of texts of decisions. */
const textOf = (...texts: readonly string[]) => `{"decisions":[${texts.join(',')}]}`;
const good = (n: number, fields = {}) => JSON.stringify(decision({ inputs: { n }, ...fields }));
/** A decision with a JSON text as its inputs. */
const withInputs = (text: string) => good(0).replace('{"n":0}', text);
const send = (client: Client, body: string, headers = {}) =>
  client.post('/decisions/batch', body, { ...LENIENT, ...headers });

async function sent(client: Client, body: string, headers = {}) {
  const answer = await send(client, body, headers);
  const data = dataOf(answer, DecisionBatchReceipt, 201);
  expect(answer.header('preference-applied')).toBe('handling=lenient');
  return { ...data, refused: data.refused ?? [], isReplay: answer.header(REPLAYED) === 'true' };
}

/** The numbers of the decisions of a ledger, in the order of the chain. */
async function recorded(client: Client): Promise<unknown[]> {
  const { decisions } = dataOf(await client.get('/decisions?limit=500'), DecisionPage);
  return decisions.toSorted((a, b) => a.seq - b.seq).map(({ inputs }) => inputs?.n);
}

const Refusals = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Object({ refused: Type.Array(Type.Unsafe<RefusedDecision>(Type.Object({}))) }),
  }),
});

function refusalOf(answer: Answer): Static<typeof Refusals>['error'] {
  expect(answer.header('preference-applied')).toBe('handling=lenient');
  return Parse(Refusals, JSON.parse(answer.text)).error;
}

const FAULTS = {
  'a confidence above 1': good(0, { confidence: 2 }),
  'several wrong fields': good(0, { confidence: 2, agent_id: '', inputs: [], typo: 1 }),
  'no fields': '{}',
  'no object': '"sha256:0"',
  null: 'null',
  'a number beyond 2^53': withInputs('{"n":9007199254740993}'),
  'a number that is infinite': withInputs('{"a":[{"b c":1e999}]}'),
  'a duplicate key': withInputs('{"a":1,"a":2}'),
  'a duplicate field': good(0).replace('{', '{"agent_id":"twice",'),
  'a lone surrogate': withInputs('{"n":"\\ud83d"}'),
  'U+0000': withInputs('{"n":"\\u0000"}'),
  'the key __proto__': withInputs('{"__proto__":1}'),
  'deep nesting': withInputs(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`),
  'deepest nesting': withInputs(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`),
  'a field of 257 KiB': withInputs(`{"n":"${'x'.repeat(257 * 1024)}"}`),
  'a time that is none': good(0, { timestamp: '2026-02-30' }),
  'a time in the future': good(0, { timestamp: '2999-01-01T00:00:00Z' }),
  'a name of 400 characters': good(0, { ['x'.repeat(400)]: 1 }),
};

function decisions(): void {
  it.each(Object.entries(FAULTS))(
    'A decision with %s is refused alone, with the error of a strict batch',
    async (_, bad) => {
      const strict = await org.live.post('/decisions/batch', textOf(good(1), bad, good(3)));
      expect(await recorded(org.live)).toEqual([]);
      const answer = await sent(org.live, textOf(good(1), bad, good(3)));
      expect(answer.refused).toEqual([{ index: 1, error: errorOf(strict) }]);
      expect(answer.decisions.map(({ seq }) => seq)).toEqual([1, 2]);
      expect(answer.decisions[1]?.prev_hash).toBe(answer.decisions[0]?.hash);
      expect(await recorded(org.live)).toEqual([1, 3]);
    },
  );

  it('All faults at once refuse each its decision, in order', async () => {
    const bad = Object.values(FAULTS);
    const texts = bad.flatMap((text, n) => [good(n), text]);
    const answer = await sent(org.live, textOf(...texts));
    expect(answer.refused.map(({ index }) => index)).toEqual(bad.map((_, n) => 2 * n + 1));
    for (const { index, error } of answer.refused) {
      const names = Object.keys(error.details?.fields ?? {});
      expect(names.length).toBeGreaterThan(0);
      expect(names.every((name) => name.startsWith(`decisions[${index}]`))).toBe(true);
    }
    expect(await recorded(org.live)).toEqual(bad.map((_, n) => n));
  });

  it('A batch without faults is answered as a strict one, with no refusals', async () => {
    const { decisions, refused } = await sent(org.live, textOf(good(1), good(2)));
    expect([decisions.length, refused]).toEqual([2, []]);
  });

  it('If all decisions are refused, the answer is the error of the first, with those of all', async () => {
    const before = await contents(bed);
    const bad = [FAULTS['a confidence above 1'], FAULTS['a duplicate key']];
    const answer = await send(org.live, textOf(...bad), { 'idempotency-key': 'none' });
    const { code, message, details } = refusalOf(answer);
    expect([answer.status, code]).toEqual([422, 'validation_error']);
    expect(message).toBe(
      'nothing was recorded: all 2 decisions were refused, the first because the request is not valid: ' +
        'see decisions[0].confidence',
    );
    expect(details).toMatchObject({
      fields: { 'decisions[0].confidence': expect.anything() },
      refused: [{ index: 0 }, { index: 1, error: { code: 'validation_error' } }],
    });
    expect(await contents(bed)).toBe(before);
    // Its key is still free.
    await sent(org.live, textOf(good(1)), { 'idempotency-key': 'none' });
  });

  it('A refusal does not show a key that was sent in the wrong place', async () => {
    const answer = await send(org.live, textOf(good(1), good(2, { [org.live.key]: 1 })));
    expect(answer.status).toBe(201);
    expect(answer.text).not.toContain(org.live.key);
  });
}

function whole(): void {
  it.each([
    ['no JSON', '{"decisions":[{]}', 400],
    ['no decisions', '{"decisions":[]}', 422],
    ['101 decisions', textOf(...Array.from({ length: 101 }, () => good(1))), 422],
    ['101 refused ones', textOf(...Array.from({ length: 101 }, () => '1e999')), 422],
    ['an unknown member', `{"decisions":[${good(1)}],"other":1}`, 422],
    ['an unreadable member', `{"decisions":[${good(1)}],"other":1e999}`, 422],
    ['two lists', `{"decisions":[${good(1)}],"decisions":[${good(1)}]}`, 422],
    ['a list that is none', '{"decisions":{"0":1e999}}', 422],
    ['too many values', `{"decisions":[${withInputs(`{"a":[${'0,'.repeat(1e6)}0]}`)}]}`, 413],
  ] as const)('A batch with %s is refused as a whole', async (_, body, status) => {
    expect((await send(org.live, body)).status).toBe(status);
    expect(await recorded(org.live)).toEqual([]);
  });

  it.each([
    'handling=strict',
    'handling=strict, handling=lenient',
    'lenient',
    'return=minimal',
    '',
  ])('With the preference %j, all or none are recorded', async (prefer) => {
    const answer = await org.live.post('/decisions/batch', textOf(good(1), '{}'), { prefer });
    expect([answer.status, answer.header('preference-applied')]).toEqual([422, undefined]);
    const { text } = await org.live.post('/decisions/batch', textOf(good(1)), { prefer });
    expect(text).not.toContain('refused');
  });

  it.each(['Handling=Lenient', 'return=minimal, handling="lenient"; a=b', ' handling = lenient '])(
    'The preference %j is understood',
    async (prefer) => {
      const { refused } = await sent(org.live, textOf(good(1), '{}'), { prefer });
      expect(refused).toHaveLength(1);
    },
  );
}

function repeats(): void {
  const body = textOf(good(1), FAULTS['a duplicate key'], good(2), '{}');
  const again = (receipts: readonly object[]) =>
    receipts.map((receipt) => ({ ...receipt, replayed: true }));

  it('A batch with a key is answered the same again, also by another process', async () => {
    const header = { 'idempotency-key': 'whole' };
    const first = await sent(org.live, body, header);
    const before = await contents(bed);
    for (const client of [org.live, other.client(org.live.key)]) {
      const { decisions, refused, isReplay } = await sent(client, body, header);
      expect([decisions, refused]).toEqual([again(first.decisions), first.refused]);
      expect(isReplay).toBe(true);
    }
    expect(await contents(bed)).toBe(before);
  });

  it('Another batch under the same key is a conflict, also if only a refused decision or the handling differs', async () => {
    const header = { 'idempotency-key': 'whole' };
    await sent(org.live, body, header);
    const others = [
      body.replace('"a":1', '"a":3'),
      body.replace('{}', '{"b":1}'),
      body.replace('"n":2', '"n":3'),
    ];
    for (const one of others) {
      expect((await send(org.live, one, header)).status).toBe(409);
    }
    const strict = { 'idempotency-key': 'strict' };
    expect((await org.live.post('/decisions/batch', textOf(good(7)), strict)).status).toBe(201);
    expect((await send(org.live, textOf(good(7)), strict)).status).toBe(409);
    expect(await recorded(org.live)).toEqual([1, 2, 7]);
  });

  it('Decisions with keys of their own are recorded once, whatever is refused beside them', async () => {
    const keyed = (n: number, key: string) => good(n, { idempotency_key: key });
    const first = await sent(org.live, textOf(keyed(1, 'a'), '{}', keyed(2, 'b')));
    const second = await sent(org.live, textOf('{}', keyed(3, 'c'), keyed(2, 'b'), keyed(1, 'a')));
    expect(second.decisions.map(({ replayed }) => replayed)).toEqual([false, true, true]);
    expect(second.decisions.slice(1)).toEqual(again(first.decisions.toReversed()));
    const all = await sent(org.live, textOf(keyed(1, 'a'), '{}', keyed(2, 'b')));
    expect([all.isReplay, all.decisions]).toEqual([true, again(first.decisions)]);
    expect(all.refused).toEqual(first.refused);
    const strict = await org.live.post('/decisions/batch', textOf(keyed(3, 'c')));
    expect(strict.header(REPLAYED)).toBe('true');
  });

  it('A key that was used for another decision refuses that one alone', async () => {
    const keyed = (n: number, key: string) => good(n, { idempotency_key: key });
    await sent(org.live, textOf(keyed(1, 'a')));
    const answer = await sent(
      org.live,
      textOf(keyed(2, 'a'), keyed(3, 'b'), keyed(4, 'b'), keyed(3, 'b')),
    );
    expect(answer.decisions.map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(answer.refused.map(({ index, error }) => [index, error.code])).toEqual([
      [0, 'idempotency_conflict'],
      [2, 'idempotency_conflict'],
    ]);
    expect(answer.refused[0]?.error.message).toMatch(
      /^this decision was not recorded: decisions\[0\]\.idempotency_key a was already used/,
    );
    expect(await recorded(org.live)).toEqual([1, 3]);
  });

  it('Overlapping lenient batches at the same time record each decision once', async () => {
    const clients = [org.live, other.client(org.live.key)];
    const keyed = (n: number) => good(n % 4, { idempotency_key: `${n % 4}` });
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        sent(clients[n % 2] ?? org.live, textOf(keyed(n), '{}', keyed(n + 1), keyed(n + 2))),
      ),
    );
    expect((await recorded(org.live)).toSorted()).toEqual([0, 1, 2, 3]);
  });
}

function late(): void {
  beforeEach(async () => {
    await org.live.patch('/settings', { recording: { max_lateness_seconds: 86_400 } });
  });

  const old = '2020-01-01T00:00:00Z';

  it('A decision that comes too late is refused alone, and does not use its key', async () => {
    const bad = good(2, { timestamp: old, idempotency_key: 'a' });
    const answer = await sent(org.live, textOf(good(1), bad, good(3, { idempotency_key: 'a' })));
    expect(answer.refused).toMatchObject([{ index: 1, error: { code: 'too_late' } }]);
    const [refused] = answer.refused;
    expect(Object.keys(refused?.error.details?.fields ?? {})).toEqual(['decisions[1].timestamp']);
    expect(refused?.error.message).toMatch(/^this decision was not recorded: decisions\[1\]/);
    expect(await recorded(org.live)).toEqual([1, 3]);
  });

  it('If all come too late, nothing is recorded, and no key is used', async () => {
    const before = await contents(bed);
    const bad = good(1, { timestamp: old, idempotency_key: 'a' });
    const answer = await send(org.live, textOf(bad, '{}'), { 'idempotency-key': 'whole' });
    const { code, details } = refusalOf(answer);
    expect([answer.status, code]).toEqual([422, 'too_late']);
    expect(details.refused.map(({ index, error }) => [index, error.code])).toEqual([
      [0, 'too_late'],
      [1, 'validation_error'],
    ]);
    expect(await contents(bed)).toBe(before);
    await sent(org.live, textOf(good(1, { idempotency_key: 'a' })), { 'idempotency-key': 'whole' });
  });

  it('What was recorded before is answered, however late the repeat', async () => {
    await org.live.patch('/settings', { recording: null });
    const kept = good(1, { timestamp: old, idempotency_key: 'kept' });
    const first = await sent(org.live, textOf(kept));
    await org.live.patch('/settings', { recording: { max_lateness_seconds: 86_400 } });
    const again = await sent(org.live, textOf(kept, good(2, { timestamp: old })));
    expect(again.decisions).toEqual(
      first.decisions.map((receipt) => ({ ...receipt, replayed: true })),
    );
    expect(again.refused.map(({ index }) => index)).toEqual([1]);
  });
}
