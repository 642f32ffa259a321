import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { announce } from '#server/domains/log/announcements/index';
import { STRIPE_OBJECTS } from '#server/domains/sources/stripe/index';
import { namesOf, newsLogin, serviceLogin } from '#server/platform/connection';
import { openDatabase } from '#server/platform/database';
import { newsChannel } from '#server/platform/database-names';
import { openJobQueue } from '#server/platform/jobs/job-queue';
import { type Notifications, postgresNotifications } from '#server/platform/notifications';
import { decision } from '../support/client.js';
import { describePostgres } from '../support/postgres.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withOwner } from '../support/stored-jobs.js';
import { connect, listen } from '../support/stream.js';
import { until } from '../support/webhooks.js';

const LEDGER = '00000000-0000-7000-8000-000000000001';
const OTHER = '00000000-0000-7000-8000-000000000002';

describePostgres('Notifications between processes', () => {
  let bed: TestService;
  let lost = 0;

  beforeAll(async () => {
    bed = await openTestService('postgres');
  });
  afterAll(() => bed.close());

  const open = (): Notifications => {
    const { address } = bed.service.storage;
    const channel = newsChannel(namesOf(address));
    const login = newsLogin(address);
    if (login === null) throw new Error('there are no notifications');
    return postgresNotifications({ login, channel, onError: () => (lost += 1) });
  };
  /** Resolves with the id of the ledger once it is notified. */
  const hear = (notifications: Notifications, ledgerId: string): Promise<string> =>
    new Promise((resolve) => {
      const stop = notifications.listen((told) => {
        if (told !== ledgerId) return;
        stop();
        resolve(told);
      });
    });
  /** Repeats until it is received: notifications before the other process listens are lost. */
  const tellUntil = async (
    notifications: Notifications,
    ledgerId: string,
    heard: Promise<string>,
  ) => {
    const timer = setInterval(() => notifications.notify(ledgerId), 30);
    try {
      return await heard;
    } finally {
      clearInterval(timer);
    }
  };
  const breakLines = () =>
    withOwner(bed, async (client) => {
      const { rows } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'decision-ledger news%' and datname = current_database()`,
      );
      return rows.length;
    });

  it('A job that one process requests starts immediately in another', async () => {
    const { db, ids, storage } = bed.service;
    const queue = { ...STRIPE_OBJECTS, name: 'test-wake', data: Type.Object({}) };
    const shared = {
      db,
      ids,
      queues: [queue],
      address: storage.address,
      onError: () => undefined,
    } as const;
    const elsewhere = open();
    const requester = await openJobQueue({
      ...{ ...shared, notifications: storage.notifications, isWorker: false },
    });
    const worker = await openJobQueue({
      ...{ ...shared, notifications: elsewhere, isWorker: true, pollSeconds: 3600 },
    });
    try {
      let done = 0;
      await worker.work(queue, async () => {
        done += 1;
      });
      await tellUntil(storage.notifications, queue.name, hear(elsewhere, queue.name));
      const scope = await scopeOf(bed, (await bed.organisation()).live);
      for (let n = 1; n <= 5; n += 1) {
        await requester.send(db.ledger(scope), queue, {});
        await until('the job is done', () => done === n);
      }
    } finally {
      await worker.stop();
      await requester.stop();
      await elsewhere.close();
    }
  });

  it('Notifications reach every process by ledger, also after broken connections', async () => {
    const [teller, hearer] = [open(), open()];
    try {
      expect(await tellUntil(teller, LEDGER, hear(hearer, LEDGER))).toBe(LEDGER);
      expect(await tellUntil(teller, OTHER, hear(hearer, OTHER))).toBe(OTHER);
      expect(await breakLines()).toBeGreaterThan(1);
      expect(await tellUntil(teller, LEDGER, hear(hearer, LEDGER))).toBe(LEDGER);
      expect(lost).toBeGreaterThan(1);
    } finally {
      await Promise.all([teller.close(), hearer.close()]);
    }
  });

  it('Notifications reach their own process immediately, whether or not the database is reachable', async () => {
    const client = { connectionString: 'postgres://nobody@127.0.0.1:1/nowhere' };
    const login = {
      client,
      settings: [],
      isPooled: false,
      isCluster: false,
      access: 'read write' as const,
    };
    const notifications = postgresNotifications({
      login,
      channel: 'news',
      onError: () => undefined,
    });
    const heard = hear(notifications, LEDGER);
    notifications.notify(LEDGER);
    expect(await heard).toBe(LEDGER);
    await notifications.close();
  });

  describe('Lost notifications', () => {
    it('Callers of one process get what was written through another although notifications are lost', async () => {
      const other = await bed.another();
      const { live } = await bed.organisation();
      const url = await listen(other.http);
      const listener = await connect(url, { key: live.key });
      await live.post('/decisions', decision());
      await listener.until(({ events }) => events.length === 1);
      // Without notifications, the next poll finds it.
      await breakLines();
      await live.post('/decisions', decision());
      await listener.until(({ events }) => events.length === 2);
      const silent = openDatabase({
        ...serviceLogin(bed.service.storage.address),
        maxConnections: 1,
      });
      const scope = await scopeOf(bed, live);
      const subject = 'exp_01kpat0fe0ec88qqtsarzj0nhh';
      const data = { export_id: subject, status: 'pending' } as const;
      const announcement = { type: 'export.updated', subject, data } as const;
      await silent.ledger(scope).write((tx) => announce(tx, [announcement], bed.clock.now()));
      await silent.close();
      await listener.until(({ events }) => events.length === 3);
      await listener.close();
    });
  });
});
