import type { Alert } from '@decision-ledger/contract/alert';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { uuidToId } from '#server/platform/ids';
import { type AlertReceiver, openAlertReceiver, watch } from '../../support/alert-receiver.js';
import { decision } from '../../support/client.js';
import { followLogs } from '../../support/followers.js';
import { asOwner } from '../../support/owner.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';
import { ALERT_SECRET } from '../../support/settings-samples.js';

let bed: TestService;
let receiver: AlertReceiver;

beforeAll(async () => {
  bed = await openTestService('embedded');
  receiver = await openAlertReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver.close();
  await bed.close();
});

async function alertedLedger() {
  const { live } = await bed.organisation();
  const alerts = { url: receiver.url, secret: ALERT_SECRET };
  expect((await live.patch('/settings', { alerts })).status).toBe(200);
  return { client: live, ...(await scopeOf(bed, live)) };
}

const told = () => receiver.received.map(({ alert }) => alert);

it('Each comparison that found differences is reported once, without their values', async () => {
  const { ledgerId } = await alertedLedger();
  const first = {
    ...{ kind: 'changed_row', table: 'financial_events', key: 'evt_1', column: 'amount' },
    ...{ expected: '"1.00"', actual: '"2.00"' },
  };
  const keep = (day: string, findings: number) =>
    asOwner(
      bed,
      `insert into reconciliations values ($1, $2::text::date, $2::text::date, 7, $3, $4)
      on conflict (ledger_id) do update
      set run_day = excluded.run_day, finished_at = excluded.finished_at, findings = excluded.findings, first_finding = excluded.first_finding`,
      [ledgerId, day, findings, findings === 0 ? null : JSON.stringify(first)],
    );
  await keep('2026-04-16', 0);
  await watch(bed);
  expect(told()).toEqual([]);
  for (const [index, day] of ['2026-04-17', '2026-04-18'].entries()) {
    await keep(day, 3);
    await watch(bed);
    await watch(bed);
    expect(told()).toHaveLength(index + 1);
  }
  expect(told()[0]).toMatchObject({ type: 'reconciliation.failed', mode: 'live' });
  expect(told()[0]?.data).toEqual({
    ...{ findings: 3, activity_seq: 7 },
    first: { kind: 'changed_row', table: 'financial_events', key: 'evt_1', column: 'amount' },
  });
});

/** A decision that a follower passed over at a time. */
const pass = (ledgerId: string, seq: number, at: string) =>
  asOwner(
    bed,
    `insert into follower_failures (ledger_id, follower, log, seq, reason, failed_at)
    values ($1, 'estimates', 'decisions', $2, 'numeric field overflow', $3::text::timestamptz)`,
    [ledgerId, seq, at],
  );

const failed = (failures: number, seq: number, failed_at: string, stopped = false) => ({
  ...{ follower: 'estimates', kind: 'projection', failures },
  last: { log: 'decisions', seq, subject: null, failed_at, stopped },
});

it('A follower that cannot take a record is reported once, without the reason', async () => {
  const { ledgerId } = await alertedLedger();
  await watch(bed);
  await pass(ledgerId, 3, '2026-04-16T09:00:00Z');
  await pass(ledgerId, 8, '2026-04-16T09:30:00Z');
  await watch(bed);
  await watch(bed);
  await pass(ledgerId, 9, '2026-04-16T10:00:00Z');
  await watch(bed);
  expect(told().map(({ type, data }) => [type, data])).toEqual([
    ['follower.failed', failed(2, 8, '2026-04-16T09:30:00.000Z')],
    ['follower.failed', failed(1, 9, '2026-04-16T10:00:00.000Z')],
  ]);
});

it('Due work that failed is reported once, with the id of its subject', async () => {
  const { ledgerId } = await alertedLedger();
  const event = '019dda32-0000-7000-8000-000000000000';
  await asOwner(
    bed,
    `insert into due_work (ledger_id, follower, subject, due_at, failures, reason, failed_at)
    values ($1, 'suggestions', $2, '2026-04-16T10:15:00Z', 1, 'no', '2026-04-16T10:10:00Z')`,
    [ledgerId, event],
  );
  for (let n = 0; n < 2; n += 1) await watch(bed);
  const failed_at = '2026-04-16T10:10:00.000Z';
  const last = { log: null, seq: null, subject: uuidToId('evt', event), failed_at, stopped: false };
  const data = { follower: 'suggestions', kind: 'recorder', failures: 1, last };
  expect(told().filter(({ type }) => type === 'follower.failed')).toMatchObject([{ data }]);
});

it('A failure is reported even if a later one was reported before it was committed', async () => {
  const { ledgerId } = await alertedLedger();
  await pass(ledgerId, 9, '2026-04-16T10:00:00Z');
  await watch(bed);
  await pass(ledgerId, 3, '2026-04-16T09:00:00Z');
  await asOwner(
    bed,
    `insert into follower_positions (ledger_id, follower, log, seq, failures, reason, failed_at, retry_at)
    values ($1, 'checkpoints', 'activity', 4, 1, 'no key', '2026-04-16T08:00:00Z', now())`,
    [ledgerId],
  );
  for (let n = 0; n < 2; n += 1) await watch(bed);
  const last = {
    ...{ log: 'activity', seq: 5, subject: null },
    failed_at: '2026-04-16T08:00:00.000Z',
    stopped: true,
  };
  expect(told().map(({ data }) => data)).toEqual([
    failed(1, 9, '2026-04-16T10:00:00.000Z'),
    { follower: 'checkpoints', kind: 'recorder', failures: 1, last },
    failed(1, 9, '2026-04-16T10:00:00.000Z'),
  ]);
});

it('A follower that lags is reported once, and so is that it keeps up again', async () => {
  // Alerts are made by the real clock.
  bed.clock.advance(Date.now() - bed.clock.now());
  const { client, ledgerId } = await alertedLedger();
  const due = { transparency: { interval_seconds: 86_400 } };
  expect((await client.patch('/settings', due)).status).toBe(200);
  await client.post('/decisions', decision());
  await followLogs(bed.service, [ledgerId]);
  await client.post('/decisions/batch', { decisions: [decision(), decision()] });
  const wait = (seconds: number) =>
    asOwner(
      bed,
      `update decisions set created_at = now() - make_interval(secs => $2) where ledger_id = $1`,
      [ledgerId, seconds],
    );
  await wait(200);
  await watch(bed);
  expect(told()).toEqual([]);
  await wait(400);
  for (let n = 0; n < 2; n += 1) await watch(bed);
  await wait(200);
  await watch(bed);
  const lag = { lag_records: 2, lag_seconds: expect.any(Number), threshold_seconds: 300 };
  const sums = { follower: 'estimates', kind: 'projection' };
  const isOfSums = ({ data }: Alert) => 'follower' in data && data.follower === sums.follower;
  // Checkpoints wait for their interval.
  const waiting = told().filter(
    ({ data }) => 'follower' in data && data.follower === 'checkpoints',
  );
  expect(waiting).toEqual([]);
  expect(told().filter(isOfSums)).toMatchObject([
    { type: 'follower.lagging', data: { ...sums, ...lag } },
  ]);
  await followLogs(bed.service, [ledgerId]);
  for (let n = 0; n < 2; n += 1) await watch(bed);
  expect(told().filter(isOfSums).slice(1)).toMatchObject([
    { type: 'follower.recovered', data: sums },
  ]);
});

const ofFollower = (name: string) =>
  told().flatMap(({ type, data }) => ('follower' in data && data.follower === name ? [type] : []));

it('A follower that lags and then stops has not recovered', async () => {
  // Alerts are made by the real clock.
  bed.clock.advance(Date.now() - bed.clock.now());
  const { client, ledgerId } = await alertedLedger();
  await client.patch('/settings', { transparency: { interval_seconds: 10 } });
  await client.post('/decisions', decision());
  bed.clock.advance(20_000);
  await followLogs(bed.service, [ledgerId]);
  await client.post('/decisions', decision());
  const age = `= created_at - interval '400 seconds' where ledger_id = $1`;
  await asOwner(bed, `update decisions set created_at ${age}`, [ledgerId]);
  await asOwner(bed, `update checkpoints set created_at ${age}`, [ledgerId]);
  await watch(bed);
  expect(ofFollower('checkpoints')).toEqual(['follower.lagging']);
  const setFault = (fault: string | null) =>
    asOwner(bed, 'update tlogs set fault = $2 where ledger_id = $1', [ledgerId, fault]);
  await setFault('the chain of decisions lacks a record');
  await watch(bed);
  expect(ofFollower('checkpoints')).toEqual(['follower.lagging']);
  await setFault(null);
  await followLogs(bed.service, [ledgerId]);
  await watch(bed);
  expect(ofFollower('checkpoints')).toEqual(['follower.lagging', 'follower.recovered']);
});

it('A follower that sets late subjects aside has not recovered', async () => {
  const { ledgerId } = await alertedLedger();
  const change = (text: string) =>
    asOwner(bed, `${text} where ledger_id = $1 and follower = 'suggestions'`, [ledgerId]);
  await asOwner(
    bed,
    `insert into due_work (ledger_id, follower, subject, since)
    values ($1, 'suggestions', gen_random_uuid(), now() - interval '400 seconds')`,
    [ledgerId],
  );
  await watch(bed);
  expect(ofFollower('suggestions')).toEqual(['follower.lagging']);
  await change(`update due_work set failures = 1, reason = 'no', failed_at = now(),
    due_at = now() + interval '1 day'`);
  await watch(bed);
  expect(ofFollower('suggestions')).toEqual(['follower.lagging', 'follower.failed']);
  await change('delete from due_work');
  await watch(bed);
  expect(ofFollower('suggestions').slice(2)).toEqual(['follower.recovered']);
});

it('A follower with a subject that keeps failing recovers, and its next lag is reported', async () => {
  const { ledgerId } = await alertedLedger();
  const add = (since: string, failure = '') =>
    asOwner(
      bed,
      `insert into due_work (ledger_id, follower, subject, since, due_at, failures, reason, failed_at)
      values ($1, 'suggestions', gen_random_uuid(), now() - interval '${since}', ${
        failure === '' ? `'-infinity', 0, null, null` : failure
      })`,
      [ledgerId],
    );
  const failingFor = (age: string) =>
    `now() + interval '10 minutes', 9, 'no', now() - interval '${age}'`;
  const done = () =>
    asOwner(bed, 'delete from due_work where ledger_id = $1 and failures = 0', [ledgerId]);
  const kinds = () => ofFollower('suggestions').filter((type) => type !== 'follower.failed');
  await add('2 hours', failingFor('50 minutes'));
  await add('400 seconds');
  await watch(bed);
  await done();
  await watch(bed);
  expect(kinds()).toEqual(['follower.lagging']);
  await asOwner(
    bed,
    `update due_work set failed_at = now() - interval '2 hours' where ledger_id = $1`,
    [ledgerId],
  );
  await watch(bed);
  expect(kinds()).toEqual(['follower.lagging', 'follower.recovered']);
  await add('400 seconds');
  for (let n = 0; n < 2; n += 1) await watch(bed);
  expect(kinds().slice(2)).toEqual(['follower.lagging']);
  await add('200 seconds');
  await asOwner(
    bed,
    `delete from due_work where ledger_id = $1 and since < now() - interval '300 seconds' and failures = 0`,
    [ledgerId],
  );
  await watch(bed);
  expect(kinds().slice(3)).toEqual([]);
  await done();
  await watch(bed);
  expect(kinds().slice(3)).toEqual(['follower.recovered']);
});
