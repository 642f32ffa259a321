import {
  type FinancialEvent,
  FinancialEventPage,
  FinancialEvent as FinancialEventSchema,
} from '@decision-ledger/contract/financial-event';
import { type Link, LinkPage, Link as LinkSchema } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf } from '../../support/client.js';
import {
  event,
  link,
  recordDecision,
  recordEvent,
  recordLink,
  recordPair,
  suggest,
} from '../../support/money.js';
import { type Engine, openTestService, scopeOf, type TestService } from '../../support/service.js';

let bed: TestService;

/** Financial events and links are found by filters and read page by page. */
export function moneyListsSuite(engine: Engine): void {
  describe(`Lists of money on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    afterAll(() => bed.close());

    describe('Financial event filters', eventFilters);
    describe('Link filters', linkFilters);
    describe('Pages', pages);
    describe('Concurrent writes', writers);
  });
}

const events = async (client: Client, query: string) =>
  dataOf(await client.get(`/financial-events?${query}`), FinancialEventPage).financial_events;
const links = async (client: Client, query: string) =>
  dataOf(await client.get(`/links?${query}`), LinkPage).links;
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

type Listed = Pick<FinancialEvent, 'id' | 'timestamp'>;

/** Newest first: by timestamp, then by id. */
const inOrder = (a: Listed, b: Listed) =>
  b.timestamp.localeCompare(a.timestamp) || (a.id < b.id ? 1 : -1);

const since =
  (start: string) =>
  ({ timestamp }: FinancialEvent) =>
    timestamp >= start;
const until =
  (end: string) =>
  ({ timestamp }: FinancialEvent) =>
    timestamp < end;

const sizeOf = ({ amount }: FinancialEvent) => Math.abs(Number(amount));
const isParcel = ({ description, external_id }: FinancialEvent) =>
  description === 'An order, sent' && external_id !== undefined;

type Predicate = (listed: FinancialEvent) => boolean;

const EVENT_FILTERS: [query: string, predicate: Predicate][] = [
  ['', ({ deleted_at }) => deleted_at === null],
  ['include_deleted=false', ({ deleted_at }) => deleted_at === null],
  ['include_deleted=true', () => true],
  ...[
    ['source=shop', ({ source }: FinancialEvent) => source === 'shop'] as const,
    ['source=sho', () => false] as const,
    ['source=%25', () => false] as const,
    ['source=SHOP', () => false] as const,
    ['source=лавка%20%F0%9F%98%80', ({ source }: FinancialEvent) => source === 'лавка 😀'] as const,
    ['event_type=refund', ({ event_type }: FinancialEvent) => event_type === 'refund'] as const,
    ['event_type=shop', () => false] as const,
    ['external_id=ref-1', ({ external_id }: FinancialEvent) => external_id === 'ref-1'] as const,
    ['external_id=null', () => false] as const,
    ['currency=EUR', ({ currency }: FinancialEvent) => currency === 'EUR'] as const,
    ['currency=CHF', () => false] as const,
    [
      'source=shop&event_type=refund&currency=EUR',
      ({ source, event_type, currency }: FinancialEvent) =>
        source === 'shop' && event_type === 'refund' && currency === 'EUR',
    ] as const,
    ['amount=30.5', (listed: FinancialEvent) => sizeOf(listed) === 30.5] as const,
    ['amount=30.50', (listed: FinancialEvent) => sizeOf(listed) === 30.5] as const,
    ['min_amount=30.5', (listed: FinancialEvent) => sizeOf(listed) >= 30.5] as const,
    [
      'min_amount=3&max_amount=31',
      (listed: FinancialEvent) => sizeOf(listed) >= 3 && sizeOf(listed) <= 31,
    ] as const,
    ['text=ORDER%20ref', isParcel] as const,
    ['text=order%20parcel', () => false] as const,
    ['text=%25', () => false] as const,
    ['metadata_value=C-7', ({ metadata }: FinancialEvent) => metadata?.customer === 'C-7'] as const,
    ['metadata_value=7', ({ metadata }: FinancialEvent) => metadata?.lines === 7] as const,
    ['metadata_value=customer', () => false] as const,
    ['start=2026-04-10', since('2026-04-10T00:00:00.000Z')] as const,
    ['end=2026-04-10', until('2026-04-11T00:00:00.000Z')] as const,
    ['end=2026-04-10T00:00:00Z', until('2026-04-10T00:00:00.000Z')] as const,
    ['start=2026-04-10T12:00:00.001Z', since('2026-04-10T12:00:00.001Z')] as const,
    ['end=2026-04-10T12:00:00.001Z', until('2026-04-10T12:00:00.001Z')] as const,
    ['start=2026-04-10T14:00:00%2B02:00', since('2026-04-10T12:00:00.000Z')] as const,
    [
      'start=2026-04-10&end=2026-04-10',
      ({ timestamp }: FinancialEvent) => timestamp.startsWith('2026-04-10'),
    ] as const,
    ['start=2027-01-01', () => false] as const,
  ].flatMap(([query, matches]): [string, Predicate][] => [
    [query, (listed) => matches(listed) && listed.deleted_at === null],
    [`${query}&include_deleted=true`, matches],
  ]),
];

const TIMES = [
  ...['2026-04-09T23:59:59.999Z', '2026-04-10T00:00:00.000Z', '2026-04-10T12:00:00.000Z'],
  ...['2026-04-10T12:00:00.001Z', '2026-04-10T23:59:59.999Z', '2026-04-11T00:00:00.000Z'],
];

function eventFilters(): void {
  let client: Client;
  const all: FinancialEvent[] = [];

  beforeAll(async () => {
    client = (await bed.organisation()).live;
    for (let n = 0; n < 36; n += 1) {
      const made = await recordEvent(client, {
        source: ['shop', 'billing', 'лавка 😀'][n % 3],
        event_type: n % 4 === 0 ? 'refund' : 'payment',
        currency: n % 5 === 0 ? 'USD' : 'EUR',
        timestamp: TIMES[n % TIMES.length],
        ...(n % 7 === 0 && { external_id: `ref-${n % 2}` }),
        ...(n % 2 === 0 && { description: 'An order, sent' }),
        amount: ['-30.50', '30.5', '2', '120.00'][n % 4],
        metadata: n % 3 === 0 ? { customer: 'C-7' } : { lines: n % 3 === 1 ? 7 : '8' },
      });
      const gone = await deleted(client, made, n % 4 === 1 || n % 12 === 8);
      all.push(gone);
    }
  });

  it.for(EVENT_FILTERS)(
    'The filter ?%s finds exactly the matching financial events, in order',
    async ([query, predicate]) => {
      const wanted = all.filter(predicate).sort(inOrder);
      expect(idsOf(await events(client, `${query}&limit=500`))).toEqual(idsOf(wanted));
      const walked = await walk((cursor) => eventPage(client, `${query}&limit=5${cursor}`));
      expect(idsOf(walked)).toEqual(idsOf(wanted));
    },
  );
}

async function deleted(
  client: Client,
  made: FinancialEvent,
  isDeleted: boolean,
): Promise<FinancialEvent> {
  if (!isDeleted) return made;
  return dataOf(await client.delete(`/financial-events/${made.id}`), FinancialEventSchema);
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

async function eventPage(client: Client, query: string): Promise<Page<FinancialEvent>> {
  const page = dataOf(await client.get(`/financial-events?${query}`), FinancialEventPage);
  return { items: page.financial_events, next: page.next_cursor };
}

async function linkPage(client: Client, query: string): Promise<Page<Link>> {
  const page = dataOf(await client.get(`/links?${query}`), LinkPage);
  return { items: page.links, next: page.next_cursor };
}

async function walk<Item>(
  fetch: (cursor: string) => Promise<Page<Item>>,
  between: (page: readonly Item[]) => Promise<unknown> = () => Promise.resolve(),
): Promise<Item[]> {
  const seen: Item[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: Page<Item> = await fetch(next === '' ? '' : `&cursor=${next}`);
    seen.push(...page.items);
    next = page.next;
    if (next !== null) await between(page.items);
  }
  return seen;
}

function linkFilters(): void {
  let client: Client;
  const all: Link[] = [];
  const strengths = [0, 0.1, 0.3, 0.5, 0.5000000000000001, 1];

  beforeAll(async () => {
    const org = await bed.organisation();
    client = org.live;
    const scope = await scopeOf(bed, client);
    const read = async (id: string) => dataOf(await client.get(`/links/${id}`), LinkSchema);
    for (const correlation_strength of strengths) {
      const { id } = await recordLink(client, { correlation_strength });
      await client.delete(`/links/${(await recordLink(client, { correlation_strength })).id}`);
      all.push(await read(id));
    }
    for (const review of [null, 'confirm', 'reject']) {
      const id = await suggest(bed, scope, await recordPair(client));
      if (review !== null) await client.post(`/links/${id}/${review}`, '');
    }
    all.splice(0, all.length, ...(await links(client, 'include_deleted=true&limit=500')));
  });

  const LINK_FILTERS: [query: string, predicate: (listed: Link) => boolean][] = [
    ['', ({ deleted_at }) => deleted_at === null],
    ['include_deleted=true', () => true],
    ['status=CONFIRMED', (it) => it.status === 'CONFIRMED' && it.deleted_at === null],
    ['status=CONFIRMED&include_deleted=true', ({ status }) => status === 'CONFIRMED'],
    ['status=ML_SUGGESTED', ({ status }) => status === 'ML_SUGGESTED'],
    ['status=ML_INFERRED', ({ status }) => status === 'ML_INFERRED'],
    ['status=REJECTED', ({ status }) => status === 'REJECTED'],
    ['status=REJECTED&include_deleted=true', ({ status }) => status === 'REJECTED'],
    ['status=REJECTED&include_deleted=false', () => false],
    ...[0, 0.1, 0.3, 0.5, 0.5000000000000001, 0.75, 0.9, 1].map(
      (least): [string, (listed: Link) => boolean] => [
        `min_strength=${least}`,
        (it) => it.correlation_strength >= least && it.deleted_at === null,
      ],
    ),
    [
      'min_strength=0.5&status=CONFIRMED&include_deleted=true',
      (it) => it.correlation_strength >= 0.5 && it.status === 'CONFIRMED',
    ],
  ];

  it.for(LINK_FILTERS)(
    'The filter ?%s finds exactly the matching links, in order',
    async ([query, predicate]) => {
      const wanted = idsOf(all.filter(predicate));
      expect(idsOf(await links(client, `${query}&limit=500`))).toEqual(wanted);
      const walked = await walk((cursor) => linkPage(client, `${query}&limit=2${cursor}`));
      expect(idsOf(walked)).toEqual(wanted);
    },
  );

  it('Filtering links by decision or event finds exactly the links of that record', async () => {
    expect(all.length).toBe(2 * strengths.length + 3);
    for (const known of all) {
      const { decision_id, financial_event_id } = known;
      const both = `decision_id=${decision_id}&financial_event_id=${financial_event_id}`;
      for (const query of [
        `decision_id=${decision_id}`,
        `financial_event_id=${financial_event_id}`,
        both,
      ]) {
        const found = await links(client, `${query}&include_deleted=true`);
        expect(found).toEqual([known]);
      }
    }
  });
}

function pages(): void {
  it.for(['financial-events', 'links'] as const)(
    'A page of %s holds 50 by default and at most 500, and the last cursor is null',
    async (list) => {
      const { live } = await bed.organisation();
      const decisionId = await recordDecision(live);
      const made: string[] = [];
      for (let n = 0; n < 51; n += 1) {
        const { id } = await recordEvent(live);
        const answer = await live.post('/links', link(decisionId, id));
        made.push(list === 'links' ? dataOf(answer, LinkSchema, 201).id : id);
      }
      const page = (query: string): Promise<Page<{ id: string }>> =>
        list === 'links' ? linkPage(live, query) : eventPage(live, query);
      const sizes = [await page(''), await page('limit=51'), await page('limit=500')];
      expect(sizes.map(({ items }) => items.length)).toEqual([50, 51, 51]);
      expect(sizes.map(({ next }) => next === null)).toEqual([false, true, true]);
      const rest = await page(`limit=3&cursor=${sizes[0]?.next}`);
      expect(rest.next).toBeNull();
      expect(idsOf([...(sizes[0]?.items ?? []), ...rest.items])).toEqual(made.toReversed());
    },
  );

  it.for(['financial-events', 'links'])('An empty list of %s is one empty page', async (list) => {
    const { live } = await bed.organisation();
    const page = list === 'links' ? await linkPage(live, '') : await eventPage(live, '');
    expect(page).toEqual({ items: [], next: null });
  });
}

function writers(): void {
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

  it('A walk does not skip or repeat financial events that existed at its start', async () => {
    const { live } = await bed.organisation();
    // Five to a day, so that pages end among equal timestamps.
    for (let n = 0; n < 60; n += 1) await recordEvent(live, { timestamp: day(n % 12) });
    const atStart = await events(live, 'limit=500');
    const written: Promise<unknown>[] = [];
    const seen = await walk(
      (cursor) => eventPage(live, `limit=7${cursor}`),
      async (page) => {
        const here = page.at(-1)?.timestamp ?? '';
        const times = [here, here, day(0), day(-1), day(40), page[0]?.timestamp ?? ''];
        // Some writes are still running while the next page is read.
        const writes = times.map((timestamp) =>
          live.post('/financial-events', event({ timestamp })),
        );
        written.push(...writes);
        await Promise.race(writes);
      },
    );
    expect((await Promise.all(written)).length).toBeGreaterThan(30);
    const ids = idsOf(seen);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(idsOf([...seen].sort(inOrder)));
    const known = new Set(idsOf(atStart));
    expect(ids.filter((id) => known.has(id))).toEqual(idsOf(atStart));
  });

  it('A walk does not skip or repeat links that existed at its start', async () => {
    const { live } = await bed.organisation();
    const decisionId = await recordDecision(live);
    const spare: string[] = [];
    for (let n = 0; n < 40; n += 1) spare.push((await recordEvent(live)).id);
    const make = async (eventId: string) => {
      const answer = await live.post('/links', link(decisionId, eventId));
      return dataOf(answer, LinkSchema, 201).id;
    };
    // Concurrently, so that several are made in one millisecond.
    await Promise.all(spare.splice(0, 25).map(make));
    const atStart = idsOf(await links(live, 'limit=500'));
    const written: Promise<string>[] = [];
    const seen = await walk(
      (cursor) => linkPage(live, `limit=3${cursor}`),
      async () => {
        written.push(...spare.splice(0, 2).map(make));
        await Promise.race(written);
      },
    );
    expect((await Promise.all(written)).length).toBeGreaterThan(10);
    expect(idsOf(seen)).toEqual(atStart);
  });
}
