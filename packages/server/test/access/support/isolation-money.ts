import { IssuedKey } from '@decision-ledger/contract/access';
import { ConnectionStates } from '@decision-ledger/contract/accounting';
import { FinancialEvent, FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { DeadJobPage, FollowerList, RetriedJob } from '@decision-ledger/contract/operations';
import { MODES, type Mode } from '@decision-ledger/contract/permissions';
import { Settings } from '@decision-ledger/contract/settings';
import { WebhookReceipt } from '@decision-ledger/contract/webhook';
import sql from 'sql-template-tag';
import { expect } from 'vitest';
import { type Answer, type Client, dataOf, expectRefusal } from '../../support/client.js';
import { event, link, recordPair, signatureOf, suggestByEngine } from '../../support/money.js';
import { contents, type TestService } from '../../support/service.js';
import { hledger } from '../../support/settings-samples.js';
import { giveUpJob, withOwner } from '../../support/stored-jobs.js';
import { charge, eventOf } from '../../support/stripe-events.js';
import { ANALYTICS_CASES } from './isolation-analytics.js';
import { type Case, expectNothingOf, type Ledger } from './isolation-ledger.js';
import { MOVEMENT_CASES } from './isolation-movements.js';

const [GET, POST, DELETE] = ['GET /api/v1', 'POST /api/v1', 'DELETE /api/v1'];

/** The cases of the routes about money and its background work. */
export const MONEY_CASES: Readonly<Record<string, Case>> = {
  [`${POST}/financial-events`]: recordsOwnEvents,
  [`${GET}/financial-events`]: listsOwnEvents,
  [`${GET}/financial-events/:id`]: async ({ client }, { events }) => {
    for (const { id } of events)
      expectRefusal(await client.get(`/financial-events/${id}`), 'not_found');
  },
  [`${GET}/financial-events/:id/explanation`]: async ({ client }, { events, receipts }) => {
    const [decision] = receipts;
    for (const { id } of events) {
      const path = `/financial-events/${id}/explanation?decision_id=${decision?.decision_id}`;
      expectRefusal(await client.get(path), 'not_found');
    }
  },
  [`${DELETE}/financial-events/:id`]: async ({ client }, { events }, bed) => {
    for (const { id } of events) {
      await expectUntouched(bed, () => client.delete(`/financial-events/${id}`));
    }
  },
  [`${POST}/links`]: linksOwn,
  [`${GET}/links`]: listsOwnLinks,
  [`${GET}/links/:id`]: async ({ client }, { links, suggested }) => {
    for (const id of [...links.map((known) => known.id), suggested]) {
      expectRefusal(await client.get(`/links/${id}`), 'not_found');
    }
  },
  [`${DELETE}/links/:id`]: async ({ client }, { links, suggested }, bed) => {
    for (const id of [...links.map((known) => known.id), suggested]) {
      await expectUntouched(bed, () => client.delete(`/links/${id}`));
    }
  },
  [`${POST}/links/:id/confirm`]: (own, foreign, bed) => reviewsOwn('confirm', own, foreign, bed),
  [`${POST}/links/:id/reject`]: (own, foreign, bed) => reviewsOwn('reject', own, foreign, bed),
  [`${GET}/followers`]: listsOwnFollowers,
  [`${GET}/jobs/dead`]: listsOwnDeadJobs,
  [`${POST}/jobs/:id/retry`]: retriesOwnJobs,
  [`${POST}/financial-events/webhook/stripe`]: takesOwnDeliveries,
  [`${GET}/accounting/connections`]: listsOwnConnections,
  [`${POST}/accounting/connections/:id/poll`]: pollsOwnConnections,
  [`${POST}/accounting/connections/:id/release`]: releasesOwnPlans,
  ...ANALYTICS_CASES,
  ...MOVEMENT_CASES,
};

/** The call answers 404, as for an unknown id, and writes nothing. */
async function expectUntouched(bed: TestService, call: () => Promise<Answer>): Promise<void> {
  const before = await contents(bed);
  expectRefusal(await call(), 'not_found');
  expect(await contents(bed)).toBe(before);
}

/** An Idempotency-Key used in the other ledger is new in this one. */
async function recordsOwnEvents(own: Ledger, foreign: Ledger): Promise<void> {
  const headers = { 'idempotency-key': `event ${own.mark} ${foreign.mark}` };
  const body = event();
  const there = await foreign.client.post('/financial-events', body, headers);
  const here = await own.client.post('/financial-events', body, headers);
  const [a, b] = [there, here].map((answer) => {
    expect(answer.header('idempotency-replayed')).toBeUndefined();
    return dataOf(answer, FinancialEvent, 201);
  });
  expect(a?.id).not.toBe(b?.id);
  expectNothingOf(foreign, here.text);
  expectRefusal(await foreign.client.get(`/financial-events/${b?.id}`), 'not_found');
  dataOf(await own.client.get(`/financial-events/${b?.id}`), FinancialEvent);
}

async function listsOwnEvents({ client, events }: Ledger, foreign: Ledger): Promise<void> {
  const { mark, cursors } = foreign;
  const all = await client.get('/financial-events?limit=500&include_deleted=true');
  expectNothingOf(foreign, all.text);
  const ids = dataOf(all, FinancialEventPage).financial_events.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(events.map(({ id }) => id)));
  for (const filter of ['source', 'event_type', 'external_id']) {
    const found = await client.get(`/financial-events?${filter}=${mark}`);
    expect(dataOf(found, FinancialEventPage)).toEqual({ financial_events: [], next_cursor: null });
  }
  const stolen = await client.get(
    `/financial-events?limit=1&cursor=${cursors['financial-events']}`,
  );
  expectRefusal(stolen, 'malformed_request');
}

/** A link cannot join two ledgers, whichever end is foreign. */
async function linksOwn(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const [here, there] = [await recordPair(own.client), await recordPair(foreign.client)];
  const mixed = [
    link(here.decision_id, there.financial_event_id),
    link(there.decision_id, here.financial_event_id),
    link(there.decision_id, there.financial_event_id),
  ];
  for (const client of [own.client, foreign.client]) {
    for (const body of mixed.slice(0, 2)) {
      await expectUntouched(bed, () => client.post('/links', body));
      const headers = { 'idempotency-key': 'a foreign link' };
      await expectUntouched(bed, () => client.post('/links', body, headers));
    }
  }
  await expectUntouched(bed, () => own.client.post('/links', mixed[2]));
  const headers = { 'idempotency-key': `link ${own.mark} ${foreign.mark}` };
  const made = [
    await foreign.client.post('/links', mixed[2], headers),
    await own.client.post('/links', link(here.decision_id, here.financial_event_id), headers),
  ].map((answer) => dataOf(answer, Link, 201).id);
  expect(new Set(made).size).toBe(2);
}

async function listsOwnLinks(own: Ledger, foreign: Ledger): Promise<void> {
  const { client, links, suggested } = own;
  const all = await client.get('/links?limit=500&include_deleted=true');
  expectNothingOf(foreign, all.text);
  const ids = dataOf(all, LinkPage).links.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...links.map(({ id }) => id), suggested]));
  const [known] = foreign.links;
  for (const filter of [
    `decision_id=${known?.decision_id}`,
    `financial_event_id=${known?.financial_event_id}`,
  ]) {
    const found = dataOf(await client.get(`/links?${filter}`), LinkPage);
    expect(found).toEqual({ links: [], next_cursor: null });
  }
  const stolen = await client.get(`/links?limit=1&cursor=${foreign.cursors.links}`);
  expectRefusal(stolen, 'malformed_request');
}

async function reviewsOwn(
  review: 'confirm' | 'reject',
  { client, scope }: Ledger,
  { suggested }: Ledger,
  bed: TestService,
): Promise<void> {
  await expectUntouched(bed, () => client.post(`/links/${suggested}/${review}`, ''));
  const own = await suggestByEngine(bed, scope, await recordPair(client));
  const { status } = dataOf(await client.post(`/links/${own}/${review}`, ''), Link);
  expect(status).toBe(review === 'confirm' ? 'ML_INFERRED' : 'REJECTED');
}

async function listsOwnFollowers(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  for (const { scope, mark } of [foreign, own]) {
    await withOwner(bed, (owner) =>
      owner.query(
        `insert into follower_failures (ledger_id, follower, log, seq, reason, failed_at)
        values ($1, 'estimates', 'decisions', 1, $2, now()) on conflict do nothing`,
        [scope.ledgerId, `reason of ${mark}`],
      ),
    );
  }
  const { followers } = dataOf(await own.client.get('/followers'), FollowerList);
  const reasons = followers.flatMap((each) => each.failed_records.map(({ reason }) => reason));
  expect(reasons).toEqual([`reason of ${own.mark}`]);
}

async function listsOwnDeadJobs({ client, deadJobs }: Ledger, foreign: Ledger): Promise<void> {
  const all = await client.get('/jobs/dead?limit=500');
  expectNothingOf(foreign, all.text);
  expect(all.text).not.toContain(foreign.scope.ledgerId);
  const ids = dataOf(all, DeadJobPage).jobs.map(({ job_id }) => job_id);
  expect(ids).toEqual(expect.arrayContaining([...deadJobs]));
  const stolen = await client.get(`/jobs/dead?limit=1&cursor=${foreign.cursors['jobs/dead']}`);
  expectRefusal(stolen, 'malformed_request');
}

async function retriesOwnJobs(
  { client, scope }: Ledger,
  { deadJobs }: Ledger,
  bed: TestService,
): Promise<void> {
  for (const id of deadJobs) await expectUntouched(bed, () => client.post(`/jobs/${id}/retry`, ''));
  const own = await giveUpJob(bed, scope, { object_id: 'again' });
  dataOf(await client.post(`/jobs/${own}/retry`, ''), RetriedJob);
}

/** Each ledger has its own signing secrets; a secret that both know does not join live and test. */
async function takesOwnDeliveries(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  for (const { client, mark } of [own, foreign]) {
    await set(client, signedBy(secretOf(mark)));
    await webhookKeyOf(client);
  }
  const id = `evt_${own.mark}_${foreign.mark}`.replaceAll('-', '_');
  for (const inQuery of [false, true]) {
    const before = await contents(bed);
    const delivery = { id, mode: own.mode, secret: secretOf(foreign.mark), inQuery };
    expectRefusal(await deliver(bed, own, delivery), 'malformed_request');
    expect(await contents(bed)).toBe(before);
  }
  for (const { client } of [own, foreign]) await set(client, signedBy(secretOf('both')));
  const known = { id, secret: secretOf('both') };
  for (const mode of MODES.filter((other) => other !== own.mode)) {
    const before = await contents(bed);
    const answer = await deliver(bed, own, { ...known, mode, inQuery: true });
    expect(receiptOf(answer)).toEqual({ status: 'ignored', reason: 'mode' });
    expect(await contents(bed)).toBe(before);
  }
  // Both may receive the same Stripe event: the ledger distinguishes them.
  for (const ledger of [own, foreign]) {
    for (const [inQuery, status] of [[true, 'accepted'] as const, [false, 'duplicate'] as const]) {
      const answer = await deliver(bed, ledger, { ...known, mode: ledger.mode, inQuery });
      expect(receiptOf(answer)).toEqual({ status });
    }
  }
  const rows = await bed.service.db.query<{ ledger_id: string }>(sql`
    select ledger_id from stripe_events where stripe_event_id = ${id} order by ledger_id`);
  expect(rows.map(({ ledger_id }) => ledger_id)).toEqual(
    [own, foreign].map(({ scope }) => scope.ledgerId).sort(),
  );
}

const set = async (client: Client, patch: object) =>
  dataOf(await client.patch('/settings', patch), Settings);
const signedBy = (secret: string) => ({ stripe: { signing_secrets: [secret] } });
const secretOf = (mark: string) => `whsec_${mark}`;
const receiptOf = (answer: Answer) => dataOf(answer, WebhookReceipt, 202);

const webhookKeys = new Map<string, string>();

/** The key of the ledger that may be in the query; always the same one. */
async function webhookKeyOf(client: Client): Promise<string> {
  const known = webhookKeys.get(client.key);
  if (known !== undefined) return known;
  const narrow = { name: 'stripe', permissions: ['webhook'] };
  const { key } = dataOf(await client.post('/keys', narrow), IssuedKey, 201);
  webhookKeys.set(client.key, key);
  return key;
}

interface TestDelivery {
  readonly id: string;
  readonly mode: Mode;
  readonly secret: string;
  /** Whether the key is in the query or in the header. */
  readonly inQuery: boolean;
}

async function deliver(
  bed: TestService,
  { client }: Ledger,
  delivery: TestDelivery,
): Promise<Answer> {
  const { id, mode, secret, inQuery } = delivery;
  const body = JSON.stringify(
    eventOf('charge.succeeded', charge(), { id, livemode: mode === 'live' }),
  );
  const headers = { 'stripe-signature': signatureOf(body, secret, bed.clock.now()) };
  const path = '/financial-events/webhook/stripe';
  if (!inQuery) return client.post(path, body, headers);
  return bed.client().post(`${path}?key=${await webhookKeyOf(client)}`, body, headers);
}

async function listsOwnConnections(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  for (const { client, scope, mark } of [foreign, own]) {
    await set(client, { accounting: [hledger({ id: 'books', url: `https://${mark}.example` })] });
    await withOwner(bed, (owner) =>
      owner.query(
        `insert into accounting_connections (ledger_id, connection_id, polled_at, problem)
        values ($1, 'books', now(), $2) on conflict do nothing`,
        [scope.ledgerId, `problem of ${mark}`],
      ),
    );
  }
  const answer = await own.client.get('/accounting/connections');
  const { connections } = dataOf(answer, ConnectionStates);
  const problem = `problem of ${own.mark}`;
  const polled_at = expect.any(String);
  expect(connections).toEqual([
    {
      ...{ id: 'books', kind: 'hledger', problem, problem_count: 0, withheld: null },
      ...{ polled_at, is_poll_pending: false },
    },
  ]);
  expectNothingOf(foreign, answer.text);
}

async function pollsOwnConnections(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const url = 'https://books.example';
  await set(own.client, { accounting: [] });
  await set(foreign.client, { accounting: [hledger({ id: foreign.mark, url })] });
  const path = `/accounting/connections/${foreign.mark}/poll`;
  await expectUntouched(bed, () => own.client.post(path, ''));
}

async function releasesOwnPlans(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const url = 'https://books.example';
  await set(own.client, { accounting: [] });
  await set(foreign.client, { accounting: [hledger({ id: foreign.mark, url })] });
  const path = `/accounting/connections/${foreign.mark}/release`;
  await expectUntouched(bed, () => own.client.post(path, { plan: 'any' }));
}

/** A secret of another ledger, or its mask, opens nothing here. */
export async function keepsOwnSecrets(
  own: Ledger,
  foreign: Ledger,
  bed: TestService,
): Promise<void> {
  // One secret that both ledgers have, and one that only the other has.
  const shared = 'whsec_theSameOne';
  const { stripe: there } = await set(foreign.client, {
    stripe: { signing_secrets: [shared, secretOf(foreign.mark)] },
  });
  await set(own.client, signedBy(shared));
  const answer = await own.client.get('/settings');
  for (const trace of [shared, secretOf(foreign.mark), ...there.signing_secrets]) {
    expect(answer.text).not.toContain(trace);
  }
  for (const mask of there.signing_secrets) {
    const before = await contents(bed);
    const stolen = await own.client.patch('/settings', signedBy(mask));
    expectRefusal(stolen, 'validation_error', 'stripe.signing_secrets[0]');
    expect(await contents(bed)).toBe(before);
  }
}
