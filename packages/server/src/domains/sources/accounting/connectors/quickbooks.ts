import { formatTimestamp, parseTimestamp } from '@decision-ledger/contract/time';
import type { Clock } from '../../../../platform/clock.js';
import type { Connector, Poll, QuickBooksConnection } from './connector.js';
import { ConnectorError } from './errors.js';
import { createAccessTokens, type TokenTools } from './intuit-token.js';
import { createQuickBooksApi, type Page, type QuickBooksApi } from './quickbooks-api.js';
import { readChanges, readObjects } from './quickbooks-read.js';
import { lacksCurrency, lastUpdatedOf, readObject } from './quickbooks-records.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Read again at each poll: QuickBooks may show a change later than its time says. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** Change data capture reaches back 30 days; an hour less, lest the two clocks differ. */
const REACH_MS = 30 * DAY_MS - 60 * MINUTE_MS;

/**
 * Reads payments, sales receipts, refund receipts, purchases and bill payments of a QuickBooks
 * Online company by its accounting API, version 3. The cursor is the time of the last change.
 */
export function createQuickBooksConnector(
  connection: QuickBooksConnection,
  tools: TokenTools,
): Connector {
  const tokens = createAccessTokens(connection, tools);
  const api = createQuickBooksApi(connection, tools, tokens);
  return { poll: (cursor) => poll(api, tools.clock, cursor) };
}

async function poll(api: QuickBooksApi, clock: Clock, cursor: string | null): Promise<Poll> {
  const now = clock.now();
  const last = cursor === null ? null : readCursor(cursor);
  const since = last === null ? null : last - OVERLAP_MS;
  const inReach = since !== null && since >= now - REACH_MS;
  const { pages, time, problems } = inReach
    ? await readChanges(api, since)
    : await readObjects(api, since);
  const read = await readPages(api, pages);
  const told = parseTimestamp(time ?? '') ?? now;
  const changes = pages.flatMap(({ items }) => items.map(lastUpdatedOf));
  return {
    records: read.flatMap((object) => ('record' in object ? object.record : [])),
    isComplete: false,
    cursor: nextCursor(last, told, changes),
    problems: [
      ...new Set([
        ...problems,
        ...read.flatMap((object) => ('problem' in object ? object.problem : [])),
      ]),
    ],
  };
}

async function readPages(api: QuickBooksApi, pages: readonly Page[]) {
  const mustAsk = pages.some(({ items }) => items.some(lacksCurrency));
  const homeCurrency = mustAsk ? await api.homeCurrency() : '';
  return pages.flatMap(({ entity, items }) =>
    items.map((item) => readObject(entity, item, homeCurrency)),
  );
}

/**
 * The last change that was seen, but at most a day before the server's time: in a quiet company it
 * would otherwise fall out of the reach of change data capture.
 */
function nextCursor(last: number | null, told: number, changes: readonly (number | null)[]) {
  const seen = changes.reduce<number>((most, change) => Math.max(most, change ?? most), 0);
  return formatTimestamp(Math.max(last ?? 0, Math.min(seen, told), told - DAY_MS));
}

function readCursor(cursor: string): number {
  const time = parseTimestamp(cursor);
  if (time !== null) return time;
  throw new ConnectorError('the cursor of this QuickBooks connection is no date-time: clear it', {
    isTemporary: false,
  });
}
