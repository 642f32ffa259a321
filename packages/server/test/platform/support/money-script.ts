import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { success } from '@decision-ledger/contract/shared';
import { Parse } from 'typebox/value';
import type { Caller, Reply } from '../../support/caller.js';
import type { Journal } from '../../support/load.js';
import { event, link } from '../../support/money.js';

/** What was answered about events, links and settings, in the order of the answers. */
export class MoneyBook {
  /** By `external_id`. */
  readonly events = new Map<string, FinancialEvent>();
  /** By id, as they were answered last. */
  readonly links = new Map<string, Link>();
  /** Links whose last change was not answered. */
  readonly unsure = new Set<string>();
  readonly settings = { sent: 0, answered: 0 };
  readonly sentEvents = new Set<string>();
  /** The bodies of unanswered requests by their keys. */
  readonly unanswered = new Map<string, { readonly path: string; readonly body: object }>();
}

export interface MoneyScript {
  readonly caller: Caller;
  readonly random: () => number;
  readonly journal: Journal;
  readonly book: MoneyBook;
  /** Begins the name of everything that it records. */
  readonly name: string;
}

/** The process died before it answered. */
class CutOffError extends Error {}

type Step = (script: MoneyScript, n: number) => Promise<void>;

/** Carries out one action after the other until the process dies. */
export async function moveMoney(script: MoneyScript): Promise<void> {
  try {
    for (let n = 0; ; n += 1) await pick(script, STEPS)?.(script, n);
  } catch (error) {
    if (!(error instanceof CutOffError)) throw error;
  }
}

/** Sends again, with their keys, what was not answered. */
export async function repeatUnanswered({ caller, book }: MoneyScript): Promise<void> {
  for (const [key, { path, body }] of [...book.unanswered]) {
    await create({ caller, book }, { path, body, key });
  }
}

const STEPS: readonly Step[] = [
  recordEvent,
  recordEvent,
  recordEvent,
  recordEvent,
  makeLink,
  makeLink,
  reviewSuggestion,
  reviewSuggestion,
  removeLink,
  changeSettings,
];

/** The source of the events that steps link. */
const BILLED = event().source;
/** Whose events no step links, so that a closed month keeps its figures. */
const ARCHIVE = 'archive';

/** Records an event of a month that ended long ago and has no other one. Months are numbered from 1. */
export async function recordOfMonth(script: MoneyScript, month: number): Promise<void> {
  const key = `month-${month}`;
  const timestamp = new Date(Date.UTC(2001, month, 15)).toISOString();
  script.book.sentEvents.add(key);
  await create(script, {
    ...{ path: '/financial-events', key },
    body: event({ source: ARCHIVE, external_id: key, amount: '10.25', timestamp }),
  });
}

/** What is sold at the till, and what the books say of it, no step links: so rules pair the two. */
const TILL = 'till';

/** Records a sale, and that it stands in the books, too. Sales are numbered from 1. */
export async function recordTwice(script: MoneyScript, sale: number): Promise<void> {
  const timestamp = new Date().toISOString();
  for (const source of [TILL, 'accounting/books']) {
    const key = `${source}-${sale}`;
    script.book.sentEvents.add(key);
    const fields = { source, external_id: key, metadata: { receipt: `R-${sale}-37` } };
    const body = event({ ...fields, amount: `${1000 + sale}.37`, timestamp });
    await create(script, { path: '/financial-events', body, key });
  }
}

async function recordEvent(script: MoneyScript, n: number): Promise<void> {
  const { random, journal, book } = script;
  const order = pick(script, [...journal.acknowledged.keys()].slice(-50));
  if (order === undefined) return;
  const key = `${script.name}-event-${n}`;
  const body = event({
    ...{ external_id: key, metadata: { request: order } },
    amount: `${random() < 0.3 ? '-' : ''}${Math.ceil(random() * 900)}.25`,
    timestamp: new Date().toISOString(),
  });
  book.sentEvents.add(key);
  await create(script, { path: '/financial-events', body, key });
}

async function makeLink(script: MoneyScript, n: number): Promise<void> {
  const { book, journal } = script;
  const receipts = pick(script, [...journal.acknowledged.values()].slice(-50));
  const events = [...book.events.values()].filter(({ source }) => source === BILLED);
  const caused = pick(script, events.slice(-50));
  const decided = pick(script, receipts ?? []);
  if (caused === undefined || decided === undefined) return;
  const body = link(decided.decision_id, caused.id, { correlation_strength: 0.25 });
  await create(script, { path: '/links', body, key: `${script.name}-link-${n}` });
}

async function reviewSuggestion(script: MoneyScript): Promise<void> {
  const reply = await ask(script.caller, 'GET', '/links?status=ML_SUGGESTED&limit=10');
  const suggested = pick(script, Parse(success(LinkPage), reply.body).data.links);
  if (suggested === undefined) return;
  const review = script.random() < 0.5 ? 'confirm' : 'reject';
  await changeLink(script, suggested.id, ['POST', `/links/${suggested.id}/${review}`]);
}

async function removeLink(script: MoneyScript): Promise<void> {
  const live = [...script.book.links.values()].filter(({ deleted_at }) => deleted_at === null);
  const chosen = pick(script, live);
  if (chosen === undefined) return;
  await changeLink(script, chosen.id, ['DELETE', `/links/${chosen.id}`]);
}

async function changeSettings({ caller, random, book }: MoneyScript): Promise<void> {
  book.settings.sent += 1;
  const changes = {
    // Never the same, so that each change is recorded.
    liability: { response_cost: `${book.settings.sent}` },
    attribution: { unsigned_sources: random() < 0.5 ? ['billing'] : [] },
  };
  expectStatus(await ask(caller, 'PATCH', '/settings', changes), [200]);
  book.settings.answered += 1;
}

interface Creation {
  readonly path: string;
  readonly body: object;
  /** Idempotency-Key. */
  readonly key: string;
}

async function create(
  { caller, book }: Pick<MoneyScript, 'caller' | 'book'>,
  { path, body, key }: Creation,
): Promise<void> {
  book.unanswered.set(key, { path, body });
  const reply = await ask(caller, 'POST', path, body, { 'idempotency-key': key });
  book.unanswered.delete(key);
  // A suggestion may have become this link, or the shares of the event be taken.
  expectStatus(reply, path === '/links' ? [201, 409, 422] : [201]);
  if (reply.status !== 201) return;
  if (path === '/links') {
    const made = Parse(success(Link), reply.body).data;
    book.links.set(made.id, made);
  } else {
    book.events.set(key, Parse(success(FinancialEvent), reply.body).data);
  }
}

/** Confirms, rejects or removes a link. What happened to it is not known if that is not answered. */
async function changeLink(
  { caller, book }: MoneyScript,
  id: string,
  [method, path]: readonly [string, string],
): Promise<void> {
  book.unsure.add(id);
  const reply = await ask(caller, method, path);
  expectStatus(reply, [200, 409, 404, 422]);
  if (reply.status !== 200) return;
  book.links.set(id, Parse(success(Link), reply.body).data);
  book.unsure.delete(id);
}

async function ask(
  caller: Caller,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return caller.call(method, `/api/v1${path}`, body, headers).catch((cause: unknown) => {
    throw new CutOffError(path, { cause });
  });
}

function expectStatus({ status, body }: Reply, expected: readonly number[]): void {
  if (!expected.includes(status)) throw new Error(`${status}: ${JSON.stringify(body)}`);
}

function pick<Item>(
  { random }: Pick<MoneyScript, 'random'>,
  items: readonly Item[],
): Item | undefined {
  return items[Math.floor(random() * items.length)];
}
