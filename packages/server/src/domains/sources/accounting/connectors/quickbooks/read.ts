import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Answer, Page, QuickBooksApi } from './api.js';
import { ENTITIES, type Entity, lastUpdatedOf } from './records.js';

/** The most that one answer of change data capture or a query holds. */
const FULL = 1000;
/** Pages of a query overlap, so that a deletion between two of them pushes nothing out of both. */
const STEP = FULL - 50;

export interface Read {
  readonly pages: readonly Page[];
  /** The server's time at the first answer. */
  readonly time: string | undefined;
  readonly problems: readonly string[];
}

/** @param since ms, at most 30 days back */
export async function readChanges(api: QuickBooksApi, since: number): Promise<Read> {
  const answer = await api.changes(ENTITIES, formatTimestamp(since));
  const { time } = answer;
  if (count(answer) < FULL) return { pages: answer.pages, time, problems: [] };
  const pages: Page[] = [];
  const problems: string[] = [];
  for (const entity of ENTITIES) {
    const read = await readChangesOf(api, entity, since);
    pages.push(...read.pages);
    problems.push(...read.problems);
  }
  return { pages, time, problems };
}

/**
 * An answer that is full has left something out. Another one follows from its last change on, and a
 * query brings whatever exists. Deletions are nowhere else: where the answers cannot be told to be
 * all, that is a problem.
 */
async function readChangesOf(
  api: QuickBooksApi,
  entity: Entity,
  since: number,
): Promise<Pick<Read, 'pages' | 'problems'>> {
  const pages: Page[] = [];
  let from = since;
  let wasFull = false;
  let isSure = true;
  for (;;) {
    const answer = await api.changes([entity], formatTimestamp(from));
    pages.push(...answer.pages);
    const times = answer.pages.flatMap(({ items }) => items.map(timeOf));
    const last = times.at(-1) ?? 0;
    const isFull = times.length >= FULL;
    // Nothing newer after a full answer: it may have held the newest, and have left out others.
    if ((wasFull || isFull) && !(isAscending(times) && last > from)) isSure = false;
    if (!isFull || !isSure) {
      if (isFull || wasFull) pages.push(...(await queryAll(api, entity, since)).pages);
      break;
    }
    wasFull = true;
    from = last;
  }
  const problem =
    `More than ${FULL} objects of ${entity} have changed since ${formatTimestamp(since)}, and ` +
    'QuickBooks may not have told all deletions among them: compare what is recorded with it.';
  return { pages, problems: isSure ? [] : [problem] };
}

/** @param since ms; null for all there is */
export async function readObjects(api: QuickBooksApi, since: number | null): Promise<Read> {
  const pages: Page[] = [];
  const times: (string | undefined)[] = [];
  for (const entity of ENTITIES) {
    const read = await queryAll(api, entity, since);
    pages.push(...read.pages);
    times.push(read.time);
  }
  const problem =
    'QuickBooks tells deletions of the last 30 days only, and the last poll was longer ago: what ' +
    `was deleted since ${formatTimestamp(since ?? 0)} may still be recorded.`;
  return { pages, time: times[0], problems: since === null ? [] : [problem] };
}

async function queryAll(
  api: QuickBooksApi,
  entity: Entity,
  since: number | null,
): Promise<Pick<Read, 'pages' | 'time'>> {
  const where =
    since === null ? '' : ` where Metadata.LastUpdatedTime >= '${formatTimestamp(since)}'`;
  const pages: Page[] = [];
  let time: string | undefined;
  for (let start = 1; ; start += STEP) {
    const range = `startposition ${start} maxresults ${FULL}`;
    const answer = await api.query(entity, `select * from ${entity}${where} orderby Id ${range}`);
    time ??= answer.time;
    pages.push(...answer.pages);
    if (count(answer) < FULL) return { pages, time };
  }
}

function count({ pages }: Answer): number {
  return pages.reduce((sum, { items }) => sum + items.length, 0);
}

/** ms; NaN, which is in no order, when the object does not say. */
function timeOf(object: unknown): number {
  return lastUpdatedOf(object) ?? Number.NaN;
}

function isAscending(times: readonly number[]): boolean {
  return times.every((time, index) => time >= (times[index - 1] ?? 0));
}
