import { setTimeout as sleep } from 'node:timers/promises';
import { FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { WebhookReceipt } from '@decision-ledger/contract/webhook';
import sql from 'sql-template-tag';
import type { Static } from 'typebox';
import { expect } from 'vitest';
import type { Queryable } from '#server/platform/statement';
import type { Service } from '#server/service';
import { type Answer, type Client, dataOf } from './client.js';
import type { TestService } from './service.js';
import { type Payload, signed } from './stripe-events.js';

export const SIGNING_SECRET = 'whsec_of_the_endpoint';
export const WEBHOOK = '/financial-events/webhook/stripe';

export type LiveEvent = Static<typeof FinancialEventPage>['financial_events'][number];

/** Sets Stripe's signing secrets. */
export async function setSecrets(client: Client, ...signing_secrets: string[]): Promise<void> {
  const { status } = await client.patch('/settings', { stripe: { signing_secrets } });
  expect(status).toBe(200);
}

/** Delivers an event as Stripe does, signed now by default. */
export function deliver(
  { clock }: Pick<TestService, 'clock'>,
  client: Client,
  payload: Payload,
  { secret = SIGNING_SECRET, late = 0 } = {},
): Promise<Answer> {
  const { body, header } = signed(payload, secret, Math.floor(clock.now() / 1000) - late);
  return client.post(WEBHOOK, body, { 'stripe-signature': header });
}

export const receiptOf = (answer: Answer) => dataOf(answer, WebhookReceipt, 202);

const PATIENCE_MS = 120_000;

const LOOK_MS = { least: 20, most: 250 };

/**
 * Waits until a condition holds. The longer it takes, the less often it looks, because each look takes time.
 * @param mostMs longest time between two looks: short for what holds for a moment only
 */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  patienceMs = PATIENCE_MS,
  mostMs = LOOK_MS.most,
): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - start;
    if (waited > patienceMs) throw new Error(`${what}: not within ${patienceMs} ms`);
    await sleep(Math.min(Math.max(LOOK_MS.least, waited / 20), mostMs));
  }
}

/** Waits until no job is waiting or running. */
export async function settled({ db }: Pick<Service, 'db'>): Promise<void> {
  await until('the jobs end', async () => (await openJobs(db)) + (await dueWork(db)) === 0);
}

/** What followers have to do. */
export async function dueWork(db: Queryable): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select count(*)::int as n from due_work where due_at = '-infinity'`);
  return row?.n ?? 0;
}

export async function openJobs(db: Queryable): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select count(*)::int as n from job
    where state in ('created', 'retry', 'active') and name <> 'dead-letters'`);
  return row?.n ?? 0;
}

/** The financial events that count, or all of them. */
export async function eventsOf(client: Client, query = ''): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await client.get(`/financial-events?limit=500${query}${more}`);
    const page: Static<typeof FinancialEventPage> = dataOf(answer, FinancialEventPage);
    events.push(...page.financial_events);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return events;
}

/** The name of every movement, `object/kind`; repeated if it counts twice. */
export const movementsIn = (events: readonly LiveEvent[]) =>
  events.map(({ external_id, event_type }) => `${external_id}/${event_type}`).sort();
