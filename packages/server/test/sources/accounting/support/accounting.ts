import { randomUUID } from 'node:crypto';
import { ConnectionStates, type WithheldPlan } from '@decision-ledger/contract/accounting';
import { type FinancialEvent, FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import sql from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { expect } from 'vitest';
import {
  type PollTools,
  pollConnection,
  requestDuePolls,
} from '#server/domains/sources/accounting/poll';
import { idToUuid } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import { dataOf, decision } from '../../../support/client.js';
import { SCORE } from '../../../support/link-score.js';
import type { Organisation, TestService } from '../../../support/service.js';
import { CLIENT, type QuickBooks, REALM } from './quickbooks-server.js';

export interface Ledger {
  readonly organisation: Organisation;
  readonly scope: Scope;
  /** Replaces the accounting connections of the settings. */
  connect(...connections: object[]): Promise<void>;
  /** Polls a connection as the background job does, with other tools if given. */
  poll(connectionId?: string, tools?: Partial<PollTools>): Promise<void>;
  connections(): Promise<Static<typeof ConnectionStates>['connections']>;
  /** Releases a plan. @returns the status of the answer */
  release(plan: string, connectionId?: string): Promise<number>;
  withheld(connectionId?: string): Promise<WithheldPlan | null>;
  /** Every event, deleted ones included, oldest record first. */
  events(): Promise<FinancialEvent[]>;
  /** Events that count, as `amount currency`, sorted. */
  amounts(): Promise<string[]>;
  links(): Promise<Link[]>;
  /** Links the event with a new decision. */
  link(eventId: string, fields?: object): Promise<Link>;
}

/** An organisation's live ledger, with actions for tests of accounting connections. */
export async function openLedger(test: TestService): Promise<Ledger> {
  const organisation = await test.organisation();
  const { live } = organisation;
  const scope = await liveScope(test, organisation);
  const events = async () => {
    const answer = await live.get('/financial-events?include_deleted=true&limit=500');
    const { financial_events } = dataOf(answer, FinancialEventPage);
    return financial_events.sort((a, b) => a.id.localeCompare(b.id));
  };
  return {
    ...{ organisation, scope, events },
    async connect(...accounting) {
      dataOf(await live.patch('/settings', { accounting }), Type.Unknown());
    },
    poll(connectionId = 'books', tools = {}) {
      const used: PollTools = { ...test.service, ...tools };
      return pollConnection(used.db.ledger(scope), used, connectionId);
    },
    async release(plan, connectionId = 'books') {
      const path = `/accounting/connections/${connectionId}/release`;
      return (await live.post(path, { plan })).status;
    },
    async withheld(connectionId = 'books') {
      const { connections } = dataOf(await live.get('/accounting/connections'), ConnectionStates);
      return connections.find(({ id }) => id === connectionId)?.withheld ?? null;
    },
    async connections() {
      return dataOf(await live.get('/accounting/connections'), ConnectionStates).connections;
    },
    amounts: async () => amountsOf((await events()).filter((event) => event.deleted_at === null)),
    async links() {
      return dataOf(await live.get('/links?include_deleted=true&limit=500'), LinkPage).links;
    },
    async link(financial_event_id, fields = {}) {
      const made = await live.post('/decisions', decision());
      const { decision_id } = dataOf(made, Type.Object({ decision_id: Type.String() }), 201);
      const body = { decision_id, financial_event_id, correlation_strength: 0.7 };
      const kind = { link_type: 'revenue', attribution_method: 'direct' };
      return dataOf(await live.post('/links', { ...body, ...kind, ...fields }), Link, 201);
    },
  };
}

export function amountsOf(events: readonly FinancialEvent[]): string[] {
  return events.map(({ amount, currency }) => `${amount} ${currency}`).sort();
}

async function liveScope({ service }: TestService, { id }: Organisation): Promise<Scope> {
  const [row] = await service.db.query<{ org_id: string; ledger_id: string }>(sql`
    select org_id, ledger_id from ledgers where mode = 'live' and org_id = ${idToUuid('org', id)}`);
  if (row === undefined) throw new Error('the organisation has no live ledger');
  return { orgId: row.org_id, ledgerId: row.ledger_id, mode: 'live' };
}

/** hledger-web as a connection of the settings. */
export const books = (url: string, fields: object = {}) => ({
  ...{ id: 'books', kind: 'hledger', url },
  ...fields,
});

/** The local QuickBooks server as a connection of the settings. */
export const company = (server: QuickBooks, fields: object = {}) => ({
  ...{ id: 'company', kind: 'quickbooks', realm_id: REALM, environment: 'production' },
  ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, refresh_token: 'refresh-0' },
  ...server.urls,
  ...fields,
});

/** A sale in the journal; its code keeps its identity when it is edited. */
export const sale = (code: string, amount: string) => `2026-02-03 (${code}) Acme | Sale ${code}
    assets:bank     ${amount}
    revenues:saas
`;

/** Suggests a link for the event of another link, as the engine does; no request can. */
export async function suggest({ service }: TestService, { id }: Link): Promise<void> {
  await service.db.query(sql`
    insert into links (ledger_id, link_id, decision_id, event_id, correlation_strength, link_type,
      attribution_method, status, score, review_priority, created_by, created_at)
    select ledger_id, ${randomUUID()}, decision_id, event_id, 0.4, 'saving', 'probabilistic',
      'ML_SUGGESTED', ${JSON.stringify(SCORE)}, 0.4, 'engine', created_at
    from links where link_id = ${idToUuid('lnk', id)}`);
}

export interface PollJob {
  readonly id: string;
  readonly connection_id: string;
  readonly state: string;
  readonly retry_count: number;
}

/** Accounting poll jobs of a ledger. */
export function pollJobs({ service }: TestService, { scope }: Ledger): Promise<PollJob[]> {
  return service.db.query<PollJob>(sql`
    select id, data ->> 'connection_id' as connection_id, state, retry_count from job
    where name = 'accounting-poll' and data ->> 'ledger_id' = ${scope.ledgerId}
    order by created_on, connection_id`);
}

export const askForDue = ({ service }: TestService) => requestDuePolls(service);

/** Why a promise was rejected. */
export async function reasonOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => expect.unreachable('it did not fail'),
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : String(error);
}
