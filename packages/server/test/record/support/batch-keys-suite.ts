import {
  DecisionBatchReceipt,
  DecisionPage,
  DecisionReceipt,
} from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

const REPLAYED = 'idempotency-replayed';

/** The keys of the decisions of a batch. */
export function batchKeysSuite(engine: Engine): void {
  describe(`Keys of the decisions of a batch on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      other = await bed.another();
    });
    beforeEach(async () => {
      org = await bed.organisation();
    });
    afterAll(() => bed.close());

    describe('Repeats', repeats);
    describe('Conflicts', conflicts);
    describe('Key text', text);
  });
}

/** A batch of decisions named by their keys; the content follows from the key. */
const batchOf = (...keys: readonly (string | null)[]) => ({
  decisions: keys.map((key) =>
    key === null ? decision() : { ...decision({ inputs: { key } }), idempotency_key: key },
  ),
});

const send = (client: Client, body: unknown, headers = {}) =>
  client.post('/decisions/batch', body, headers);

async function sent(client: Client, body: unknown, headers = {}) {
  return dataOf(await send(client, body, headers), DecisionBatchReceipt, 201).decisions;
}

async function count(client: Client): Promise<number> {
  return dataOf(await client.get('/decisions?limit=500'), DecisionPage).decisions.length;
}

function repeats(): void {
  it('A decision sent again in another batch is answered with its first receipt', async () => {
    const first = await sent(org.live, batchOf('a', 'b', 'c', 'd'));
    expect(first.map(({ replayed }) => replayed)).toEqual([false, false, false, false]);
    const again = await send(org.live, batchOf('new', 'c', null, 'a', 'newer'));
    expect(again.header(REPLAYED)).toBeUndefined();
    const receipts = dataOf(again, DecisionBatchReceipt, 201).decisions;
    expect(receipts.map(({ replayed }) => replayed)).toEqual([false, true, false, true, false]);
    expect(receipts[1]).toEqual({ ...first[2], replayed: true });
    expect(receipts[3]).toEqual({ ...first[0], replayed: true });
    // The new ones are contiguous, in the order of the request.
    const fresh = receipts.filter(({ replayed }) => !replayed);
    expect(fresh.map(({ seq }) => seq)).toEqual([5, 6, 7]);
    expect(fresh.slice(1).map((each) => each.prev_hash)).toEqual(
      fresh.slice(0, 2).map(({ hash }) => hash),
    );
    expect(await count(org.live)).toBe(7);
  });

  it('A batch of repeats writes nothing and is marked as replayed', async () => {
    const first = await sent(org.live, batchOf('a', 'b'));
    const before = await contents(bed);
    for (const client of [org.live, other.client(org.live.key)]) {
      const again = await send(client, batchOf('b', 'a'));
      expect(again.header(REPLAYED)).toBe('true');
      expect(dataOf(again, DecisionBatchReceipt, 201).decisions).toEqual([
        { ...first[1], replayed: true },
        { ...first[0], replayed: true },
      ]);
    }
    expect(await contents(bed)).toBe(before);
  });

  it('A decision is the same alone with its key in the header and in a batch', async () => {
    const [batched] = await sent(org.live, batchOf('a'));
    const body = decision({ inputs: { key: 'a' } });
    const alone = await org.live.post('/decisions', body, { 'idempotency-key': 'a' });
    expect(alone.header(REPLAYED)).toBe('true');
    expect(dataOf(alone, DecisionReceipt, 201).decision_id).toBe(batched?.decision_id);
    const single = dataOf(
      await org.live.post('/decisions', decision({ inputs: { key: 'b' } }), {
        'idempotency-key': 'b',
      }),
      DecisionReceipt,
      201,
    );
    const [again] = await sent(org.live, batchOf('b'));
    expect(again).toMatchObject({ decision_id: single.decision_id, replayed: true });
  });

  it('Two equal decisions with one key in a batch are recorded once', async () => {
    const receipts = await sent(org.live, batchOf('a', 'b', 'a'));
    expect(receipts.map(({ replayed }) => replayed)).toEqual([false, false, true]);
    expect(receipts[2]).toEqual({ ...receipts[0], replayed: true });
    expect(await count(org.live)).toBe(2);
  });

  it('Batches that overlap concurrently record each decision once', async () => {
    const clients = [org.live, other.client(org.live.key)];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        sent(clients[n % 2] ?? org.live, batchOf(`${n % 4}`, `${(n + 1) % 4}`, `${(n + 2) % 4}`)),
      ),
    );
    const ids = new Map<string, Set<string>>();
    for (const [n, receipts] of answers.entries()) {
      for (const [place, { decision_id }] of receipts.entries()) {
        const key = `${(n + place) % 4}`;
        ids.set(key, (ids.get(key) ?? new Set()).add(decision_id));
      }
    }
    expect([...ids.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1]);
    expect(answers.flat().filter(({ replayed }) => !replayed)).toHaveLength(4);
    expect(await count(org.live)).toBe(4);
  });

  it('A batch may have a key as a whole too, and its repeat replays every decision', async () => {
    const header = { 'idempotency-key': 'whole' };
    await sent(org.live, batchOf('a'));
    const first = await sent(org.live, batchOf('a', 'b'), header);
    expect(first.map(({ replayed }) => replayed)).toEqual([true, false]);
    const again = await sent(org.live, batchOf('a', 'b'), header);
    expect(again).toEqual(first.map((receipt) => ({ ...receipt, replayed: true })));
    // All of its decisions are repeats, and its own key is remembered nevertheless.
    const none = { 'idempotency-key': 'nothing new' };
    await sent(org.live, batchOf('b', 'a'), none);
    expectRefusal(await send(org.live, batchOf('a', 'b'), none), 'idempotency_conflict');
    expect(await count(org.live)).toBe(2);
  });

  it('A key used in one ledger is new in every other', async () => {
    const others = await bed.organisation();
    const ids = [];
    for (const client of [org.live, org.test, others.live, others.test]) {
      const [receipt] = await sent(client, batchOf('everywhere'));
      expect(receipt?.replayed).toBe(false);
      ids.push(receipt?.decision_id);
    }
    expect(new Set(ids).size).toBe(4);
  });
}

function conflicts(): void {
  it('One key used with another decision refuses the whole batch, which names the member', async () => {
    await sent(org.live, batchOf('a', 'taken'));
    const before = await contents(bed);
    const changed = { ...decision({ inputs: { key: 'else' } }), idempotency_key: 'taken' };
    const body = { decisions: [...batchOf('x', 'a').decisions, changed, decision()] };
    const refused = await send(org.live, body);
    expectRefusal(refused, 'idempotency_conflict', 'decisions[2].idempotency_key');
    expect(errorOf(refused).message).toContain(
      'decisions[2].idempotency_key taken was already used',
    );
    expect(await contents(bed)).toBe(before);
    // The keys of the refused batch are still free.
    const [free] = await sent(org.live, batchOf('x'));
    expect(free?.replayed).toBe(false);
  });

  it('Two different decisions with one key in a batch refuse it', async () => {
    const before = await contents(bed);
    const [one] = batchOf('a').decisions;
    const body = { decisions: [one, { ...one, confidence: 0.1 }] };
    const refused = await send(org.live, body);
    expectRefusal(refused, 'idempotency_conflict', 'decisions[1].idempotency_key');
    expect(await contents(bed)).toBe(before);
  });

  it('A key that another kind of request used refuses the batch', async () => {
    const link = { name: 'reader', permissions: ['read'] };
    await org.live.post('/keys', link, { 'idempotency-key': 'a' });
    const refused = await send(org.live, batchOf('b', 'a'));
    expectRefusal(refused, 'idempotency_conflict', 'decisions[1].idempotency_key');
  });

  it('A conflict does not fail the requests beside it', async () => {
    await sent(org.live, batchOf('taken'));
    const changed = { ...decision(), idempotency_key: 'taken' };
    const [refused, ...others] = await Promise.all([
      send(org.live, { decisions: [changed] }),
      ...[1, 2, 3].map((n) => sent(org.live, batchOf(`free ${n}`, 'shared'))),
    ]);
    expectRefusal(refused, 'idempotency_conflict', 'decisions[0].idempotency_key');
    expect(others.flat().filter(({ replayed }) => !replayed)).toHaveLength(4);
  });
}

function text(): void {
  it.for([
    ['empty', ''],
    ['201 characters long', 'x'.repeat(201)],
    ['not ASCII', 'é'],
    ['with a line break', 'a\nb'],
  ] as const)('A key is refused with 422 if it is %s', async ([, key]) => {
    const before = await contents(bed);
    const body = { decisions: [decision(), { ...decision(), idempotency_key: key }] };
    const refused = await send(org.live, body);
    expectRefusal(refused, 'validation_error', 'decisions[1].idempotency_key');
    expect(await contents(bed)).toBe(before);
  });

  it('A single decision has its key in the header alone', async () => {
    const body = { ...decision(), idempotency_key: 'a' };
    expectRefusal(await org.live.post('/decisions', body), 'validation_error', 'idempotency_key');
  });

  it('The key is neither stored in plain text nor part of the decision', async () => {
    await sent(org.live, batchOf('a secret order number'));
    const rows = await bed.service.db.query<{ text: string }>({
      text: `select row_to_json(k)::text as text from idempotency_keys k
        union all select inputs || entry || coalesce(metadata, '') from decisions`,
      values: [],
    });
    const written = rows.map((row) => row.text.replace('"key":"a secret order number"', ''));
    for (const row of written) expect(row).not.toContain('a secret order number');
  });
}
