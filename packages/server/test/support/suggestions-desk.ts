import { type Activity, ActivityPage } from '@decision-ledger/contract/chain';
import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { Link, LinkInDetail, LinkPage, type LinkScore } from '@decision-ledger/contract/link';
import sql from 'sql-template-tag';
import { Type } from 'typebox';
import { expect } from 'vitest';
import { suggestNow } from '#server/domains/judgement/attribution/index';
import type { Clock } from '#server/platform/clock';
import type { Database } from '#server/platform/database';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from './client.js';
import { databaseAt } from './own-database.js';
import { scopeOf, type TestService } from './service.js';

type Fields = Readonly<Record<string, unknown>>;

/** How a run on the new events differs from the worker's. */
export interface Look {
  readonly db?: Database;
  readonly clock?: Clock;
}

export interface Count {
  readonly event_type: string;
  readonly action_type: string;
  readonly agent_id: string;
  readonly day: number;
  readonly confirmed: number;
  readonly rejected: number;
}

/** A ledger, with the actions of tests on suggested links. */
export interface Desk {
  readonly client: Client;
  readonly scope: Scope;
  /** @returns the ids of the new decisions in order; at most 100 */
  decide(...decisions: Fields[]): Promise<string[]>;
  /** @returns the id of a new event */
  happen(fields?: Fields): Promise<string>;
  /** Runs the background job. */
  look(how?: Look): Promise<void>;
  /** Scores every event again, as after a change. */
  lookAtAllAgain(): Promise<void>;
  /** Current links, in the order of the answer. */
  links(query?: string): Promise<Link[]>;
  /** The suggested links of an event, strongest first. */
  suggested(eventId: string): Promise<Link[]>;
  read(linkId: string): Promise<LinkInDetail>;
  review(linkId: string, review: 'confirm' | 'reject'): Promise<Link>;
  remove(linkId: string): Promise<Link>;
  /** Links by hand. */
  link(decisionId: string, eventId: string, fields?: Fields): Promise<Link>;
  set(attribution: Fields): Promise<void>;
  counts(): Promise<Count[]>;
  /** Verdicts in the order given. */
  verdicts(): Promise<string[]>;
  /** Activity about links, oldest first. */
  activity(): Promise<Activity[]>;
}

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 2, 1);

/** RFC 3339, this many hours after the start time of the tests. */
export const at = (hours: number) => new Date(START + Math.round(hours * HOUR_MS)).toISOString();

/** The strengths in millionths, which sum exactly. */
export const millionths = (links: readonly Link[]) =>
  links.reduce((sum, link) => sum + Math.round(link.correlation_strength * 1e6), 0);

export async function openDesk(test: TestService, client?: Client): Promise<Desk> {
  const used = client ?? (await test.organisation()).live;
  const scope = await scopeOf(test, used);
  return {
    client: used,
    scope,
    ...recording(used),
    ...looking(test, scope),
    ...linking(used),
    ...kept(test, scope, used),
  };
}

function recording(client: Client): Pick<Desk, 'decide' | 'happen' | 'set'> {
  return {
    async decide(...decisions) {
      const bodies = decisions.map((fields) => decision({ timestamp: at(0), ...fields }));
      const answer = await client.post('/decisions/batch', { decisions: bodies });
      const { decisions: receipts } = dataOf(answer, DecisionBatchReceipt, 201);
      return receipts.map(({ decision_id }) => decision_id);
    },
    async happen(fields = {}) {
      const kind = { source: 'billing', event_type: 'payment', amount: '40.00', currency: 'USD' };
      const body = { ...kind, timestamp: at(1), ...fields };
      return dataOf(await client.post('/financial-events', body), FinancialEvent, 201).id;
    },
    async set(attribution) {
      dataOf(await client.patch('/settings', { attribution }), Type.Unknown());
    },
  };
}

function looking({ service }: TestService, scope: Scope): Pick<Desk, 'look' | 'lookAtAllAgain'> {
  return {
    look: ({ db = service.db, clock = db.context.clock } = {}) =>
      suggestNow(databaseAt(db, clock).ledger(scope), service.hooks, new AbortController().signal),
    async lookAtAllAgain() {
      await service.db.query(sql`
        insert into due_work (ledger_id, follower, subject)
        select ledger_id, 'suggestions', event_id from financial_events
        where ledger_id = ${scope.ledgerId} and deleted_at is null
        on conflict do nothing`);
    },
  };
}

function linking(
  client: Client,
): Pick<Desk, 'links' | 'suggested' | 'read' | 'review' | 'remove' | 'link'> {
  const links = async (query = '') => {
    const all: Link[] = [];
    for (let cursor = ''; ; ) {
      const answer = await client.get(`/links?limit=500${query}${cursor}`);
      const page = dataOf(answer, LinkPage);
      all.push(...page.links);
      if (page.next_cursor === null) return all;
      cursor = `&cursor=${page.next_cursor}`;
    }
  };
  return {
    links,
    async suggested(eventId) {
      const found = await links(`&status=ML_SUGGESTED&financial_event_id=${eventId}`);
      return found.sort((a, b) => b.correlation_strength - a.correlation_strength);
    },
    read: async (linkId) => dataOf(await client.get(`/links/${linkId}`), LinkInDetail),
    review: async (linkId, review) =>
      dataOf(await client.post(`/links/${linkId}/${review}`, {}), Link),
    remove: async (linkId) => dataOf(await client.delete(`/links/${linkId}`), Link),
    async link(decision_id, financial_event_id, fields = {}) {
      const kind = { link_type: 'revenue', attribution_method: 'manual' };
      const body = { decision_id, financial_event_id, correlation_strength: 0.5, ...kind };
      return dataOf(await client.post('/links', { ...body, ...fields }), Link, 201);
    },
  };
}

function kept(
  { service }: TestService,
  { ledgerId }: Scope,
  client: Client,
): Pick<Desk, 'counts' | 'verdicts' | 'activity'> {
  return {
    counts: () =>
      service.db.query<Count>(sql`
        select event_type, action_type, agent_id, day, confirmed, rejected from agent_patterns
        where ledger_id = ${ledgerId} order by 1, 2, 3, 4`),
    async verdicts() {
      const rows = await service.db.query<{ verdict: string }>(sql`
        select verdict from link_reviews where ledger_id = ${ledgerId} order by created_at, verdict`);
      return rows.map(({ verdict }) => verdict);
    },
    async activity() {
      const answer = await client.get('/activity?limit=500');
      const { activity } = dataOf(answer, ActivityPage);
      return activity.filter(({ type }) => type.startsWith('link.')).reverse();
    },
  };
}

/** The only suggestion of an event; fails unless there is exactly one. */
export async function onlySuggestion(desk: Desk, eventId: string): Promise<Link> {
  const [link, ...others] = await desk.suggested(eventId);
  expect(others).toEqual([]);
  if (link === undefined) return expect.unreachable('nothing is suggested');
  return link;
}

/** The strongest suggestion of an event. */
export async function strongest(desk: Desk, eventId: string): Promise<Link> {
  const [link] = await desk.suggested(eventId);
  return link ?? expect.unreachable('nothing is suggested');
}

/** The score of a suggested link. */
export function scoreOf({ score }: Link): LinkScore {
  if (score === undefined) return expect.unreachable('the link has no score');
  return score;
}
