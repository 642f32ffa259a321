import { formatTimestamp } from '@decision-ledger/contract/time';
import type { EntityPage, QuickBooksAnswer, QuickBooksApi } from './api.js';
import { ENTITIES, type Entity, lastUpdatedOf } from './records.js';

/** Maximum number of objects in one answer. */
const FULL = 1000;
/** Pages overlap, so that a deletion between two pages hides no object. */
const STEP = FULL - 50;

export interface Read {
  readonly pages: readonly EntityPage[];
  /** The server's time at the first answer. */
  readonly time: string | undefined;
  readonly problems: readonly string[];
}

/** @param since ms, at most 30 days back */
export async function readChanges(api: QuickBooksApi, since: number): Promise<Read> {
  const answer = await api.changes(ENTITIES, formatTimestamp(since));
  const { time } = answer;
  if (count(answer) < FULL) return { pages: answer.pages, time, problems: [] };
  const pages: EntityPage[] = [];
  const problems: string[] = [];
  for (const entity of ENTITIES) {
    const read = await readChangesOf(api, entity, since);
    pages.push(...read.pages);
    problems.push(...read.problems);
  }
  return { pages, time, problems };
}

/**
 * A full answer is incomplete. The next request starts at its last change, and a query returns all
 * objects that exist. Deletions are in change data capture only, so an answer that may be incomplete
 * is reported as a problem.
 */
async function readChangesOf(
  api: QuickBooksApi,
  entity: Entity,
  since: number,
): Promise<Pick<Read, 'pages' | 'problems'>> {
  const pages: EntityPage[] = [];
  let from = since;
  let wasFull = false;
  let isComplete = true;
  for (;;) {
    const answer = await api.changes([entity], formatTimestamp(from));
    pages.push(...answer.pages);
    const times = answer.pages.flatMap(({ items }) => items.map(timeOf));
    const last = times.at(-1) ?? 0;
    const isFull = times.length >= FULL;
    // A full answer without a newer change may have left out others of the same time.
    if ((wasFull || isFull) && !(isAscending(times) && last > from)) isComplete = false;
    if (!isFull || !isComplete) {
      if (isFull || wasFull) pages.push(...(await queryAll(api, entity, since)).pages);
      break;
    }
    wasFull = true;
    from = last;
  }
  const problem =
    `More than ${FULL} objects of ${entity} have changed since ${formatTimestamp(since)}, and ` +
    'QuickBooks may not have reported all deletions among them: compare the recorded events with it.';
  return { pages, problems: isComplete ? [] : [problem] };
}

/** @param since ms; null for all objects */
export async function readObjects(api: QuickBooksApi, since: number | null): Promise<Read> {
  const pages: EntityPage[] = [];
  const times: (string | undefined)[] = [];
  for (const entity of ENTITIES) {
    const read = await queryAll(api, entity, since);
    pages.push(...read.pages);
    times.push(read.time);
  }
  const problem =
    'QuickBooks reports deletions of the last 30 days only, and the last poll was longer ago: objects ' +
    `that were deleted since ${formatTimestamp(since ?? 0)} may still be recorded.`;
  return { pages, time: times[0], problems: since === null ? [] : [problem] };
}

async function queryAll(
  api: QuickBooksApi,
  entity: Entity,
  since: number | null,
): Promise<Pick<Read, 'pages' | 'time'>> {
  const where =
    since === null ? '' : ` where Metadata.LastUpdatedTime >= '${formatTimestamp(since)}'`;
  const pages: EntityPage[] = [];
  let time: string | undefined;
  for (let start = 1; ; start += STEP) {
    const range = `startposition ${start} maxresults ${FULL}`;
    const answer = await api.query(entity, `select * from ${entity}${where} orderby Id ${range}`);
    time ??= answer.time;
    pages.push(...answer.pages);
    if (count(answer) < FULL) return { pages, time };
  }
}

/** All accounts, inactive ones included. */
export async function queryAccounts(api: QuickBooksApi): Promise<readonly unknown[]> {
  const accounts: unknown[] = [];
  for (let start = 1; ; start += STEP) {
    const page = await api.accounts(`startposition ${start} maxresults ${FULL}`);
    accounts.push(...page);
    if (page.length < FULL) return accounts;
  }
}

function count({ pages }: QuickBooksAnswer): number {
  return pages.reduce((sum, { items }) => sum + items.length, 0);
}

/** ms; NaN, which has no order, for an object without a time. */
function timeOf(object: unknown): number {
  return lastUpdatedOf(object) ?? Number.NaN;
}

function isAscending(times: readonly number[]): boolean {
  return times.every((time, index) => time >= (times[index - 1] ?? 0));
}
