import { ActivityChainVerification } from '@decision-ledger/contract/chain';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import pg from 'pg';
import sql from 'sql-template-tag';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { recordMovements } from '#server/domains/sources/stripe/record-movements';
import { dataOf, decision } from '../support/client.js';
import { describePostgres } from '../support/postgres.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';
import { startService } from '../support/service-process.js';
import {
  CREATED,
  charge,
  dispute,
  eventOf,
  type Payload,
  refund,
} from '../support/stripe-events.js';
import { expectedMovements, minorUnits, sums } from '../support/stripe-oracle.js';
import {
  deliver,
  eventsOf,
  movementsIn,
  receiptOf,
  SIGNING_SECRET,
  setSecrets,
  settled,
  until,
} from '../support/webhooks.js';

/** Where a worker is when it is killed: waiting for this lock. */
interface Step {
  readonly name: string;
  readonly lock: string;
  /** Pattern of the statement that waits for it. */
  readonly waits: string;
  /** Taken once the worker waits for the first lock, which is then released. */
  readonly next?: string;
  /** Leaves the new events of a caller as the only work. */
  readonly work?: 'scoring';
}

const HEAD = `select from chain_heads where chain = 'activity' for update`;

const STEPS: readonly Step[] = [
  {
    name: 'fetches a job',
    waits: '%job%',
    lock: 'lock table job in share row exclusive mode',
  },
  {
    name: 'waits for the head of the activity chain',
    waits: '%chain_heads%for update%',
    lock: HEAD,
  },
  {
    name: 'reads what has arrived',
    waits: '%from stripe_events%',
    lock: 'lock table stripe_events in access exclusive mode',
  },
  {
    name: 'looks for the event before',
    waits: '%financial_events%origin =%',
    lock: 'lock table financial_events in access exclusive mode',
  },
  {
    name: 'records the activity',
    waits: '%insert into activity%',
    lock: 'lock table activity in exclusive mode',
  },
  {
    name: 'moves the head of the chain',
    waits: '%update chain_heads%',
    lock: 'lock table chain_heads in share mode',
  },
  {
    name: 'records the event',
    waits: '%insert into financial_events%',
    lock: 'lock table financial_events in exclusive mode',
  },
  {
    name: 'reads the links to carry',
    waits: '%from links%',
    lock: 'lock table links in access exclusive mode',
  },
  { name: 'carries a link', waits: '%link%', lock: 'lock table links in exclusive mode' },
  {
    name: 'ends the job, with all recorded',
    waits: '%completed%',
    lock: HEAD,
    next: `select from job where name = 'stripe-object' and state = 'active' for update`,
  },
  {
    name: 'notes which events were scored',
    waits: '%due_work%',
    lock: 'lock table due_work in share mode',
    work: 'scoring',
  },
];

describePostgres('Worker kills', () => {
  it.concurrent.for(STEPS)(
    'A worker killed while it $name loses nothing and records nothing twice',
    async (step) => {
      const bed = await openTestService('postgres');
      try {
        await survives(bed, step);
      } finally {
        await bed.close();
      }
    },
  );
});

async function survives(bed: TestService, step: Step): Promise<void> {
  const org = await bed.organisation();
  await setSecrets(org.test, SIGNING_SECRET);
  const payloads = step.work === 'scoring' ? [] : await leaveStripeWork(bed, org);
  if (step.work === 'scoring') await leaveEvents(org);
  await killWhile(bed, step);
  const next = await bed.another({ isWorker: true });
  await settled(bed.service);
  await next.close();
  await expectExact(bed, org, payloads);
}

/** A recorded refund with a link, its correction in the inbox, and a payment with a dispute. */
async function leaveStripeWork(bed: TestService, org: Organisation): Promise<Payload[]> {
  const back = { id: 're_1', charge: 'ch_1' };
  const first = eventOf('refund.created', refund({ ...back, amount: 2000 }), { created: CREATED });
  const more = [
    eventOf('refund.updated', refund({ ...back, amount: 1700 }), { created: CREATED + 1 }),
    eventOf('charge.succeeded', charge({ id: 'ch_1', amount: 2000 })),
    eventOf('charge.dispute.created', dispute({ id: 'du_1' })),
    eventOf('charge.dispute.funds_withdrawn', dispute({ id: 'du_1', amount: 500 })),
  ];
  expect(receiptOf(await deliver(bed, org.test, first))).toEqual({ status: 'accepted' });
  await recordMovements(bed.service.db.ledger(await testScope(bed)), bed.service.hooks, 'ch_1');
  await link(org);
  for (const payload of more) {
    expect(receiptOf(await deliver(bed, org.test, payload))).toEqual({ status: 'accepted' });
  }
  return [first, ...more];
}

async function testScope({ service }: TestService) {
  const rows = await service.db.query<{ org_id: string; ledger_id: string }>(sql`
    select org_id, ledger_id from ledgers where mode = 'test'`);
  const [{ org_id, ledger_id } = { org_id: '', ledger_id: '' }] = rows;
  return { orgId: org_id, ledgerId: ledger_id, mode: 'test' as const };
}

async function link({ test }: Organisation): Promise<void> {
  const [event] = await eventsOf(test);
  const made = dataOf(await test.post('/decisions', decision()), DecisionReceipt, 201);
  const body = {
    ...{ decision_id: made.decision_id, financial_event_id: event?.id },
    ...{ correlation_strength: 1, link_type: 'refund', attribution_method: 'direct' },
  };
  dataOf(await test.post('/links', body), Link, 201);
}

/** More than one step of scoring takes. */
const EVENTS = 60;

async function leaveEvents({ test }: Organisation): Promise<void> {
  const event = { source: 'billing', event_type: 'payment', amount: '10.00', currency: 'USD' };
  for (let n = 0; n < EVENTS; n += 1) {
    const body = { ...event, timestamp: '2026-03-01T12:00:00Z', external_id: `order-${n}` };
    dataOf(await test.post('/financial-events', body), FinancialEvent, 201);
  }
}

/** Holds the worker at this step, kills it there, and only then releases the lock. */
async function killWhile(bed: TestService, { lock, waits, next }: Step): Promise<void> {
  const client = () => new pg.Client(bed.environment.DATABASE_URL);
  const [first, second, observer] = [client(), client(), client()];
  for (const one of [first, second, observer]) await one.connect();
  try {
    await hold(first, lock);
    const worker = await startService({ ...bed.environment, LEDGER_ROLE: 'worker' });
    if (next !== undefined) {
      await until('the worker waits', () => isWaiting(observer, '%chain_heads%'));
      await hold(second, next);
      await first.query('rollback');
      await until('the events are there', async () => (await eventCount(bed)) > 1);
    }
    await until('the worker waits at the step', () => isWaiting(observer, waits));
    await worker.kill();
  } finally {
    for (const one of [first, second, observer]) await one.end();
  }
}

async function hold(client: pg.Client, lock: string): Promise<void> {
  await client.query('begin');
  await client.query(lock);
}

/** Whether a statement like this waits for a lock; only the worker is connected. */
async function isWaiting(observer: pg.Client, like: string): Promise<boolean> {
  const { rows } = await observer.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
    [like],
  );
  return rows.length > 0;
}

async function eventCount({ service }: TestService): Promise<number> {
  const [row] = await service.db.query<{ n: number }>(sql`
    select count(*)::int as n from financial_events`);
  return row?.n ?? 0;
}

async function expectExact(
  bed: TestService,
  org: Organisation,
  payloads: readonly Payload[],
): Promise<void> {
  const expected = expectedMovements(payloads);
  const events = (await eventsOf(org.test)).filter(({ source }) => source === 'stripe');
  expect(movementsIn(events)).toEqual([...expected.keys()].sort());
  const worth = events.map(({ amount, currency }) => ({
    currency,
    minor: minorUnits(amount, currency),
  }));
  expect(sums(worth)).toEqual(sums(expected.values()));
  const all = await eventsOf(org.test, '&include_deleted=true');
  // The refund has two versions; nothing else was ever recorded, not even briefly.
  expect(all).toHaveLength(payloads.length === 0 ? EVENTS : expected.size + 1);
  if (payloads.length > 0) {
    const { links } = dataOf(await org.test.get('/links'), LinkPage);
    const version = events.find(({ external_id }) => external_id === 're_1');
    expect(links.map((one) => one.financial_event_id)).toEqual([version?.id]);
  }
  const chain = dataOf(await org.test.get('/activity/chain/verify'), ActivityChainVerification);
  expect(chain).toMatchObject({ is_valid: true });
  const { activity } = dataOf(
    await org.test.get('/activity?limit=500&type=financial_event.recorded'),
    Activities,
  );
  expect(activity.map(({ subject }) => subject).sort()).toEqual(all.map(({ id }) => id).sort());
  const [row] = await bed.service.db.query<{ n: number }>(sql`
    select count(*)::int as n from due_work where follower = 'suggestions'`);
  expect(row?.n).toBe(0);
}

const Activities = Type.Object({ activity: Type.Array(Type.Object({ subject: Type.String() })) });
