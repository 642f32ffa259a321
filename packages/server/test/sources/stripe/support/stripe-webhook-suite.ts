import { IssuedKey } from '@decision-ledger/contract/access';
import type { WebhookReceipt } from '@decision-ledger/contract/webhook';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, dataOf, expectRefusal, request } from '../../../support/client.js';
import { SCHEMA } from '../../../support/postgres-names.js';
import {
  type Engine,
  type Organisation,
  openTestService,
  type TestService,
} from '../../../support/service.js';
import {
  CREATED,
  charge,
  eventOf,
  everyMoneyEvent,
  everyOtherEvent,
  type Payload,
  refund,
  signatureOf,
  signed,
} from '../../../support/stripe-events.js';
import {
  deliver,
  eventsOf,
  receiptOf,
  SIGNING_SECRET,
  setSecrets,
  settled,
  WEBHOOK,
} from '../../../support/webhooks.js';

let bed: TestService;
let org: Organisation;

/** Which deliveries are trusted and accepted, and what is stored of them. */
export function stripeWebhookSuite(engine: Engine): void {
  describe(`Stripe webhook on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine, { isWorker: true });
    });
    beforeEach(async () => {
      org = await bed.organisation();
      await setSecrets(org.test, SIGNING_SECRET);
    });
    afterAll(() => bed.close());

    describe('Refusals', refusals);
    describe('Secrets', secrets);
    describe('Ignored events', passedOver);
    describe('Accepted events', kept);
  });
}

const paid = (fields = {}) => eventOf('charge.succeeded', charge(fields));
const seconds = () => Math.floor(bed.clock.now() / 1000);

/** Every row that a delivery may write, in all ledgers; the worker signs checkpoints at any time. */
async function written(): Promise<string> {
  const [row] = await bed.service.db.query<{ all: string }>(sql`
    select json_build_array(
      (select json_agg(h order by ledger_id) from chain_heads h where chain = 'decisions'),
      (select count(*) from activity where type not in ('checkpoint.signed', 'log.started')),
      (select json_agg(e order by ledger_id, stripe_event_id) from stripe_events e),
      (select json_agg(e order by ledger_id, event_id) from financial_events e),
      (select count(*) from links),
      (select count(*) from job where name = 'stripe-object'))::text as all`);
  return row?.all ?? '';
}

async function counted(outcome: string): Promise<number> {
  const { text } = await request(bed.http, 'GET', '/metrics');
  const line = new RegExp(
    `^ledger_webhook_events_total\\{processor="stripe",outcome="${outcome}"\\} (\\d+)$`,
    'm',
  );
  return Number(line.exec(text)?.[1] ?? '0');
}

/** Expects that nothing is written and the counter of this outcome grows by one. */
async function withoutTrace(outcome: string, send: () => Promise<Answer>): Promise<Answer> {
  await settled(bed.service);
  const [before, count] = [await written(), await counted(outcome)];
  const answer = await send();
  expect(await written()).toBe(before);
  expect(await counted(outcome)).toBe(count + 1);
  return answer;
}

const sendSigned = (body: string) =>
  raw(body, { 'stripe-signature': signatureOf(Buffer.from(body), SIGNING_SECRET, seconds()) });

const raw = (body: string | Buffer, headers: Record<string, string>, query = '') =>
  org.test.post(`${WEBHOOK}${query}`, body, headers);

function refusals(): void {
  it.for([
    ['forged', () => deliver(bed, org.test, paid(), { secret: 'whsec_of_somebody_else' })],
    ['301 seconds old', () => deliver(bed, org.test, paid(), { late: 301 })],
    ['301 seconds ahead', () => deliver(bed, org.test, paid(), { late: -301 })],
    ['unsigned', () => raw(JSON.stringify(paid()), {})],
    ['signed with nothing', () => raw(JSON.stringify(paid()), { 'stripe-signature': '' })],
    [
      'signed without a time',
      () => raw(JSON.stringify(paid()), { 'stripe-signature': `v1=${'0'.repeat(64)}` }),
    ],
  ] as const)(
    'A delivery that is %s is refused and counted, and nothing is written',
    async ([, send]) => {
      expectRefusal(await withoutTrace('refused', send), 'malformed_request');
    },
  );

  it('A signature made for another body is refused', async () => {
    const { header: former } = signed(paid(), SIGNING_SECRET, seconds());
    const other = JSON.stringify(paid({ amount: 1 }), null, 2);
    const answer = await withoutTrace('refused', () => raw(other, { 'stripe-signature': former }));
    expectRefusal(answer, 'malformed_request');
  });

  it('A genuine delivery is refused once it is older than 300 seconds', async () => {
    const { body, header: former } = signed(paid(), SIGNING_SECRET, seconds());
    bed.clock.advance(301_000);
    const answer = await withoutTrace('refused', () => raw(body, { 'stripe-signature': former }));
    expectRefusal(answer, 'malformed_request');
  });

  it('A delivery before a secret is set is refused with the remedy', async () => {
    await setSecrets(org.test);
    const answer = await withoutTrace('refused', () => deliver(bed, org.test, paid()));
    expectRefusal(answer, 'invalid_state');
    expect(answer.text).toContain('signing_secrets');
  });

  it.for([
    ['not JSON', Buffer.from('{"id":'), 'malformed_request'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'malformed_request'],
    ['empty', Buffer.alloc(0), 'malformed_request'],
    ['not an object', Buffer.from('[]'), 'validation_error'],
    ['not an event', Buffer.from('{"id":"evt_1","object":"charge"}'), 'validation_error'],
  ] as const)('A signed body that is %s is refused', async ([, body, code]) => {
    const answer = await withoutTrace('refused', () =>
      raw(body, { 'stripe-signature': signatureOf(body, SIGNING_SECRET, seconds()) }),
    );
    expect(answer.status).toBe(code === 'malformed_request' ? 400 : 422);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code } });
  });

  it.for([
    ['an unknown currency', { currency: 'xyz' }, 'data.object.currency'],
    ['half a minor unit', { amount: 10.5 }, 'data.object.amount'],
    ['negative units', { amount: -1 }, 'data.object.amount'],
  ] as const)(
    'An amount in %s is refused, and the error names the event',
    async ([, fields, member]) => {
      const event = paid(fields);
      const answer = await withoutTrace('refused', () => deliver(bed, org.test, event));
      expect(answer.status).toBe(422);
      expect(answer.text).toContain(String(event.id));
      expect(answer.text).toContain(member);
    },
  );

  it('A thin event is refused as such, in the answer and in the log', async () => {
    const thin = {
      ...{ id: 'evt_test_65R9Ijk8dKEYZcXeRWn16R9A7j1FSQ3w3TGDPLLGSM4CW0', object: 'v2.core.event' },
      ...{ type: 'v1.billing.meter.error_report_triggered', livemode: false },
      ...{ created: '2026-04-16T09:26:00.000Z', related_object: { id: 'mtr_1', type: 'meter' } },
    };
    const answer = await withoutTrace('refused', () => deliver(bed, org.test, thin));
    expectRefusal(answer, 'validation_error', 'object');
    expect(answer.text).toContain('a thin event');
    expect(bed.logLines.at(-1) + bed.logLines.slice(-4).join('')).toContain('a thin event');
  });

  it.for([
    ['its id', 'evt_1', 'evt_\\u0000'],
    ['the id of its object', '"id":"ch_odd"', '"id":"ch_\\ud800"'],
    ['an amount', '"amount":1099', '"amount":1099.00000000000000000001'],
    ['the metadata', '"metadata":{}', '"metadata":{"a":"\\u0000"}'],
  ] as const)(
    'An event is refused for a value that cannot be stored in %s',
    async ([, sound, odd]) => {
      const event = { ...paid({ id: 'ch_odd', metadata: {} }), id: 'evt_1' };
      const body = JSON.stringify(event).replace(sound, odd);
      expect(body).toContain(odd);
      const answer = await withoutTrace('refused', () => sendSigned(body));
      expect(answer.status, answer.text).toBe(422);
    },
  );

  it('A body larger than a mebibyte is refused', async () => {
    await settled(bed.service);
    const before = await written();
    const answer = await deliver(bed, org.test, paid({ description: 'x'.repeat(1024 * 1024) }));
    expectRefusal(answer, 'payload_too_large');
    expect(await written()).toBe(before);
  });

  it('A key without the webhook permission is refused, in the header or the query', async () => {
    const made = await org.test.post('/keys', { name: 'reads', permissions: ['read'] });
    const { key }: { key: string } = JSON.parse(made.text).data;
    const { body, header: genuine } = signed(paid(), SIGNING_SECRET, seconds());
    for (const [client, query] of [
      [bed.client(key), ''],
      [bed.client(), `?key=${key}`],
    ] as const) {
      const answer = await client.post(`${WEBHOOK}${query}`, body, { 'stripe-signature': genuine });
      expectRefusal(answer, 'forbidden');
    }
  });

  it('Refusals put no secret, payload or key into the log', async () => {
    const log = bed.logLines.join('\n');
    expect(log).not.toContain('whsec_of');
    expect(log).not.toContain('jo@example.com');
    expect(log).not.toContain(org.test.key);
  });
}

function secrets(): void {
  it('A delivery with the key in the query is accepted', async () => {
    const { body, header } = signed(paid(), SIGNING_SECRET, seconds());
    const narrow = { name: 'stripe', permissions: ['webhook'] };
    const { key } = dataOf(await org.test.post('/keys', narrow), IssuedKey, 201);
    const answer = await bed
      .client()
      .post(`${WEBHOOK}?key=${key}`, body, { 'stripe-signature': header });
    expect(receiptOf(answer)).toEqual({ status: 'accepted' });
  });

  it.for([-300, 300])('A delivery signed %i seconds ago is accepted', async (late) => {
    expect(receiptOf(await deliver(bed, org.test, paid(), { late }))).toEqual({
      status: 'accepted',
    });
  });

  it('Two secrets are both accepted during a rotation, and a removed one no longer', async () => {
    const send = (id: string, secret: string) => deliver(bed, org.test, paid({ id }), { secret });
    await setSecrets(org.test, 'whsec_new', 'whsec_old');
    expect(receiptOf(await send('ch_1', 'whsec_old'))).toEqual({ status: 'accepted' });
    expect(receiptOf(await send('ch_2', 'whsec_new'))).toEqual({ status: 'accepted' });
    await setSecrets(org.test, 'whsec_new');
    expectRefusal(
      await withoutTrace('refused', () => send('ch_3', 'whsec_old')),
      'malformed_request',
    );
    expect(receiptOf(await send('ch_4', 'whsec_new'))).toEqual({ status: 'accepted' });
    await settled(bed.service);
    expect((await eventsOf(org.test)).map((event) => event.external_id).sort()).toEqual([
      'ch_1',
      'ch_2',
      'ch_4',
    ]);
  });

  it('Each mode accepts only its own secrets', async () => {
    await setSecrets(org.live, 'whsec_live');
    const live = { ...paid(), livemode: true };
    expectRefusal(await deliver(bed, org.live, live), 'malformed_request');
    expect(receiptOf(await deliver(bed, org.live, live, { secret: 'whsec_live' }))).toEqual({
      status: 'accepted',
    });
    expectRefusal(
      await deliver(bed, org.test, paid(), { secret: 'whsec_live' }),
      'malformed_request',
    );
    await settled(bed.service);
    expect(await eventsOf(org.live)).toHaveLength(1);
    expect(await eventsOf(org.test)).toEqual([]);
  });
}

const reasonOf = async (outcome: string, send: () => Promise<Answer>) =>
  receiptOf(await withoutTrace(outcome, send));

function passedOver(): void {
  it.for(everyOtherEvent().map((payload) => ({ payload, type: String(payload.type) })))(
    'The type $type is ignored, as it moves no money that others do not report',
    async ({ payload }) => {
      const receipt = await reasonOf('ignored_type', () => deliver(bed, org.test, payload));
      expect(receipt).toEqual({ status: 'ignored', reason: 'type' });
    },
  );

  it('An event of the other mode is ignored, both ways', async () => {
    await setSecrets(org.live, SIGNING_SECRET);
    const ignored: WebhookReceipt = { status: 'ignored', reason: 'mode' };
    const live: Payload = { ...paid(), livemode: true };
    expect(await reasonOf('ignored_mode', () => deliver(bed, org.test, live))).toEqual(ignored);
    expect(await reasonOf('ignored_mode', () => deliver(bed, org.live, paid()))).toEqual(ignored);
  });

  it('An event of a connected account is ignored', async () => {
    const event = { ...paid(), account: 'acct_1032D82eZvKYlo2C' };
    const receipt = await reasonOf('ignored_account', () => deliver(bed, org.test, event));
    expect(receipt).toEqual({ status: 'ignored', reason: 'account' });
  });

  it.for(everyMoneyEvent().map((payload) => ({ payload, type: String(payload.type) })))(
    'The type $type is accepted once, and repeats are counted as duplicates',
    async ({ payload }) => {
      const before = await Promise.all(['accepted', 'duplicate'].map(counted));
      expect(receiptOf(await deliver(bed, org.test, payload))).toEqual({ status: 'accepted' });
      for (const _ of [1, 2]) {
        expect(receiptOf(await deliver(bed, org.test, payload))).toEqual({ status: 'duplicate' });
      }
      const after = await Promise.all(['accepted', 'duplicate'].map(counted));
      expect(after.map((figure, n) => figure - (before[n] ?? 0))).toEqual([1, 2]);
    },
  );
}

/** Values that the gate refuses in the body of any other request. */
const ODD = [
  '"\\u0000"',
  '"\\ud800"',
  '12345678901234567890123',
  '1e400',
  '{"__proto__":1,"a":1,"a":2}',
  `${'['.repeat(300)}${']'.repeat(300)}`,
];

function kept(): void {
  it('Odd values in members that are not used refuse nothing, and are not stored', async () => {
    for (const [n, odd] of ODD.entries()) {
      const event = paid({ id: `ch_odd_${n}`, description: 'ODD' });
      const body = JSON.stringify({ ...event, later: 0 })
        .replace('"later":0', `"later":${odd}`)
        .replace('"object":{', `"object":{"new_member":${odd},`)
        .replace('"description":"ODD"', `"description":${odd}`);
      expect(body.split(odd).length).toBe(4);
      expect(receiptOf(await sendSigned(body))).toEqual({ status: 'accepted' });
    }
    const other = JSON.stringify(everyOtherEvent()[0]);
    const ignored = other.replace('"object":{', `"object":{"id":1,"amount":1e400,"a":${ODD[0]},`);
    expect(receiptOf(await sendSigned(ignored))).toEqual({ status: 'ignored', reason: 'type' });
    await settled(bed.service);
    expect(await eventsOf(org.test)).toHaveLength(ODD.length);
    expect((await membersKept()).filter((name) => name === 'new_member')).toEqual([]);
  });

  it('The inbox stores what movements are made of, and nothing of people or cards', async () => {
    const fields = {
      ...{ id: 'ch_private', description: 'Order 1001', metadata: { order: '1001' } },
      receipt_email: 'receipt@example.com',
      shipping: { name: 'Jo Example', phone: '+49301234567' },
    };
    await deliver(bed, org.test, paid(fields));
    await deliver(bed, org.test, eventOf('refund.created', refund({ id: 're_private' })));
    for (const event of everyMoneyEvent({ created: CREATED + 9 }))
      await deliver(bed, org.test, event);
    await settled(bed.service);
    expect((await eventsOf(org.test)).length).toBeGreaterThan(5);
    const everything = await allText();
    expect(
      ['ch_private', 'Order 1001', 'cus_RqExample0001', 'fraudulent'].filter(
        (text) => !everything.includes(text),
      ),
    ).toEqual([]);
    expect(PRIVATE.filter((text) => everything.includes(text))).toEqual([]);
    const known =
      'amount,amount_captured,amount_refunded,balance_transaction,balance_transactions,captured,charge,created,currency,customer,description,failure_reason,id,metadata,object,payment_intent,reason,status';
    expect(await membersKept()).toEqual(expect.arrayContaining(['amount', 'currency', 'id']));
    expect((await membersKept()).filter((name) => !known.split(',').includes(name))).toEqual([]);
  });

  it('No table holds a signing secret in plain text', async () => {
    await deliver(bed, org.test, paid());
    await settled(bed.service);
    expect((await allText()).includes(SIGNING_SECRET)).toBe(false);
  });
}

// Long enough not to occur in a hash or id by chance.
const PRIVATE = [
  ...['jo@example.com', 'receipt@example.com', 'Jo Example', '+49301234567', 'postal_code'],
  ...['billing_details', 'payment_method_details', 'exp_year', 'last4', 'network_reason_code'],
  ...['pm_1QxK2dLkdIwHu7ixVwXyZaBc', 'req_Ab1Cd2Ef3Gh4Ij', 'customer_name', 'receipt_email'],
];

/** Every row of every table, including the job tables. */
async function allText(): Promise<string> {
  const { db } = bed.service;
  const tables = await db.query<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in (${SCHEMA}, ${`${SCHEMA}_jobs`}) order by 1`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const values: unknown[] = [];
    const rows = await db.query<{ row: string }>({
      text: `select t::text as row from ${name} t`,
      values,
    });
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

async function membersKept(): Promise<string[]> {
  const rows = await bed.service.db.query<{ name: string }>(sql`
    select distinct name from stripe_events,
      lateral json_object_keys(payload::json -> 'data' -> 'object') as name`);
  return rows.map(({ name }) => name);
}
