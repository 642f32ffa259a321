import { pino } from 'pino';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEAD_LETTERS } from '#server/platform/jobs/stored-jobs';
import { startWatch } from '#server/worker';
import {
  type AlertReceiver,
  openAlertReceiver,
  watch as watchOnce,
} from '../../../support/alert-receiver.js';
import type { Client } from '../../../support/client.js';
import { asOwner } from '../../../support/owner.js';
import {
  type Engine,
  type Instance,
  type Organisation,
  openTestService,
  type TestService,
} from '../../../support/service.js';
import { ALERT_SECRET } from '../../../support/settings-samples.js';
import { until } from '../../../support/webhooks.js';

let bed: TestService;
let other: Instance;
let org: Organisation;
let receiver: AlertReceiver;
let received: AlertReceiver['received'];
let refused: string[];

/** Stuck jobs are reported once to each receiver. */
export function alertsSuite(engine: Engine): void {
  describe(`Alerts on ${engine}`, () => {
    hooks(engine);
    describe('Backlog', backlog);
    describe('Dead jobs', deadLetters);
    describe('Failed deliveries', delivery);
    describe('Several receivers', others);
  });
}

function hooks(engine: Engine): void {
  beforeAll(async () => {
    bed = await openTestService(engine);
    other = await bed.another();
    receiver = await openAlertReceiver();
    received = receiver.received;
  });
  beforeEach(async () => {
    received.length = 0;
    [refused, receiver.status] = [[], 204];
    org = await bed.organisation();
  });
  afterEach(async () => {
    await Promise.all([org.live, org.test].map((client) => setAlerts(client, { url: null })));
    await bed.service.db.query(sql`delete from job`);
  });
  afterAll(async () => {
    await receiver.close();
    await bed.close();
  });
}

async function setAlerts(client: Client, alerts: Readonly<Record<string, unknown>>): Promise<void> {
  const answered = await client.patch('/settings', { alerts });
  expect(answered.status, answered.text).toBe(200);
}

/** Configures alerts of this ledger to go to a path of the receiver. */
const tell = (client: Client, path = '/alerts?room=hidden', more = {}) =>
  setAlerts(client, {
    ...{ url: `${receiver.url}${path}`, secret: ALERT_SECRET, backlog_seconds: 300 },
    ...more,
  });

const watch = (instance: Instance = bed) =>
  watchOnce(instance, (error) => void refused.push(String(error)));

/** A job of the organisation's ledger that has been due for this long, or will be if negative. */
async function leaveJob(waited: number, mode = 'test', queue = 'stripe-object'): Promise<void> {
  await bed.service.db.query(sql`
    insert into job (name, data, start_after)
    select ${queue}, json_build_object('ledger_id', ledger_id)::jsonb,
      now() - make_interval(secs => ${waited})
    from ledgers where org_id = (select org_id from ledgers order by ledger_id desc limit 1)
      and mode = ${mode}`);
}

const clearJobs = () => bed.service.db.query(sql`delete from job`);
const typesOf = () => received.map(({ alert }) => alert.type);

/** Simulates that this many seconds have passed since the last try. */
const passed = (seconds: number) =>
  bed.service.db.query(sql`
    update alerts set claimed_at = claimed_at - make_interval(secs => ${seconds})
    where delivered_at is null`);

function backlog(): void {
  it('A backlog is reported once, signed, and so is its end', async () => {
    await tell(org.test);
    await leaveJob(400);
    for (let n = 0; n < 3; n += 1) await watch();
    expect(received).toHaveLength(1);
    expect(received[0]?.path).toBe('/alerts?room=hidden');
    expect(received[0]?.alert).toMatchObject({
      ...{ type: 'jobs.backlog', mode: 'test', ledger: expect.stringMatching(/^led_/) },
      data: { oldest_waiting_seconds: expect.any(Number), threshold_seconds: 300 },
    });
    const [first] = received;
    const waited =
      first?.alert.type === 'jobs.backlog' ? first.alert.data.oldest_waiting_seconds : 0;
    expect(waited).toBeGreaterThanOrEqual(400);
    expect(waited).toBeLessThan(420);
    await clearJobs();
    for (let n = 0; n < 3; n += 1) await watch();
    expect(typesOf()).toEqual(['jobs.backlog', 'jobs.recovered']);
    expect(new Set(received.map(({ id }) => id)).size).toBe(2);
    await leaveJob(400);
    await watch();
    expect(typesOf()).toEqual(['jobs.backlog', 'jobs.recovered', 'jobs.backlog']);
    expect(refused).toEqual([]);
  });

  it('Jobs that wait less than the threshold or are not due cause no alert', async () => {
    await tell(org.test);
    await leaveJob(290);
    await leaveJob(-3600);
    await watch();
    expect(received).toEqual([]);
    await setAlerts(org.test, { backlog_seconds: 200 });
    await watch();
    expect(typesOf()).toEqual(['jobs.backlog']);
  });
}

function deadLetters(): void {
  it('Dead jobs are reported once, again when there are more, and their end once', async () => {
    await tell(org.test);
    await leaveJob(0, 'test', DEAD_LETTERS);
    for (let n = 0; n < 2; n += 1) await watch();
    expect(received.map(({ alert }) => alert.data)).toEqual([{ dead_letters: 1, told: 1 }]);
    await leaveJob(0, 'test', DEAD_LETTERS);
    await leaveJob(0, 'test', DEAD_LETTERS);
    for (let n = 0; n < 2; n += 1) await watch();
    expect(received[1]?.alert.data).toEqual({ dead_letters: 3, told: 3 });
    await clearJobs();
    for (let n = 0; n < 2; n += 1) await watch();
    expect(typesOf()).toEqual(['jobs.dead_letters', 'jobs.dead_letters', 'jobs.recovered']);
  });
}

function delivery(): void {
  it.for([503, 301, null])(
    'An alert answered with %o is repeated after a minute with the same id',
    async (status) => {
      await tell(org.test);
      await leaveJob(400);
      receiver.status = status;
      await watch();
      await watch();
      expect(received).toHaveLength(1);
      await passed(50);
      await watch();
      expect(received).toHaveLength(1);
      await passed(15);
      await watch();
      expect(received).toHaveLength(2);
      receiver.status = 204;
      await passed(65);
      for (let n = 0; n < 2; n += 1) await watch();
      await passed(65);
      await watch();
      expect(received).toHaveLength(3);
      expect(new Set(received.map(({ id }) => id)).size).toBe(1);
      expect(new Set(received.map(({ alert }) => JSON.stringify(alert))).size).toBe(1);
      expect(refused).toHaveLength(2);
      expect(refused.join()).not.toMatch(/hidden|whsec/);
    },
  );

  it('An alert that is not accepted for a day is given up', async () => {
    await tell(org.test);
    await leaveJob(400);
    receiver.status = 503;
    await watch();
    await passed(65);
    await asOwner(
      bed,
      `update alerts set created_at = created_at - interval '1 day' where delivered_at is null`,
    );
    await watch();
    expect(received).toHaveLength(1);
  });
}

function others(): void {
  it('Processes that watch concurrently create and send an alert once', async () => {
    await tell(org.test);
    for (let n = 0; n < 5; n += 1) {
      await leaveJob(400);
      await leaveJob(0, 'test', DEAD_LETTERS);
      await Promise.all([watch(), watch(other), watch(), watch(other)]);
      await watch(other);
      await clearJobs();
      await Promise.all([watch(other), watch()]);
      await watch();
    }
    const once = ['jobs.backlog', 'jobs.dead_letters', 'jobs.recovered'];
    expect(typesOf()).toEqual(Array.from({ length: 5 }, () => once).flat());
    expect(new Set(received.map(({ id }) => id)).size).toBe(15);
  });

  it('An alert concerns only its own ledger: jobs in test are reported to test', async () => {
    await tell(org.live, '/live');
    await tell(org.test, '/test');
    await leaveJob(400, 'test');
    await watch();
    expect(received.map(({ path, alert }) => [path, alert.mode])).toEqual([['/test', 'test']]);
    await leaveJob(400, 'live');
    await watch();
    expect(received.map(({ path, alert }) => [path, alert.mode])).toEqual([
      ['/test', 'test'],
      ['/live', 'live'],
    ]);
    expect(new Set(received.map(({ alert }) => alert.ledger)).size).toBe(2);
  });

  it('An alert is not sent to a private address that is not allowed, and the log says so without a secret', async () => {
    await tell(org.test, '/alerts?room=hidden', {
      url: `${receiver.url.replace('127.0.0.1', '127.0.0.2')}/alerts?room=hidden`,
    });
    await leaveJob(400);
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const watching = startWatch(bed.service, log);
    await until('the refusal is logged', () => lines.length > 0);
    await watching.stop();
    expect(received).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'an alert could not be delivered',
      reason: expect.stringMatching(
        /^127\.0\.0\.2:\d+ is in a private network: .*LEDGER_ALLOW_PRIVATE_ADDRESSES/,
      ),
    });
    expect(lines.join()).not.toMatch(/whsec|hidden|alerts\?/);
    await setAlerts(org.test, { url: `${receiver.url}/alerts?room=hidden` });
    await passed(65);
    await watch();
    expect(typesOf()).toEqual(['jobs.backlog']);
  });

  it('A dead receiver of one ledger does not delay the alerts of another', async () => {
    const gone = await bed.organisation();
    await tell(gone.test);
    await setAlerts(gone.test, { url: 'http://127.0.0.1:1/gone' });
    await leaveJob(400);
    org = await bed.organisation();
    await tell(org.test, '/here');
    await leaveJob(400);
    await watch();
    expect(received.map(({ path }) => path)).toEqual(['/here']);
    expect(refused).toEqual([expect.stringContaining('127.0.0.1:1 cannot be reached')]);
    await setAlerts(gone.test, { url: null });
  });
}
