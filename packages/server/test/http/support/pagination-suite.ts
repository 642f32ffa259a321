import { type Decision, DecisionPage, DecisionReceipt } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf, decision } from '../../support/client.js';
import { type Engine, openTestService, type TestService } from '../../support/service.js';

let bed: TestService;

/** Decisions are found by filters and read page by page. */
export function paginationSuite(engine: Engine): void {
  describe(`Lists on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    afterAll(() => bed.close());

    describe('Filters', filters);
    describe('Order', order);
    describe('Pages', pages);
    describe('Concurrent writes', writers);
  });
}

async function record(client: Client, fields: object): Promise<string> {
  const answer = await client.post('/decisions', decision({ ...fields }));
  return dataOf(answer, DecisionReceipt, 201).decision_id;
}

async function list(client: Client, query: string): Promise<DecisionPage> {
  return dataOf(await client.get(`/decisions?${query}`), DecisionPage);
}

/** Every page, in the order given. */
async function walk(
  client: Client,
  query: string,
  between: (page: readonly Decision[]) => Promise<unknown> = () => Promise.resolve(),
): Promise<Decision[]> {
  const seen: Decision[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const from: string = cursor === '' ? query : `${query}&cursor=${cursor}`;
    const page: DecisionPage = await list(client, from);
    seen.push(...page.decisions);
    cursor = page.next_cursor;
    if (cursor !== null) await between(page.decisions);
  }
  return seen;
}

const idsOf = (decisions: readonly Decision[]) => decisions.map(({ decision_id }) => decision_id);

/** Newest first: by timestamp, then by id. */
const inOrder = (a: Decision, b: Decision) =>
  b.timestamp.localeCompare(a.timestamp) || (a.decision_id < b.decision_id ? 1 : -1);

const METADATA: readonly object[] = [
  { trial: 0, customer: 'c-1' },
  { trial: '0', customer: 'c-2' },
  { trial: 1e-7, flag: true },
  { trial: null, flag: false, 'a.b': 'dotted' },
  { trial: 'null', flag: 'true', 'a b': 'spaced', ключ: 'значение 😀' },
  { trial: { nested: 0 }, customer: ['c-1'], 'q"\\': 'quoted "\\' },
  { trial: 0.1, empty: '', Customer: 'c-1' },
  { trial: -0, long: 'x'.repeat(1000) },
];

/** Day and time of each decision of the filter tests: around midnight, and equal ones. */
const TIMES = [
  ...['2026-04-09T23:59:59.999Z', '2026-04-10T00:00:00.000Z', '2026-04-10T12:00:00.000Z'],
  ...['2026-04-10T12:00:00.001Z', '2026-04-10T23:59:59.999Z', '2026-04-11T00:00:00.000Z'],
];

type Predicate = (sent: Decision) => boolean;

const ofMetadata = (check: (metadata: Record<string, unknown>) => boolean): Predicate => {
  return ({ metadata }) => metadata !== undefined && check(metadata);
};
const from =
  (start: string): Predicate =>
  ({ timestamp }) =>
    timestamp >= start;
const until =
  (end: string): Predicate =>
  ({ timestamp }) =>
    timestamp < end;

const FILTERS: [query: string, predicate: Predicate][] = [
  ['', () => true],
  ['agent_id=agent-1', ({ agent_id }) => agent_id === 'agent-1'],
  ['agent_id=agent', () => false],
  ['agent_id=%25', () => false],
  ['agent_id=агент%20%F0%9F%98%80', ({ agent_id }) => agent_id === 'агент 😀'],
  ['action_type=refund', ({ action_type }) => action_type === 'refund'],
  ['action_type=agent-1', () => false],
  ['human_in_loop=true', ({ human_in_loop }) => human_in_loop],
  ['human_in_loop=false', ({ human_in_loop }) => !human_in_loop],
  ['min_confidence=0.5', ({ confidence }) => confidence >= 0.5],
  ['max_confidence=0.5', ({ confidence }) => confidence <= 0.5],
  ['min_confidence=0.5&max_confidence=0.5', ({ confidence }) => confidence === 0.5],
  ['min_confidence=1', ({ confidence }) => confidence === 1],
  ['max_confidence=0', ({ confidence }) => confidence === 0],
  ['start=2026-04-10', from('2026-04-10T00:00:00.000Z')],
  ['end=2026-04-10', until('2026-04-11T00:00:00.000Z')],
  ['end=2026-04-10T00:00:00Z', until('2026-04-10T00:00:00.000Z')],
  ['start=2026-04-10T12:00:00.001Z', from('2026-04-10T12:00:00.001Z')],
  ['end=2026-04-10T12:00:00.001Z', until('2026-04-10T12:00:00.001Z')],
  ['start=2026-04-10T14:00:00%2B02:00', from('2026-04-10T12:00:00.000Z')],
  ['start=2026-04-10&end=2026-04-10', ({ timestamp }) => timestamp.startsWith('2026-04-10')],
  ['start=2026-04-10T12:00:00Z&end=2026-04-10T12:00:00Z', () => false],
  ['start=2027-01-01', () => false],
  ['metadata.customer=c-1', ofMetadata(({ customer }) => customer === 'c-1')],
  ['metadata.Customer=c-1', ofMetadata(({ Customer }) => Customer === 'c-1')],
  ['metadata.trial=0', ofMetadata(({ trial }) => trial === 0 || trial === '0')],
  ['metadata.trial=%220%22', ofMetadata(({ trial }) => trial === '0')],
  ['metadata.trial=0.0', () => false],
  ['metadata.trial=0.1', ofMetadata(({ trial }) => trial === 0.1)],
  ['metadata.trial=1e-7', ofMetadata(({ trial }) => trial === 1e-7)],
  ['metadata.trial=null', ofMetadata(({ trial }) => trial === null || trial === 'null')],
  ['metadata.flag=true', ofMetadata(({ flag }) => flag === true || flag === 'true')],
  ['metadata.flag=false', ofMetadata(({ flag }) => flag === false)],
  ['metadata.empty=', ofMetadata(({ empty }) => empty === '')],
  ['metadata.absent=', () => false],
  ['metadata.a.b=dotted', ofMetadata((metadata) => metadata['a.b'] === 'dotted')],
  ['metadata.a%20b=spaced', ofMetadata((metadata) => metadata['a b'] === 'spaced')],
  ['metadata.ключ=значение%20😀', ofMetadata((metadata) => 'ключ' in metadata)],
  ['metadata.q%22%5C=quoted%20%22%5C', ofMetadata((metadata) => 'q"\\' in metadata)],
  ['metadata.long=xxx', () => false],
  ['metadata.nested=0', () => false],
  ['metadata.toString=1', () => false],
  [
    'metadata.trial=0&metadata.customer=c-1',
    ofMetadata(({ trial, customer }) => trial === 0 && customer === 'c-1'),
  ],
  [
    'agent_id=agent-1&action_type=refund&human_in_loop=true&min_confidence=0.25&start=2026-04-10',
    ({ agent_id, action_type, human_in_loop, confidence, timestamp }) =>
      agent_id === 'agent-1' &&
      action_type === 'refund' &&
      human_in_loop &&
      confidence >= 0.25 &&
      timestamp >= '2026-04-10',
  ],
];

function filters(): void {
  let client: Client;
  let all: Decision[];

  beforeAll(async () => {
    client = (await bed.organisation()).live;
    const agents = ['agent-1', 'agent-2', 'агент 😀'];
    const decisions = Array.from({ length: 96 }, (_, n) =>
      decision({
        agent_id: agents[n % 3],
        action_type: n % 5 === 0 ? 'refund' : 'approve',
        confidence: (n % 9) / 8,
        human_in_loop: n % 2 === 0,
        timestamp: TIMES[(n * 5) % TIMES.length],
        ...(n % 12 < METADATA.length && { metadata: METADATA[n % 12] }),
      }),
    );
    expect((await client.post('/decisions/batch', { decisions })).status).toBe(201);
    all = (await list(client, 'limit=500')).decisions;
    expect(all).toHaveLength(96);
  });

  it.for(FILTERS)(
    'The filter ?%s finds exactly the matching decisions, newest first, also in pages',
    async ([query, predicate]) => {
      const expected = idsOf(all.filter(predicate).sort(inOrder));
      expect(idsOf((await list(client, `limit=500&${query}`)).decisions)).toEqual(expected);
      expect(idsOf(await walk(client, `limit=7&${query}`))).toEqual(expected);
    },
  );

  it('A metadata filter compares all characters of a value of up to 1000 characters', async () => {
    const text = 'x'.repeat(999);
    const found = (await list(client, `metadata.long=${text}x`)).decisions;
    expect(idsOf(found)).toEqual(idsOf(all.filter(ofMetadata(({ long }) => long !== undefined))));
    expect(found).not.toEqual([]);
    expect((await list(client, `metadata.long=${text}y`)).decisions).toEqual([]);
    expect((await list(client, `metadata.long=${text}`)).decisions).toEqual([]);
  });
}

function order(): void {
  it('Decisions are listed by timestamp and then by id, whatever the order of arrival', async () => {
    const { live } = await bed.organisation();
    const timestamps = ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'];
    for (let round = 0; round < 3; round += 1) {
      for (const timestamp of timestamps) await record(live, { timestamp });
    }
    const { decisions } = await list(live, 'limit=500');
    expect(idsOf(decisions)).toEqual(idsOf([...decisions].sort(inOrder)));
    expect(decisions.map(({ seq }) => seq)).toEqual([9, 6, 3, 7, 4, 1, 8, 5, 2]);
  });
}

function pages(): void {
  it('Decisions from centuries ago are listed once each, exact to the millisecond', async () => {
    const { live } = await bed.organisation();
    const timestamp = '1710-06-01T12:00:00.127Z';
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await record(live, { timestamp }));
    await record(live, { timestamp: '1710-06-01T12:00:00.128Z' });
    const query = `start=${timestamp}&end=1710-06-01T12:00:00.128Z&limit=1`;
    let pages = 0;
    const found = await walk(live, query, async () => {
      pages += 1;
      expect(pages).toBeLessThan(3);
    });
    expect(idsOf(found).sort()).toEqual(ids.sort());
  });

  it('A page holds 50 decisions by default and at most 500, and the last cursor is null', async () => {
    const { live } = await bed.organisation();
    const decisions = Array.from({ length: 51 }, () => decision());
    expect((await live.post('/decisions/batch', { decisions })).status).toBe(201);
    const [first, exact, all] = [
      await list(live, ''),
      await list(live, 'limit=51'),
      await list(live, 'limit=500'),
    ];
    expect([first, exact, all].map((page) => page.decisions.length)).toEqual([50, 51, 51]);
    expect(exact.next_cursor).toBeNull();
    expect(all.next_cursor).toBeNull();
    const second = await list(live, `cursor=${first.next_cursor}`);
    expect(second.decisions).toHaveLength(1);
    expect(second.next_cursor).toBeNull();
  });

  it('An empty list is one empty page', async () => {
    const { live } = await bed.organisation();
    expect(await list(live, '')).toEqual({ decisions: [], next_cursor: null });
  });

  it('The page size may change between pages', async () => {
    const { live } = await bed.organisation();
    const decisions = Array.from({ length: 10 }, () => decision());
    expect((await live.post('/decisions/batch', { decisions })).status).toBe(201);
    const { decisions: first, next_cursor } = await list(live, 'limit=3');
    const { decisions: rest } = await list(live, `limit=100&cursor=${next_cursor}`);
    expect([...first, ...rest].map(({ seq }) => seq)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });
}

function writers(): void {
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

  it.for([
    ['all', ''],
    ['filtered', '&agent_id=mine'],
  ])(
    'A walk does not skip or repeat decisions that existed at its start: %s',
    async ([, filter]) => {
      const { live } = await bed.organisation();
      // Five to a day, so that pages end among equal timestamps.
      const decisions = Array.from({ length: 100 }, (_, n) =>
        decision({ agent_id: 'mine', timestamp: day(n % 20) }),
      );
      expect((await live.post('/decisions/batch', { decisions })).status).toBe(201);
      const atStart = (await list(live, 'limit=500')).decisions;
      const written: Promise<string>[] = [];
      const seen = await walk(live, `limit=7${filter}`, async (page) => {
        const here = page.at(-1)?.timestamp ?? '';
        const times = [here, here, day(0), day(-1), day(40), page[0]?.timestamp ?? ''];
        // Some writes are still running while the next page is read.
        const writes = times.map((timestamp) => record(live, { agent_id: 'mine', timestamp }));
        written.push(...writes);
        await Promise.race(writes);
      });
      expect((await Promise.all(written)).length).toBeGreaterThan(50);
      const ids = idsOf(seen);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(idsOf([...seen].sort(inOrder)));
      const known = new Set(idsOf(atStart));
      expect(ids.filter((id) => known.has(id))).toEqual(idsOf(atStart));
    },
  );

  it('A walk finds decisions written after its position, and not those written before it', async () => {
    const { live } = await bed.organisation();
    for (let n = 1; n <= 4; n += 1) await record(live, { timestamp: day(n * 10) });
    const written: string[] = [];
    const seen = await walk(live, 'limit=2', async () => {
      written.push(await record(live, { timestamp: day(35) }));
      written.push(await record(live, { timestamp: day(15) }));
    });
    expect(seen.map(({ timestamp }) => timestamp)).toEqual([40, 30, 20, 15, 10].map(day));
    expect(idsOf(seen)).toContain(written[1]);
    expect(idsOf(seen)).not.toContain(written[0]);
  });
}
