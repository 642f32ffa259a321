import { IssuedKey } from '@decision-ledger/contract/access';
import { type Activity, ActivityPage } from '@decision-ledger/contract/chain';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { MODES } from '@decision-ledger/contract/permissions';
import type { StreamEvent } from '@decision-ledger/contract/stream';
import { SELECTABLE_TYPES, streamEventOf } from '@decision-ledger/contract/stream-events';
import sql from 'sql-template-tag';
import { Check, Errors } from 'typebox/value';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pruneAnnouncements } from '#server/domains/log/announcements/index';
import { type Client, dataOf, decision } from '../../../support/client.js';
import { link, recordEvent, recordLink } from '../../../support/money.js';
import { asOwner } from '../../../support/owner.js';
import {
  type Engine,
  openTestService,
  scopeOf,
  type TestService,
} from '../../../support/service.js';
import { type Approach, connect, type Listener, listen } from '../../../support/stream.js';
import {
  announceLong,
  liftExportLimit,
  makeEverything,
  secretOf,
  seqsOf,
} from './stream-ledger.js';

let bed: TestService;
let url: string;
let open: Listener[] = [];

async function enter(approach: Approach): Promise<Listener> {
  const listener = await connect(url, approach);
  open.push(listener);
  return listener;
}

/** Events of a ledger reach its listeners and nobody else. */
export function streamSuite(engine: Engine): void {
  describe(`Stream on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      url = await listen(bed.http);
    });
    afterAll(() => bed.close());
    afterEach(async () => {
      await Promise.all(open.map((listener) => listener.close()));
      open = [];
    });
    describe('Events', contents);
    describe('Filters', filters);
    describe('Resumption', resumption);
    describe('Connections', connections);
  });
}

function contents(): void {
  it('The stream sends everything in its ledger, nothing of another, and no payload', async () => {
    const orgs = [await bed.organisation(), await bed.organisation()];
    for (const org of orgs) await liftExportLimit(org);
    const ledgers = orgs.flatMap((org, n) =>
      MODES.map((mode) => ({ mode, mark: `mark-${n}-${mode}`, client: org[mode] })),
    );
    const listeners = await Promise.all(ledgers.map(({ client }) => enter({ key: client.key })));
    await Promise.all(ledgers.map(({ client, mark }) => makeEverything(bed, client, mark)));
    for (const [n, { mark, mode, client }] of ledgers.entries()) {
      const listener = listeners[n];
      if (listener === undefined) throw new Error('a listener is missing');
      await listener.until(({ events }) => events.some(({ type }) => type === 'export.updated'));
      // A drift needs many outcomes, and alerts are watched: drift-delivery, exposure-alerts and budgets have them.
      const unmade = new Set<string>(['drift.detected', 'exposure.exceeded', 'budget.reached']);
      const expected = SELECTABLE_TYPES.filter((type) => !unmade.has(type));
      expect(new Set(listener.events.map(({ type }) => type))).toEqual(new Set(expected));
      expect(new Set(listener.events.map((event) => event.mode))).toEqual(new Set([mode]));
      for (const event of listener.events) expectFits(event);
      expect(seqsOf(listener.events).decisions).toEqual([1, 2, 3]);
      await expectLikeActivity(client, listener.events);
      const text = listener.texts.join('\n');
      for (const other of ledgers) {
        expect(text).not.toContain(secretOf(other.mark));
        if (other.mark !== mark) expect(text).not.toContain(other.mark);
      }
    }
  });

  it('Each event has the fields of its receipt', async () => {
    const { live } = await bed.organisation();
    const listener = await enter({ key: live.key });
    const posted = await live.post('/decisions', decision({ human_in_loop: true }));
    const { liability, ...receipt } = dataOf(posted, DecisionReceipt, 201);
    await listener.until(({ events }) => events.length > 0);
    const { expected, expected_low, expected_high, currency } = liability ?? {};
    expect(listener.events[0]).toMatchObject({
      ...{ type: 'decision.recorded', mode: 'live', seq: 1, time: receipt.created_at },
      data: {
        ...{ ...receipt, agent_id: 'agent', action_type: 'refund', confidence: 0.9 },
        ...{ human_in_loop: true, exposure: { expected, expected_low, expected_high, currency } },
      },
    });
  });

  it('A tampered record does not end the stream, and its readable fields are sent', async () => {
    const { live } = await bed.organisation();
    const { ledgerId } = await scopeOf(bed, live);
    const listener = await enter({ key: live.key });
    const first = listener.lastId() ?? '';
    const { id } = await recordEvent(live);
    await listener.until(({ events }) => events.length > 0);
    const { withOwner } = await import('../../../support/stored-jobs.js');
    await withOwner(bed, (client) =>
      client.query("update activity set data = 'bent' where ledger_id = $1 and subject = $2", [
        ledgerId,
        id,
      ]),
    );
    await recordEvent(live);
    const again = await enter({ key: live.key, query: { after: first } });
    await again.until(({ events }) => events.length > 1);
    expect(again.events.map(({ seq }) => seq)).toEqual([3, 4]);
    for (const event of again.events) expectFits(event);
  });
}

function expectFits(event: StreamEvent): void {
  const schema = streamEventOf(event.type)?.schema;
  if (schema === undefined) throw new Error(`there is no event of type ${event.type}`);
  expect(Check(schema, event.data), JSON.stringify([event, ...Errors(schema, event.data)])).toBe(
    true,
  );
  const known = Object.keys(schema.properties);
  expect(known).toEqual(expect.arrayContaining(Object.keys(Object(event.data))));
}

/** Compares events with the records of the chain whose types are streamed. */
async function expectLikeActivity(client: Client, events: readonly StreamEvent[]): Promise<void> {
  const { activity } = dataOf(await client.get('/activity?limit=500'), ActivityPage);
  const sent = activity.filter(({ type }) => /^(link|financial_event)\./.test(type)).reverse();
  const got = events.filter(({ type }) => /^(link|financial_event)\./.test(type));
  const shape = ({ type, seq, activity_id, subject, actor, created_at }: Activity) => ({
    ...{ type, seq, time: created_at },
    data: { activity_id, subject, actor },
  });
  expect(got).toMatchObject(sent.map(shape));
  expect(got).toHaveLength(sent.length);
}

function filters(): void {
  it('A filter passes the named types, and the decisions of its agent with everything about them', async () => {
    const org = await bed.organisation();
    await liftExportLimit(org);
    const { live } = org;
    const everything = await enter({ key: live.key });
    const typed = await enter({
      key: live.key,
      query: { types: 'link.created,chain.verified' },
    });
    const ofAgent = await enter({ key: live.key, query: { agent_id: 'one' } });
    const both = await enter({
      key: live.key,
      query: { agent_id: 'two', types: 'decision.recorded' },
    });
    await makeEverything(bed, live, 'one');
    await makeEverything(bed, live, 'two');
    const isLast = ({ type }: StreamEvent) => type === 'export.updated';
    await everything.until(({ events }) => events.filter(isLast).length === 2);
    const after = everything.heartbeats[0]?.id ?? '';
    const about = /^(decision|link|liability_estimate)\./;
    const decisions = new Map(
      everything.events
        .filter(({ type }) => type === 'decision.recorded')
        .map(({ data }) => [dataField(data, 'decision_id'), dataField(data, 'agent_id')]),
    );
    const agentOf = ({ type, data }: StreamEvent) =>
      about.test(type) ? decisions.get(dataField(data, 'decision_id')) : undefined;
    const cases: [Listener, Record<string, string>, (event: StreamEvent) => boolean][] = [
      [
        typed,
        { types: 'link.created,chain.verified' },
        ({ type }) => type === 'link.created' || type === 'chain.verified',
      ],
      [ofAgent, { agent_id: 'one' }, (event) => agentOf(event) === 'one'],
      [
        both,
        { agent_id: 'two', types: 'decision.recorded' },
        (event) => event.type === 'decision.recorded' && agentOf(event) === 'two',
      ],
    ];
    for (const [listener, query, fits] of cases) {
      const wanted = everything.events.filter(fits);
      expect(wanted.length).toBeGreaterThan(1);
      // The same result live and on resumption.
      const later = await enter({ key: live.key, query: { ...query, after } });
      for (const one of [listener, later]) {
        await one.until(({ events }) => events.length >= wanted.length);
        expect(one.events.map(({ data }) => data)).toEqual(wanted.map(({ data }) => data));
      }
    }
  });
}

function dataField(data: unknown, name: string): unknown {
  return Reflect.get(Object(data), name);
}

function resumption(): void {
  it('A connection resumed after any event gets exactly what follows it', async () => {
    const org = await bed.organisation();
    await liftExportLimit(org);
    const { live } = org;
    const whole = await enter({ key: live.key });
    await makeEverything(bed, live, 'whole');
    await whole.until(({ events }) => events.some(({ type }) => type === 'export.updated'));
    const all = [...whole.heartbeats.slice(0, 1), ...whole.events];
    for (const [n, { id }] of all.entries()) {
      const rest = await connect(url, { key: live.key, query: { after: id } });
      const wanted = whole.events.slice(n);
      await rest.until(({ events }) => events.length >= wanted.length);
      expect(rest.events.map(({ type, seq }) => [type, seq])).toEqual(
        wanted.map(({ type, seq }) => [type, seq]),
      );
      await rest.close();
    }
  });

  it('A connection that is cut repeatedly under load loses and repeats nothing', async () => {
    const { test } = await bed.organisation();
    const from = await connect(url, { key: test.key });
    let after = from.lastId() ?? '';
    await from.close();
    const got: StreamEvent[] = [];
    const random = seeded(7);
    let isDone = false;
    const writing = write(test).finally(() => {
      isDone = true;
    });
    const TOTAL = 4 * 60;
    while (got.length < TOTAL) {
      const listener = await connect(url, { key: test.key, query: { after } });
      const wanted = Math.min(1 + Math.floor(random() * 25), TOTAL - got.length);
      await listener.until(({ events }) => events.length >= wanted);
      // Cut off in the middle: what came after it arrives again.
      listener.socket.terminate();
      const taken = listener.events.slice(0, wanted);
      got.push(...taken);
      after = taken.at(-1)?.id ?? after;
    }
    await writing;
    expect(isDone).toBe(true);
    const { decisions = [], activity = [] } = seqsOf(got);
    expect(decisions).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
    expect(new Set(activity).size).toBe(120);
    expect(activity).toEqual([...activity].sort((a, b) => Number(a) - Number(b)));
  });

  it('Erased data is not sent from the replay buffer', async () => {
    const { live } = await bed.organisation();
    // A constant listener keeps the memory of the process filled.
    const listener = await enter({ key: live.key });
    const after = listener.lastId() ?? '';
    const stated = decision({ outputs: { amount: '900000.00', currency: 'USD' } });
    const posted = await live.post('/decisions', stated);
    const { decision_id } = dataOf(posted, DecisionReceipt, 201);
    const { id } = await recordEvent(live);
    const loss = link(decision_id, id, { link_type: 'loss', correlation_strength: 1 });
    expect((await live.post('/links', loss)).status).toBe(201);
    const isEstimate = ({ type }: StreamEvent) => type === 'liability_estimate.updated';
    await listener.until(({ events }) => events.some(isEstimate));
    const erasure = { fields: ['inputs', 'outputs'], reason: 'asked' };
    const erased = await live.post(`/decisions/${decision_id}/erase`, erasure);
    expect(erased.status).toBe(200);
    await live.post('/decisions', decision());
    await listener.until(({ events }) => events.filter(({ seq }) => seq === 2).length > 0);
    const { service } = bed;
    const { ledgerId } = await scopeOf(bed, live);
    const left = await service.db.query<{ seq: number }>(sql`
      select seq from announcements where ledger_id = ${ledgerId} order by seq`);
    const again = await enter({ key: live.key, query: { after } });
    await again.until(({ events }) => events.some(({ type, seq }) => /^d/.test(type) && seq === 2));
    expect(seqsOf(again.events).announcements).toEqual(left.map(({ seq }) => seq));
    expect(listener.events.filter(isEstimate).length).toBeGreaterThan(left.length);
  });

  it('A resumed connection learns about dropped announcements and receives everything else', async () => {
    const { live } = await bed.organisation();
    const before = await connect(url, { key: live.key });
    const after = before.lastId() ?? '';
    await before.close();
    await live.get('/decisions/chain/verify');
    await live.post('/decisions', decision());
    bed.clock.advance(8 * 24 * 3600 * 1000);
    await pruneAnnouncements(bed.service);
    await live.get('/activity/chain/verify');
    const listener = await enter({ key: live.key, query: { after } });
    await listener.until(({ events }) => events.length === 2);
    // The first verification is not included.
    expect(listener.events.map(({ type, seq }) => [type, seq]).sort()).toEqual([
      ['chain.verified', 2],
      ['decision.recorded', 1],
    ]);
    expect(listener.heartbeats.map(({ data }) => dataField(data, 'announcements_missed'))).toEqual([
      false,
      true,
    ]);
    const again = await enter({ key: live.key, query: { after: listener.lastId() ?? '' } });
    await live.post('/decisions', decision());
    await again.until(({ events }) => events.length > 0);
    expect(again.heartbeats.every(({ data }) => !dataField(data, 'announcements_missed'))).toBe(
      true,
    );
  });
}

/** 120 decisions and 120 events, some concurrent. */
async function write(client: Client): Promise<void> {
  for (let n = 0; n < 40; n += 1) {
    const batch = { decisions: [decision(), decision()] };
    await Promise.all([
      client.post('/decisions/batch', batch),
      client.post('/decisions', decision()),
      ...[1, 2, 3].map(() => recordEvent(client)),
    ]);
  }
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function connections(): void {
  it('A heartbeat with the position is sent every 30 seconds', async () => {
    const { live } = await bed.organisation();
    const listener = await enter({ key: live.key, query: { types: 'link.created' } });
    const [first] = listener.heartbeats;
    expect(first).toMatchObject({ type: 'heartbeat', mode: 'live', seq: null });
    await live.post('/decisions', decision());
    bed.clock.advance(30_000);
    await listener.until(({ heartbeats }) => heartbeats.length === 2);
    // Filtered events count as seen.
    const [, second] = listener.heartbeats;
    const later = await enter({ key: live.key, query: { after: second?.id ?? '' } });
    await recordLink(live);
    await later.until(({ events }) => events.some(({ type }) => type === 'link.created'));
    const seqs = seqsOf(later.events).decisions ?? [];
    expect([[2], [1, 2]]).toContainEqual(seqs);
    expect(listener.events.map(({ type }) => type)).toEqual(['link.created']);
  });

  it.for([
    ['text', 'hello', 1008],
    ['bytes', Buffer.from([1]), 1003],
    ['too much', 'x'.repeat(5000), 1009],
  ] as const)('A connection that sends %s is closed with a code', async ([, message, code]) => {
    const { live } = await bed.organisation();
    const listener = await enter({ key: live.key });
    listener.socket.send(message);
    expect(await listener.ended).toMatchObject({ code });
  });

  it('A connection that pings is answered and stays open', async () => {
    const { live } = await bed.organisation();
    const listener = await enter({ key: live.key });
    const pong = new Promise<string>((resolve) =>
      listener.socket.once('pong', (data) => resolve(data.toString())),
    );
    listener.socket.ping('are you there');
    expect(await pong).toBe('are you there');
    await live.post('/decisions', decision());
    await listener.until(({ events }) => events.length === 1);
  });

  it.for([
    ['pings', (listener: Listener) => listener.socket.ping()],
    ['unsolicited pongs', (listener: Listener) => listener.socket.pong()],
  ] as const)(
    'A connection that floods the service with %s is closed with a code and a reason',
    async ([, send]) => {
      const { live } = await bed.organisation();
      const listener = await enter({ key: live.key });
      // Its answers to the pings of the service count too.
      for (let n = 0; n < 50; n += 1) send(listener);
      await live.post('/decisions', decision());
      await listener.until(({ events }) => events.length === 1);
      for (let n = 0; n < 1000; n += 1) send(listener);
      const reason = 'more than 60 pings and pongs a minute';
      expect(await listener.ended).toEqual({ code: 1008, reason });
    },
  );

  it('A connection may ping once a second for hours', async () => {
    const { live } = await bed.organisation();
    const listener = await enter({ key: live.key });
    for (let n = 0; n < 300; n += 1) {
      const pong = new Promise((resolve) => listener.socket.once('pong', resolve));
      listener.socket.ping();
      await pong;
      bed.clock.advance(1000);
    }
    await live.post('/decisions', decision());
    await listener.until(({ events }) => events.length === 1);
  });

  it('A connection ends when its key is revoked or expires, and no other does', async () => {
    const { live } = await bed.organisation();
    const issue = async (expires_at?: string) => {
      const body = { name: 'a key', permissions: ['stream'], ...(expires_at && { expires_at }) };
      return dataOf(await live.post('/keys', body), IssuedKey, 201);
    };
    const revoked = await issue();
    const expiring = await issue(new Date(bed.clock.now() + 60_000).toISOString());
    const [stays, first, second] = await Promise.all(
      [live.key, revoked.key, expiring.key].map((key) => enter({ key })),
    );
    await live.delete(`/keys/${revoked.key_id}`);
    expect(await first?.ended).toMatchObject({ code: 4001 });
    bed.clock.advance(60_000);
    expect(await second?.ended).toMatchObject({ code: 4001 });
    await live.post('/decisions', decision());
    await stays?.until(({ events }) => events.length > 0);
  });

  it('A connection ends when an older state of its ledger is restored, and a new one starts there', async () => {
    const { live } = await bed.organisation();
    const { ledgerId } = await scopeOf(bed, live);
    const listener = await enter({ key: live.key });
    for (const _ of [1, 2]) await live.post('/decisions', decision());
    await listener.until(({ events }) => events.length === 2);
    const toSeq = "update chain_heads set seq = $2 where ledger_id = $1 and chain = 'decisions'";
    await asOwner(bed, toSeq, [ledgerId, 1]);
    expect(await listener.ended).toMatchObject({ code: 4009 });
    const later = await enter({ key: live.key });
    await asOwner(bed, toSeq, [ledgerId, 2]);
    await later.until(({ events }) => events.length === 1);
    expect(seqsOf(later.events).decisions).toEqual([2]);
  });

  it('A connection that reads nothing for 30 seconds is closed without delaying others', async () => {
    const { live } = await bed.organisation();
    const scope = await scopeOf(bed, live);
    const [slow, quick] = [await enter({ key: live.key }), await enter({ key: live.key })];
    slow.socket.pause();
    await announceLong(bed, scope, 240, 100_000);
    await quick.until(({ events }) => events.length === 240);
    const isClosed = () => bed.logLines.some((line) => line.includes('"code":4008'));
    await expect
      .poll(() => {
        bed.clock.advance(31_000);
        return isClosed();
      })
      .toBe(true);
    await live.post('/decisions', decision());
    await quick.until(({ events }) => events.length === 241);
    slow.socket.resume();
    await slow.ended;
    // Its last position can be resumed from.
    const after = slow.lastId() ?? '';
    const again = await enter({ key: live.key, query: { after } });
    await again.until(({ events }) => events.length + slow.events.length === 241);
  });
}
