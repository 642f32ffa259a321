import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { FinancialEvent, FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Client, dataOf, decision, expectRefusal } from '../../support/client.js';
import { event, link, recordDecision, recordEvent } from '../../support/money.js';
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
let decisionId: string;
let eventId: string;

const REPLAYED = 'idempotency-replayed';

interface Subject {
  readonly path: '/financial-events' | '/links';
  readonly body: () => object;
  /** The same request with one field changed, which makes it another request. */
  readonly others: () => object[];
  readonly read: (answer: Answer) => { readonly id: string };
  readonly count: (client: Client) => Promise<number>;
}

const EVENTS: Subject = {
  path: '/financial-events',
  body: () => event({ metadata: { a: 1, b: 'é' } }),
  others: () => [
    event({ metadata: { a: 1, b: 'e' } }),
    event(),
    // The same amount and time, with other digits.
    event({ metadata: { a: 1, b: 'é' }, amount: '1250.0' }),
    event({ metadata: { a: 1, b: 'é' }, timestamp: '2026-04-16T09:00:00Z' }),
  ],
  read: (answer) => dataOf(answer, FinancialEvent, 201),
  count: async (client) => {
    const answer = await client.get('/financial-events?limit=500&source=billing');
    return dataOf(answer, FinancialEventPage).financial_events.length - 1;
  },
};

const LINKS: Subject = {
  path: '/links',
  body: () => link(decisionId, eventId, { notes: 'é' }),
  others: () => [
    link(decisionId, eventId),
    link(decisionId, eventId, { notes: 'é', correlation_strength: 0.25 }),
    link(decisionId, eventId, { notes: 'é', link_type: 'cost' }),
  ],
  read: (answer) => dataOf(answer, Link, 201),
  count: async (client) =>
    dataOf(await client.get('/links?limit=500&include_deleted=true'), LinkPage).links.length,
};

/** A request about money that arrives twice is carried out once. */
export function moneyIdempotencySuite(engine: Engine): void {
  describe(`Idempotency-Key for money on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      other = await bed.another();
    });
    beforeEach(async () => {
      org = await bed.organisation();
      decisionId = await recordDecision(org.live);
      eventId = (await recordEvent(org.live)).id;
    });
    afterAll(() => bed.close());

    for (const subject of [EVENTS, LINKS]) {
      describe(`POST ${subject.path}`, () => repeats(subject));
    }
    describe('Between routes', acrossRoutes);
  });
}

const send = (client: Client, key: string, path: string, body: unknown) =>
  client.post(path, body, { 'idempotency-key': key });

function repeats({ path, body, others, read, count }: Subject): void {
  it('A repeated request gets the first answer, marked as replayed, and writes nothing', async () => {
    const first = await send(org.live, 'once', path, body());
    expect(first.header(REPLAYED)).toBeUndefined();
    const before = await contents(bed);
    for (const client of [org.live, other.client(org.live.key)]) {
      const second = await send(client, 'once', path, body());
      expect(second.header(REPLAYED)).toBe('true');
      expect(read(second)).toEqual(read(first));
    }
    expect(await contents(bed)).toBe(before);
  });

  it('The same body is recognised however it is written', async () => {
    const first = read(await send(org.live, 'spelling', path, body()));
    const reversed = Object.fromEntries(Object.entries(body()).reverse());
    const spaced = JSON.stringify(reversed, null, 2).replace('é', '\\u00e9').replace('0.5', '5e-1');
    const second = await send(org.live, 'spelling', path, spaced);
    expect(second.header(REPLAYED)).toBe('true');
    expect(read(second)).toEqual(first);
  });

  it('A repeat after a deletion gets the first answer and does not undo the deletion', async () => {
    const first = await send(org.live, 'deleted', path, body());
    const { id } = read(first);
    expect((await org.live.delete(`${path}/${id}`)).status).toBe(200);
    const before = await contents(bed);
    expect(read(await send(org.live, 'deleted', path, body()))).toEqual(read(first));
    expect(await contents(bed)).toBe(before);
  });

  it('Concurrent repeats create one record, and all callers get it', async () => {
    const clients = [org.live, other.client(org.live.key)];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => send(clients[n % 2] ?? org.live, 'crowd', path, body())),
    );
    expect(new Set(answers.map((answer) => read(answer).id)).size).toBe(1);
    expect(answers.filter((answer) => answer.header(REPLAYED) !== 'true')).toHaveLength(1);
    expect(await count(org.live)).toBe(1);
  });

  it('A used key is a conflict with any other body', async () => {
    read(await send(org.live, 'used', path, body()));
    const before = await contents(bed);
    for (const changed of others()) {
      expectRefusal(await send(org.live, 'used', path, changed), 'idempotency_conflict');
    }
    expect(await contents(bed)).toBe(before);
  });

  it('Two bodies sent concurrently with one key keep one, and the other is a conflict', async () => {
    const bodies = [body(), ...others().slice(-1)];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(org.live, 'two', path, bodies[n % 2])),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
    expect(await count(org.live)).toBe(1);
  });

  it('A refused request leaves its key free', async () => {
    const bad = await send(org.live, 'later good', path, { ...body(), colour: 1 });
    expectRefusal(bad, 'validation_error', 'colour');
    const good = await send(org.live, 'later good', path, body());
    expect(good.header(REPLAYED)).toBeUndefined();
    read(good);
  });

  it.for([
    ['empty', ''],
    ['201 characters long', 'x'.repeat(201)],
  ] as const)('A key is refused with 422 if it is %s', async ([, key]) => {
    const before = await contents(bed);
    const answer = await send(org.live, key, path, body());
    expectRefusal(answer, 'validation_error', 'Idempotency-Key');
    expect(await contents(bed)).toBe(before);
  });
}

function acrossRoutes(): void {
  it('A key used on one route is a conflict on another', async () => {
    dataOf(await send(org.live, 'used', '/financial-events', event()), FinancialEvent, 201);
    const before = await contents(bed);
    for (const [path, body] of [
      ['/links', link(decisionId, eventId)],
      ['/decisions', decision()],
      ['/keys', { name: 'x', permissions: ['read'] }],
    ] as const) {
      expectRefusal(await send(org.live, 'used', path, body), 'idempotency_conflict');
    }
    expect(await contents(bed)).toBe(before);
  });

  it('A key sent to two routes concurrently is used by one, and the other is a conflict', async () => {
    for (let round = 0; round < 8; round += 1) {
      const answers = await Promise.all([
        send(org.live, `both ${round}`, '/financial-events', event()),
        send(other.client(org.live.key), `both ${round}`, '/decisions', decision()),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      for (const answer of answers) {
        if (answer.status === 409) expectRefusal(answer, 'idempotency_conflict');
      }
    }
  });

  it('A link that was in conflict can be made later with the same key', async () => {
    const first = dataOf(await org.live.post('/links', link(decisionId, eventId)), Link, 201);
    const again = () => send(org.live, 'second try', '/links', link(decisionId, eventId));
    expectRefusal(await again(), 'conflict');
    dataOf(await org.live.delete(`/links/${first.id}`), Link);
    const made = await again();
    expect(made.header(REPLAYED)).toBeUndefined();
    expect(dataOf(made, Link, 201).id).not.toBe(first.id);
  });

  it('A key used in one ledger is new in every other', async () => {
    for (const client of [org.live, org.test, (await bed.organisation()).live]) {
      const answer = await send(client, 'everywhere', '/financial-events', event());
      expect(answer.header(REPLAYED)).toBeUndefined();
      dataOf(answer, FinancialEvent, 201);
    }
    const receipt = await send(org.test, 'a decision', '/decisions', decision());
    dataOf(receipt, DecisionReceipt, 201);
  });
}
