import {
  DecisionBatchReceipt,
  DecisionPage,
  DecisionReceipt,
} from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Client, dataOf, decision, expectRefusal } from '../../support/client.js';
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

const REPLAYED = 'idempotency-replayed';

/** A request that arrives twice is carried out once. */
export function idempotencySuite(engine: Engine): void {
  describe(`Idempotency-Key on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      other = await bed.another();
    });
    beforeEach(async () => {
      org = await bed.organisation();
    });
    afterAll(() => bed.close());

    describe('Repeated requests', again);
    describe('Concurrent requests', atOnce);
    describe('Other requests', conflicts);
    describe('Key text', itself);
  });
}

const send = (client: Client, key: string, body: unknown = decision(), path = '/decisions') =>
  client.post(path, body, { 'idempotency-key': key });

const receiptOf = (answer: Answer) => dataOf(answer, DecisionReceipt, 201);

/** The receipts of a batch, which is wholly recorded or wholly replayed, as its header says. */
function receiptsOf(answer: Answer) {
  const isReplay = answer.header(REPLAYED) === 'true';
  return dataOf(answer, DecisionBatchReceipt, 201).decisions.map(({ replayed, ...receipt }) => {
    expect(replayed).toBe(isReplay);
    return receipt;
  });
}

async function count(client: Client): Promise<number> {
  return dataOf(await client.get('/decisions?limit=500'), DecisionPage).decisions.length;
}

function again(): void {
  it('A repeated request gets the first answer, marked as replayed, and writes nothing', async () => {
    const first = await send(org.live, 'once');
    expect(first.header(REPLAYED)).toBeUndefined();
    const before = await contents(bed);
    for (const client of [org.live, other.client(org.live.key)]) {
      const second = await send(client, 'once');
      expect(second.header(REPLAYED)).toBe('true');
      expect(receiptOf(second)).toEqual(receiptOf(first));
    }
    expect(await contents(bed)).toBe(before);
  });

  it('A repeated batch gets the first answer in its order', async () => {
    const body = { decisions: [1, 2, 3].map((n) => decision({ inputs: { n } })) };
    const first = receiptsOf(await send(org.live, 'batch', body, '/decisions/batch'));
    const second = await send(org.live, 'batch', body, '/decisions/batch');
    expect(second.header(REPLAYED)).toBe('true');
    expect(receiptsOf(second)).toEqual(first);
    expect(await count(org.live)).toBe(3);
  });

  it('The same body is recognised however it is written', async () => {
    const body = decision({ inputs: { a: 1, b: 'é' } });
    const first = receiptOf(await send(org.live, 'spelling', body));
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    const spaced = JSON.stringify(reversed, null, 2).replace('é', '\\u00e9').replace('0.9', '9e-1');
    const second = await send(org.live, 'spelling', spaced);
    expect(second.header(REPLAYED)).toBe('true');
    expect(receiptOf(second)).toEqual(first);
  });

  it('A repeat gets the first answer a month later, after newer decisions', async () => {
    const first = receiptOf(await send(org.live, 'old'));
    for (let n = 0; n < 3; n += 1) await send(org.live, `newer ${n}`);
    bed.clock.advance(30 * 86_400_000);
    expect(receiptOf(await send(org.live, 'old'))).toEqual(first);
  });
}

function atOnce(): void {
  it('Concurrent repeats write one decision, and all callers get its receipt', async () => {
    const clients = [org.live, other.client(org.live.key)];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => send(clients[n % 2] ?? org.live, 'crowd')),
    );
    const ids = answers.map((answer) => receiptOf(answer).decision_id);
    expect(new Set(ids).size).toBe(1);
    expect(answers.filter((answer) => answer.header(REPLAYED) !== 'true')).toHaveLength(1);
    expect(await count(org.live)).toBe(1);
  });

  it('Concurrent repeats of a batch write one batch', async () => {
    const body = { decisions: [decision(), decision()] };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(org.live, 'crowd', body, '/decisions/batch')),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(receiptsOf(answer)))).size).toBe(1);
    expect(await count(org.live)).toBe(2);
  });

  it('Two bodies sent concurrently with one key keep one, and the other is a conflict', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        send(org.live, 'two', decision({ inputs: { n: n % 2 } })),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
    expect(await count(org.live)).toBe(1);
  });

  it('A conflict does not fail the requests beside it', async () => {
    receiptOf(await send(org.live, 'taken'));
    const [conflict, ...others] = await Promise.all([
      send(org.live, 'taken', decision({ inputs: {} })),
      ...[1, 2, 3, 4].map((n) => send(org.live, `free ${n}`)),
      org.live.post('/decisions', decision()),
    ]);
    expectRefusal(conflict, 'idempotency_conflict');
    const seqs = others.map((answer) => receiptOf(answer).seq).sort();
    expect(seqs).toEqual([2, 3, 4, 5, 6]);
  });
}

function conflicts(): void {
  it.for([
    ['another field', decision({ metadata: {} })],
    ['another number', decision({ confidence: 0.90001 })],
    ['another type', decision({ inputs: { order: '1' } })],
    ['another case', decision({ agent_id: 'Agent' })],
  ] as const)('A used key is refused with 409 for another body: %s', async ([, body]) => {
    receiptOf(await send(org.live, 'used'));
    const before = await contents(bed);
    expectRefusal(await send(org.live, 'used', body), 'idempotency_conflict');
    expect(await contents(bed)).toBe(before);
  });

  it('A used key is refused with 409 on another path', async () => {
    receiptOf(await send(org.live, 'used'));
    const body = { decisions: [decision()] };
    expectRefusal(await send(org.live, 'used', body, '/decisions/batch'), 'idempotency_conflict');
    expect(await count(org.live)).toBe(1);
  });

  it('A key used in one ledger is new in every other', async () => {
    const others = await bed.organisation();
    const ledgers = [org.live, org.test, others.live, others.test];
    const answers = [];
    for (const [n, client] of ledgers.entries()) {
      answers.push(await send(client, 'everywhere', decision({ inputs: { n } })));
    }
    expect(answers.map((answer) => answer.header(REPLAYED))).toEqual(ledgers.map(() => undefined));
    expect(new Set(answers.map((answer) => receiptOf(answer).decision_id)).size).toBe(4);
  });
}

function itself(): void {
  it.for([
    ['empty', ''],
    ['201 characters long', 'x'.repeat(201)],
    ['10 kB long', 'x'.repeat(10_240)],
  ] as const)('A key is refused with 422 if it is %s', async ([, key]) => {
    const before = await contents(bed);
    const batch = { decisions: [decision()] };
    for (const answer of [
      await send(org.live, key),
      await send(org.live, key, batch, '/decisions/batch'),
      await send(org.live, key, { name: 'x', permissions: ['read'] }, '/keys'),
    ]) {
      expectRefusal(answer, 'validation_error', 'Idempotency-Key');
    }
    expect(await contents(bed)).toBe(before);
  });

  it('A key in quotes is the same key, and a quotation mark within it counts', async () => {
    const first = receiptOf(await send(org.live, 'the "first" order'));
    const again = await send(org.live, '"the \\"first\\" order"');
    expect(again.header(REPLAYED)).toBe('true');
    expect(receiptOf(again)).toEqual(first);
    const issued = await send(org.live, '"k"', { name: 'x', permissions: ['read'] }, '/keys');
    expect(issued.status).toBe(201);
    const repeated = await send(org.live, 'k', { name: 'x', permissions: ['read'] }, '/keys');
    expectRefusal(repeated, 'idempotency_conflict');
    expect(await count(org.live)).toBe(1);
  });

  it.for(['"abc', 'abc"', '"', '"a"b"', '"a\\"', '"a\\b"', '""'])(
    'A key is refused with 422 if it is %s',
    async (key) => {
      const before = await contents(bed);
      expectRefusal(await send(org.live, key), 'validation_error', 'Idempotency-Key');
      expect(await contents(bed)).toBe(before);
    },
  );

  it('A key may have 200 characters, and all of them count', async () => {
    const long = 'x'.repeat(199);
    for (const key of [`${long}a`, `${long}b`, `${long}A`, long])
      receiptOf(await send(org.live, key));
    expect(await count(org.live)).toBe(4);
  });

  it('A refused request leaves its key free', async () => {
    const bad = await send(org.live, 'later good', decision({ confidence: 2 }));
    expectRefusal(bad, 'validation_error', 'confidence');
    const good = await send(org.live, 'later good');
    expect(good.header(REPLAYED)).toBeUndefined();
    receiptOf(good);
  });

  it('The same body without a key is recorded twice', async () => {
    for (let n = 0; n < 2; n += 1) receiptOf(await org.live.post('/decisions', decision()));
    expect(await count(org.live)).toBe(2);
  });

  it('A key is never stored in plain text', async () => {
    receiptOf(await send(org.live, 'a secret order number'));
    const rows = await bed.service.db.query<{ text: string }>({
      text: 'select row_to_json(k)::text as text from idempotency_keys k',
      values: [],
    });
    expect(rows.length).toBeGreaterThan(0);
    const written = Buffer.from('a secret order number').toString('hex');
    for (const { text } of rows) expect(text).not.toContain(written);
  });
}
