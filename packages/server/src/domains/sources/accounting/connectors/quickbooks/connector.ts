import { ACCOUNTING } from '@decision-ledger/contract/accounting';
import { formatTimestamp, parseTimestamp } from '@decision-ledger/contract/time';
import type { Clock } from '../../../../../platform/clock.js';
import { ConnectorError } from '../call.js';
import type { Connector, Poll } from '../connector.js';
import { createAccessTokens } from './access-tokens.js';
import { rolesOf } from './accounts.js';
import { createQuickBooksApi, type EntityPage, type QuickBooksApi } from './api.js';
import { queryAccounts, readChanges, readObjects } from './read.js';
import { hasLines, lacksCurrency, lastUpdatedOf, readObject } from './records.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Each poll reads this much again: QuickBooks may publish a change after its timestamp. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** Change data capture covers 30 days; an hour less allows for a difference of the clocks. */
const CAPTURE_MS = 30 * DAY_MS - 60 * MINUTE_MS;

/**
 * Reads the transactions of a QuickBooks Online company by its accounting API, version 3. The cursor is the time of the last change.
 */
export const quickbooks: Connector<'quickbooks'> = {
  ...ACCOUNTING.quickbooks,
  create(connection, { outbound, clock, rotatingToken }) {
    const refreshToken = rotatingToken(connection.refresh_token);
    const tokens = createAccessTokens(connection, { outbound, clock, refreshToken });
    const api = createQuickBooksApi(connection, outbound, tokens);
    return { poll: (cursor) => poll(api, clock, cursor) };
  },
};

async function poll(api: QuickBooksApi, clock: Clock, cursor: string | null): Promise<Poll> {
  const now = clock.now();
  const last = cursor === null ? null : readCursor(cursor);
  const since = last === null ? null : last - OVERLAP_MS;
  const isCaptured = since !== null && since >= now - CAPTURE_MS;
  const { pages, time, problems } = isCaptured
    ? await readChanges(api, since)
    : await readObjects(api, since);
  const read = await readPages(api, pages);
  const serverTime = parseTimestamp(time ?? '') ?? now;
  const changes = pages.flatMap(({ items }) => items.map(lastUpdatedOf));
  return {
    records: read.flatMap(({ records }) => records),
    isComplete: false,
    wholes: read.flatMap(({ whole }) => whole ?? []),
    cursor: nextCursor(last, serverTime, changes),
    problems: read.flatMap((object) => object.problems),
    notes: problems,
  };
}

async function readPages(api: QuickBooksApi, pages: readonly EntityPage[]) {
  const needsHomeCurrency = pages.some(({ items }) => items.some(lacksCurrency));
  const homeCurrency = needsHomeCurrency ? await api.homeCurrency() : '';
  const needsAccounts = pages.some(({ entity, items }) => hasLines(entity) && items.length > 0);
  const roles = rolesOf(needsAccounts ? await queryAccounts(api) : []);
  return pages.flatMap(({ entity, items }) =>
    items.map((item) => readObject(entity, item, { homeCurrency, roles })),
  );
}

/**
 * The time of the last change, but at least a day before the server's time: in a company without
 * changes, an older cursor would fall out of change data capture.
 */
function nextCursor(
  last: number | null,
  serverTime: number,
  changes: readonly (number | null)[],
): string {
  const seen = changes.reduce<number>((latest, change) => Math.max(latest, change ?? latest), 0);
  return formatTimestamp(Math.max(last ?? 0, Math.min(seen, serverTime), serverTime - DAY_MS));
}

function readCursor(cursor: string): number {
  const time = parseTimestamp(cursor);
  if (time !== null) return time;
  throw new ConnectorError(
    'the cursor of this QuickBooks connection is not a date-time: clear it',
    {
      isTemporary: false,
    },
  );
}
