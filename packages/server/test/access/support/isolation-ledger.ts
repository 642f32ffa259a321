import { IssuedKey, KeyPage } from '@decision-ledger/contract/access';
import { ActivityPage } from '@decision-ledger/contract/chain';
import {
  DecisionBatchReceipt,
  DecisionPage,
  type DecisionReceipt,
} from '@decision-ledger/contract/decision';
import { FinancialEvent, FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { DeadJobPage } from '@decision-ledger/contract/operations';
import type { Mode } from '@decision-ledger/contract/permissions';
import { expect } from 'vitest';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../../support/client.js';
import { event, link, suggestByEngine } from '../../support/money.js';
import { type Organisation, scopeOf, type TestService } from '../../support/service.js';
import { giveUpJob } from '../../support/stored-jobs.js';

const PAGES = {
  decisions: DecisionPage,
  activity: ActivityPage,
  keys: KeyPage,
  'financial-events': FinancialEventPage,
  links: LinkPage,
  'jobs/dead': DeadJobPage,
} as const;

/** A ledger filled with records that all bear its mark. */
export interface Ledger {
  readonly mark: string;
  readonly mode: Mode;
  readonly org: Organisation;
  readonly client: Client;
  readonly receipts: readonly DecisionReceipt[];
  readonly keyId: string;
  readonly key: string;
  readonly scope: Scope;
  readonly events: readonly FinancialEvent[];
  readonly links: readonly Link[];
  /** A link that awaits review. */
  readonly suggested: string;
  /** Dead jobs. */
  readonly deadJobs: readonly string[];
  readonly cursors: Readonly<Record<keyof typeof PAGES, string>>;
}

/** What each route must withhold from a caller of one ledger who knows every id of another. */
export type Case = (own: Ledger, foreign: Ledger, bed: TestService) => Promise<void>;

/** Fills a ledger with some of everything, marked. */
export async function fillLedger(
  bed: TestService,
  org: Organisation,
  mode: Mode,
  mark: string,
): Promise<Ledger> {
  const client = org[mode];
  const scope = await scopeOf(bed, client);
  const receipts = await recordDecisions(client, mark);
  const body = { name: mark, permissions: ['read'] };
  const { key_id, key } = dataOf(await client.post('/keys', body), IssuedKey, 201);
  const events = await recordEvents(client, mark);
  const links = await linkAll(client, mark, receipts, events);
  const [decision_id = ''] = receipts.slice(-1).map((receipt) => receipt.decision_id);
  const [financial_event_id = ''] = events.map(({ id }) => id);
  const suggestion = { decision_id, financial_event_id };
  const made = {
    ...{ mark, mode, org, client, scope, receipts, key, events, links },
    keyId: key_id,
  };
  const suggested = await suggestByEngine(bed, scope, suggestion);
  const deadJobs = await Promise.all(
    [1, 2].map((n) => giveUpJob(bed, scope, { object_id: `${mark}-${n}` })),
  );
  return {
    ...{ ...made, suggested, deadJobs },
    cursors: {
      decisions: await cursorOf(client, 'decisions'),
      activity: await cursorOf(client, 'activity'),
      keys: await cursorOf(client, 'keys'),
      'financial-events': await cursorOf(client, 'financial-events'),
      links: await cursorOf(client, 'links'),
      'jobs/dead': await cursorOf(client, 'jobs/dead'),
    },
  };
}

async function recordDecisions(client: Client, mark: string): Promise<DecisionReceipt[]> {
  const experiment = { id: mark, arm: mark, propensity: 0.5 };
  const metadata = { mark, shared: 'same', experiment };
  const marked = { agent_id: mark, action_type: mark, metadata };
  const decisions = [1, 2, 3].map((n) => decision({ ...marked, inputs: { n, mark } }));
  const headers = { 'idempotency-key': 'the same everywhere' };
  const batch = await client.post('/decisions/batch', { decisions }, headers);
  return dataOf(batch, DecisionBatchReceipt, 201).decisions;
}

async function recordEvents(client: Client, mark: string): Promise<FinancialEvent[]> {
  const marked = { source: mark, event_type: mark, external_id: mark, metadata: { mark } };
  const answers = await Promise.all(
    [1, 2].map((n) =>
      client.post('/financial-events', event(marked), { 'idempotency-key': `the same event ${n}` }),
    ),
  );
  return answers.map((answer) => dataOf(answer, FinancialEvent, 201));
}

async function linkAll(
  client: Client,
  mark: string,
  [receipt]: readonly DecisionReceipt[],
  events: readonly FinancialEvent[],
): Promise<Link[]> {
  const answers = await Promise.all(
    events.map(({ id }, n) =>
      client.post('/links', link(receipt?.decision_id ?? '', id, { notes: mark }), {
        'idempotency-key': `the same link ${n}`,
      }),
    ),
  );
  return answers.map((answer) => dataOf(answer, Link, 201));
}

async function cursorOf(client: Client, list: keyof typeof PAGES): Promise<string> {
  const { next_cursor } = dataOf(await client.get(`/${list}?limit=1`), PAGES[list]);
  if (next_cursor === null) throw new Error(`${list} has only one page`);
  return next_cursor;
}

/** No trace: neither the mark, nor an id, nor a hash. */
export function expectNothingOf(foreign: Ledger, text: string): void {
  const { mark, receipts, keyId, key, org, events, links, suggested, deadJobs } = foreign;
  const ids = [
    ...receipts.flatMap(({ decision_id, hash, prev_hash }) => [decision_id, hash, prev_hash]),
    ...[...events, ...links].map(({ id }) => id),
    ...[suggested, ...deadJobs],
  ];
  for (const trace of [mark, keyId, key, org.id, ...ids]) expect(text).not.toContain(trace);
}
