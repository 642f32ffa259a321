import { ActivityPage } from '@decision-ledger/contract/chain';
import { DecisionPage, DecisionReceipt } from '@decision-ledger/contract/decision';
import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { Link, LinkInDetail, LinkPage } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLogs } from '#server/domains/delivery/stream/read-logs';
import { selectHeads } from '#server/domains/delivery/stream/store/logs';
import { listDecisions } from '#server/domains/record/decisions/read';
import { idToUuid } from '#server/platform/ids';
import type { Statement } from '#server/platform/statement';
import { type Client, dataOf, decision } from '../../support/client.js';
import { link, type Pair, recordDecision, recordEvent } from '../../support/money.js';
import { databaseWith } from '../../support/own-database.js';
import { type Engine, openTestService, scopeOf, type TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';

const MIB = 1024 * 1024;
/** The rest of a page beside its stored text: names, ids, hashes. */
const MARGIN = 256 * 1024;
const COUNT = 20;
const LARGE = 'x'.repeat(240 * 1024);

let bed: TestService;
let client: Client;

/** Lists of large items, whose pages end by their size. */
export function pageBytesSuite(engine: Engine): void {
  describe(`Page size on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      client = (await bed.organisation()).live;
      for (let at = 0; at < COUNT; at += 1) {
        const payload = {
          inputs: { a: LARGE },
          outputs: { b: LARGE },
          alternatives: [{ c: LARGE }],
        };
        const body = decision({ ...payload, metadata: { at, d: LARGE } });
        dataOf(await client.post('/decisions', body), DecisionReceipt, 201);
      }
      for (let at = 0; at < 2 * COUNT; at += 1) {
        await recordEvent(client, { metadata: { at, text: LARGE } });
      }
    });
    afterAll(() => bed.close());

    describe('Lists', lists);
    describe('Lists beside one record', neighbours);
    describe('Reads', reads);
  });
}

interface Walked {
  readonly ids: string[];
  readonly pages: number[];
}

/** Every page of a list. @param read ids and cursor of an answer */
async function walk(
  path: string,
  read: (answer: Awaited<ReturnType<Client['get']>>) => {
    ids: string[];
    next_cursor: string | null;
  },
): Promise<Walked> {
  const ids: string[] = [];
  const pages: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await client.get(cursor === '' ? path : `${path}&cursor=${cursor}`);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(8 * MIB + MARGIN);
    const page = read(answer);
    expect(page.ids.length).toBeGreaterThan(0);
    ids.push(...page.ids);
    pages.push(page.ids.length);
    cursor = page.next_cursor;
  }
  return { ids, pages };
}

const readDecisions = (answer: Awaited<ReturnType<Client['get']>>) => {
  const { decisions, next_cursor } = dataOf(answer, DecisionPage);
  return { ids: decisions.map(({ seq }) => String(seq)), next_cursor };
};
const newestFirst = Array.from({ length: COUNT }, (_, index) => String(COUNT - index));

function lists(): void {
  it('A page of decisions ends at 8 MiB, and the pages together hold each decision once', async () => {
    const { ids, pages } = await walk('/decisions?limit=500', readDecisions);
    expect(ids).toEqual(newestFirst);
    expect(pages).toEqual([8, 8, 4]);
  });

  it('A page of decisions holds the requested number if they fit', async () => {
    const { ids, pages } = await walk('/decisions?limit=3', readDecisions);
    expect(ids).toEqual(newestFirst);
    expect(pages).toEqual([3, 3, 3, 3, 3, 3, 2]);
  });

  it('A page of financial events ends at 8 MiB', async () => {
    const { ids, pages } = await walk('/financial-events?limit=500', (answer) => {
      const { financial_events, next_cursor } = dataOf(answer, FinancialEventPage);
      return { ids: financial_events.map(({ metadata }) => String(metadata?.at)), next_cursor };
    });
    expect(ids.map(Number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, at) => at),
    );
    expect(pages).toEqual([34, 6]);
  });

  it('A page of activity ends at 8 MiB', async () => {
    const { ids, pages } = await walk('/activity?limit=500', (answer) => {
      const { activity, next_cursor } = dataOf(answer, ActivityPage);
      return { ids: activity.map(({ seq }) => String(seq)), next_cursor };
    });
    expect(ids).toEqual([...ids].sort((a, b) => Number(b) - Number(a)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(Number(ids[0])).toBe(ids.length);
    expect(pages.length).toBe(2);
  });
}

function neighbours(): void {
  let own: Client;
  beforeAll(async () => {
    own = (await bed.organisation()).live;
  });

  /** Notes longer than a caller can write. */
  async function fatten({ links }: { links: readonly { id: string }[] }, bytes: number) {
    const ids = links.map(({ id }) => idToUuid('lnk', id));
    await withOwner(bed, (owner) =>
      owner.query("update links set notes = repeat('n', $1::integer) where link_id = any ($2)", [
        ...[bytes, ids],
      ]),
    );
  }

  async function linked(count: number, pair: () => Promise<Pair>) {
    const links: Link[] = [];
    for (let at = 0; at < count; at += 1) {
      const { decision_id, financial_event_id } = await pair();
      const body = link(decision_id, financial_event_id, { correlation_strength: 0.01 });
      links.push(dataOf(await own.post('/links', body), Link, 201));
    }
    return { links, first: links[0] ?? expect.unreachable() };
  }

  it('A decision shows 8 MiB of its links, and its cursor continues in GET /links', async () => {
    const decision_id = await recordDecision(own);
    const made = await linked(12, async () => {
      return { decision_id, financial_event_id: (await recordEvent(own)).id };
    });
    await fatten(made, MIB - 100);
    const answer = await own.get(`/decisions/${decision_id}`);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(8 * MIB + MARGIN);
    const { links, links_next_cursor } = dataOf(answer, DecisionInDetail);
    expect(links).toHaveLength(8);
    const path = `/links?limit=500&decision_id=${decision_id}`;
    const rest = dataOf(await own.get(`${path}&cursor=${links_next_cursor}`), LinkPage);
    expect([...links, ...rest.links].map(({ id }) => id).sort()).toEqual(
      made.links.map(({ id }) => id).sort(),
    );
    expect(rest.next_cursor).toBeNull();
  });

  it('A link shows 8 MiB of the other links of its event, and its cursor continues in GET /links', async () => {
    const { id: financial_event_id } = await recordEvent(own);
    const made = await linked(12, async () => {
      return { decision_id: await recordDecision(own), financial_event_id };
    });
    await fatten(made, MIB - 100);
    const detail = dataOf(await own.get(`/links/${made.first.id}`), LinkInDetail);
    expect(detail.other_links).toHaveLength(8);
    const path = `/links?limit=500&financial_event_id=${financial_event_id}`;
    const cursor = `&cursor=${detail.other_links_next_cursor}`;
    const rest = dataOf(await own.get(`${path}${cursor}`), LinkPage);
    expect([...detail.other_links, ...rest.links].map(({ id }) => id).sort()).toEqual(
      made.links.map(({ id }) => id).sort(),
    );
  });

  it('An item larger than a page is a page by itself', async () => {
    const decision_id = await recordDecision(own);
    const made = await linked(3, async () => {
      return { decision_id, financial_event_id: (await recordEvent(own)).id };
    });
    await fatten(made, 9 * MIB);
    const sizes: number[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const path = `/links?limit=500&decision_id=${decision_id}${cursor}`;
      const { links, next_cursor } = dataOf(await own.get(path), LinkPage);
      sizes.push(links.length);
      expect(next_cursor === null).toBe(page === 2);
      cursor = `&cursor=${next_cursor}`;
    }
    expect(sizes).toEqual([1, 1, 1]);
  });
}

function reads(): void {
  /** A database that counts its statements and the bytes of their rows. */
  function counting() {
    const seen = { queries: 0, bytes: 0 };
    const db = databaseWith(bed.service.db, {
      async query<Row extends object>(statement: Statement) {
        const rows = await bed.service.db.query<Row>(statement);
        seen.queries += 1;
        seen.bytes += Buffer.byteLength(JSON.stringify(rows));
        return rows;
      },
    });
    return { db, seen };
  }

  it('A page is read in one statement that returns only that page', async () => {
    const { db, seen } = counting();
    const scope = await scopeOf(bed, client);
    const page = await listDecisions(db.ledger(scope), {}, { after: null, limit: 500 });
    expect(page.rows).toHaveLength(8);
    expect(page.hasMore).toBe(true);
    expect(seen.queries).toBe(1);
    expect(seen.bytes).toBeLessThan(8 * MIB + MARGIN);
  });

  it('The stream reads the activity chain in pages of bounded size', async () => {
    const scope = await scopeOf(bed, client);
    const heads = await selectHeads(bed.service.db.ledger(scope));
    let at = { decisions: heads.decisions, activity: 0, announcements: heads.announcements };
    let told = 0;
    while (at.activity < heads.activity) {
      const { db, seen } = counting();
      const { items, end } = await readLogs(db.ledger(scope), at, heads);
      expect(seen.bytes).toBeLessThan(8 * MIB + MARGIN);
      expect(end.activity).toBeGreaterThan(at.activity);
      told += items.filter(({ item }) => item.event?.type === 'financial_event.recorded').length;
      at = end;
    }
    expect(told).toBe(2 * COUNT);
  });
}
