import { FollowerList } from '@decision-ledger/contract/operations';
import { success } from '@decision-ledger/contract/shared';
import type { ClientConfig } from 'pg';
import { Parse } from 'typebox/value';
import { expect } from 'vitest';
import { rebuildLogs } from '#server/domains/evidence/transparency/index';
import { expectNoFork } from '../../evidence/support/log-tools.js';
import { type Caller, createCaller } from '../../support/caller.js';
import { sumsOf } from '../../support/estimates.js';
import { expectKept } from '../../support/expect-kept.js';
import { openInstanceOn, scopeOf } from '../../support/service.js';
import { runCommand } from '../../support/service-process.js';
import { withClient } from '../../support/stored-chain.js';
import { type KilledPlace, SETTINGS_BEFORE, type Survived } from './follower-kills.js';
import type { MoneyBook } from './money-script.js';
import { POISON } from './poison.js';

/** A job for new events that was killed several times waits up to 15 minutes for its next try. */
const LONGEST_RETRY_MS = 1_000_000;

/** Expects all that was answered to be there, and each follower to have taken each record once. Stops the service. */
export async function expectFollowed(place: KilledPlace, survived: Survived): Promise<void> {
  const { journal, book, service } = survived;
  const connection = await place.connection();
  await expect.poll(() => leftOf(connection), { timeout: LONGEST_RETRY_MS }).toEqual([]);
  const caller = createCaller(service.url, place.liveKey());
  await expectNoFailure(caller);
  await expectKept(connection, caller, journal);
  await expectBook(caller, connection, book);
  await expectMonths(connection, book);
  await expectMovements(connection);
  await expectAdded(connection);
  caller.close();
  await service.stop();
  await expectRecomputed(place);
}

/** What background work has left to do. Nightly jobs that were killed may wait an hour for their next try. */
async function leftOf(connection: ClientConfig): Promise<string[]> {
  const left = await rows<{ what: string }>(
    connection,
    `select follower || ' ' || subject as what from due_work where due_at <= now()
    union all select state || ' ' || name || ': ' || coalesce(output::text, '') from job
      where name <> 'dead-letters' and (state = 'active'
        or state in ('created', 'retry') and start_after <= now())
    union all select p.follower || ' at ' || p.seq || ' of ' || h.seq from chain_heads h
      join follower_positions p on p.ledger_id = h.ledger_id and p.log = h.chain
      where p.seq < h.seq and p.follower <> 'added-stopped'`,
  );
  return left.map(({ what }) => what);
}

async function expectNoFailure(caller: Caller): Promise<void> {
  const { body } = await caller.call('GET', '/api/v1/followers');
  const { followers } = Parse(success(FollowerList), body).data;
  for (const { name, failures, failed_records, logs } of followers) {
    expect({ failures, failed_records }, name).toEqual({ failures: 0, failed_records: [] });
    for (const { position, head } of logs) expect(position, name).toBe(head);
  }
}

/** Events, links and settings are there as they were answered, and none of them twice. */
async function expectBook(
  caller: Caller,
  connection: ClientConfig,
  book: MoneyBook,
): Promise<void> {
  const events = await rows<{ name: string; amount: string }>(
    connection,
    'select external_id as name, amount::text as amount from financial_events order by 1',
  );
  expect(events).toHaveLength(new Set(events.map(({ name }) => name)).size);
  expect(events.filter(({ name }) => !book.sentEvents.has(name))).toEqual([]);
  const stored = new Map(events.map(({ name, amount }) => [name, Number(amount)]));
  for (const [name, { amount }] of book.events) expect(stored.get(name), name).toBe(Number(amount));
  for (const [id, { status, deleted_at }] of book.links) {
    const { status: found, body } = await caller.call('GET', `/api/v1/links/${id}`);
    expect(found, id).toBe(200);
    if (!book.unsure.has(id)) expect(body, id).toMatchObject({ data: { status, deleted_at } });
  }
  const [changed] = await rows<{ count: number }>(
    connection,
    "select count(*)::int as count from activity where type = 'settings.changed'",
  );
  const more = (changed?.count ?? 0) - SETTINGS_BEFORE;
  expect(more).toBeGreaterThanOrEqual(book.settings.answered);
  expect(more).toBeLessThanOrEqual(book.settings.sent);
  const suggested = await rows(
    connection,
    "select link_id from links where attribution_method = 'probabilistic'",
  );
  expect(suggested.length).toBeGreaterThan(0);
  expect(book.events.size).toBeGreaterThan(0);
  expect(book.links.size).toBeGreaterThan(0);
}

/** Each month of the past is closed once, and the chain says so once. */
async function expectMonths(connection: ClientConfig, book: MoneyBook): Promise<void> {
  const sent = [...book.sentEvents].filter((name) => name.startsWith('month-'));
  const counts = `select (select count(*) from closed_months)::int as closed,
    (select count(*) from month_restatements)::int as restated,
    (select count(*) from activity where type = 'month.closed')::int as told`;
  const closed = { closed: sent.length, restated: 0, told: sent.length };
  await expect.poll(() => rows<object>(connection, counts)).toEqual([closed]);
}

/** Rules paired each sale with what the books say of it, and no record says again what the one before said. */
async function expectMovements(connection: ClientConfig): Promise<void> {
  const [found] = await rows<{ sales: number; paired: number; repeated: number }>(
    connection,
    `select (select count(*) from financial_events where source = 'till')::int as sales,
      (select count(*) from financial_events t join financial_events b
        on b.ledger_id = t.ledger_id and b.lead_id = t.event_id and b.source = 'accounting/books'
        where t.source = 'till')::int as paired,
      (select count(*) filter (where reports = former) from (
        select data::json -> 2 ->> 'reports' as reports, lag(data::json -> 2 ->> 'reports')
          over (partition by ledger_id, subject order by seq) as former
        from activity where type like 'movement.%') as told)::int as repeated`,
  );
  expect(found?.sales).toBeGreaterThan(0);
  expect(found).toMatchObject({ paired: found?.sales, repeated: 0 });
}

/** The followers that the test added took each record once; a poison record stopped none but the recorder. */
async function expectAdded(connection: ClientConfig): Promise<void> {
  const found = await rows<{ follower: string; log: string; wrong: number; taken: number }>(
    connection,
    `with expected as (
      select f.follower, r.ledger_id, r.log, r.seq, (r.log = 'decisions' and (
        f.follower = 'added-passing' and r.seq % ${POISON.every} = 0
        or f.follower = 'added-stopped' and r.seq >= ${POISON.first})) as is_left
      from (values ('added'), ('added-passing'), ('added-stopped')) f (follower), (
        select ledger_id, 'decisions' as log, seq from decisions
        union all select ledger_id, 'activity', seq from activity) r
    ), taken as (
      select ledger_id, follower, log, seq, count(*) as times from noted group by 1, 2, 3, 4
    )
    select e.follower, e.log, coalesce(sum(t.times), 0)::int as taken,
      (count(*) filter (where coalesce(t.times, 0) <> case when e.is_left then 0 else 1 end))::int as wrong
    from expected e left join taken t using (ledger_id, follower, log, seq)
    where e.follower <> 'added-stopped' or e.log = 'decisions'
    group by 1, 2 order by 1, 2`,
  );
  expect(found.filter(({ wrong }) => wrong > 0)).toEqual([]);
  expect(found).toHaveLength(5);
  expect(found.at(-1)?.taken).toBe(POISON.first - 1);
  const [failed] = await rows<{ passed: number; due: number; stopped: number }>(
    connection,
    `select (select count(*) from follower_failures where follower = 'added-passing')::int as passed,
      (select sum(seq / ${POISON.every}) from chain_heads where chain = 'decisions')::int as due,
      (select count(*) from follower_positions where failures > 0)::int as stopped`,
  );
  expect(failed).toEqual({ passed: failed?.due, due: failed?.due, stopped: 1 });
}

/** What followers made equals what follows from the facts. */
async function expectRecomputed({ environment, liveKey }: KilledPlace): Promise<void> {
  const { code, stdout, stderr } = await runCommand(['verify'], environment);
  expect({ code, stderr }, stdout).toMatchObject({ code: 0 });
  const instance = await openInstanceOn(environment);
  const client = instance.client(liveKey());
  const scope = await scopeOf(instance, client);
  const { plain, cells } = await sumsOf(instance, scope);
  expect(cells).toEqual(plain);
  expect(cells.length).toBeGreaterThan(0);
  await expectNoFork(instance, client);
  await rebuildLogs(instance.service.db.ledger(scope), new AbortController().signal);
  await instance.close();
}

function rows<Row extends object>(connection: ClientConfig, text: string): Promise<Row[]> {
  return withClient(connection, async (client) => (await client.query<Row>(text)).rows);
}
