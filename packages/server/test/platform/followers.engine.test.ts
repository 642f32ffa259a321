import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#server/platform/database';
import { DamagedError } from '#server/platform/failures';
import { insertDue } from '#server/platform/followers/due-work';
import type { DueFollower, Follower, LogFollower } from '#server/platform/followers/follower';
import { following, startFollowing } from '#server/platform/followers/runner';
import type { Scope } from '#server/platform/principal';
import { installationOf, type Statement } from '#server/platform/statement';
import { type Client, decision } from '../support/client.js';
import { dyingAfter, dyingInside } from '../support/dying-database.js';
import { describeEngine } from '../support/engine.js';
import { followLogs } from '../support/followers.js';
import { databaseWith } from '../support/own-database.js';
import { asOwner } from '../support/owner.js';
import { type Instance, openTestService, scopeOf, type TestService } from '../support/service.js';

interface Ledger {
  readonly client: Client;
  readonly scope: Scope;
}

/** Records in a table what it takes, and fails at the records of `poison`. */
function noting(kind: Follower['kind'], poison: ReadonlySet<number> = new Set()): LogFollower {
  return {
    ...{ name: `noting-${kind}`, kind, follows: ['decisions', 'activity'], owns: ['noted'] },
    step: 7,
    advance: async (ledger, { log, after, until }) => {
      const rows = await ledger.query<{ seq: number }>(
        log === 'decisions'
          ? sql`select seq from decisions where ledger_id = ${ledger.ledgerId} and seq > ${after}
              and seq <= ${until} order by seq`
          : sql`select seq from activity where ledger_id = ${ledger.ledgerId} and seq > ${after}
              and seq <= ${until} order by seq`,
      );
      return {
        write: async (tx) => {
          for (const { seq } of rows) {
            await tx.query(sql`insert into noted (ledger_id, follower, log, seq)
              values (${ledger.ledgerId}, ${`noting-${kind}`}, ${log}, ${seq})`);
            if (log === 'decisions' && poison.has(seq)) throw new Error(`record ${seq} is poison`);
          }
        },
      };
    },
  };
}

describeEngine((engine) => {
  let test: TestService;
  let ledger: Ledger;

  beforeAll(async () => {
    test = await openTestService(engine);
    await asOwner(
      test,
      `create table noted (place serial, ledger_id uuid, follower text, log text, seq bigint);
      grant select, insert on noted to ledger_app; grant usage on noted_place_seq to ledger_app`,
    );
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    ledger = await openLedger();
  });

  async function openLedger(): Promise<Ledger> {
    const { live } = await test.organisation();
    return { client: live, scope: await scopeOf(test, live) };
  }

  async function decide({ client }: Ledger, count: number): Promise<void> {
    for (let made = 0; made < count; made += 50) {
      const decisions = Array.from({ length: Math.min(50, count - made) }, () => decision());
      await client.post('/decisions/batch', { decisions });
    }
  }

  /** What was taken, in the order in which it was. */
  async function taken({ scope }: Ledger, { name }: Follower, log: string): Promise<number[]> {
    const rows = await test.service.db.query<{ seq: number }>(sql`
      select seq from noted where ledger_id = ${scope.ledgerId} and follower = ${name}
        and log = ${log} order by place`);
    return rows.map(({ seq }) => seq);
  }

  async function activityHead({ scope }: Ledger): Promise<number> {
    const [row] = await test.service.db.query<{ seq: number }>(sql`
      select seq from chain_heads where ledger_id = ${scope.ledgerId} and chain = 'activity'`);
    return row?.seq ?? 0;
  }

  /** Lets followers take what is due, and returns the errors that they met. */
  async function follow(
    followers: readonly Follower[],
    db: Database = test.service.db,
    { service }: Instance = test,
  ): Promise<unknown[]> {
    const errors: unknown[] = [];
    const run = following({
      ...service,
      db,
      followers,
      onError: (error) => void errors.push(error),
    });
    await run.look([ledger.scope.ledgerId]);
    await run.idle();
    return errors;
  }

  const upTo = (last: number) => Array.from({ length: last }, (_none, index) => index + 1);

  it('A new follower takes every record of each log once, in their order', async () => {
    const follower = noting('projection');
    await decide(ledger, 60);
    expect(await follow([follower])).toEqual([]);
    await decide(ledger, 3);
    expect(await follow([follower])).toEqual([]);
    expect(await follow([follower])).toEqual([]);
    expect(await taken(ledger, follower, 'decisions')).toEqual(upTo(63));
    expect(await taken(ledger, follower, 'activity')).toEqual(upTo(await activityHead(ledger)));
  });

  it('A process that dies between or within any two statements takes no record twice', async () => {
    const follower = noting('projection');
    for (const dying of [dyingAfter, dyingInside]) {
      let survived = false;
      for (let calls = 1; !survived; calls += 1) {
        ledger = await openLedger();
        await decide(ledger, 10);
        survived = (await follow([follower], dying(test.service.db, calls))).length === 0;
        test.clock.advance(1_000_000);
        expect(await follow([follower])).toEqual([]);
        expect(await taken(ledger, follower, 'decisions'), `${calls}`).toEqual(upTo(10));
      }
    }
  });

  it('Processes that race for a ledger take each record once', async () => {
    const follower = noting('recorder');
    const other = await test.another();
    await decide(ledger, 200);
    const errors = await Promise.all([
      ...[follow([follower]), follow([follower], other.service.db, other)],
      ...[follow([follower]), follow([follower], other.service.db, other)],
    ]);
    expect(errors.flat()).toEqual([]);
    expect(await taken(ledger, follower, 'decisions')).toEqual(upTo(200));
    await other.close();
  });

  it('A projection passes over a record that it cannot take, and notes it', async () => {
    const follower = noting('projection', new Set([12, 31]));
    await decide(ledger, 40);
    expect(await follow([follower])).toEqual([]);
    const all = upTo(40).filter((seq) => seq !== 12 && seq !== 31);
    expect(await taken(ledger, follower, 'decisions')).toEqual(all);
    const failed = await test.service.db.query<object>(sql`
      select seq, reason from follower_failures
      where ledger_id = ${ledger.scope.ledgerId} order by seq`);
    expect(failed).toEqual([
      { seq: 12, reason: 'record 12 is poison' },
      { seq: 31, reason: 'record 31 is poison' },
    ]);
  });

  it('A recorder stops before a record that it cannot take, and goes on once it can', async () => {
    const poison = new Set([12]);
    const follower = noting('recorder', poison);
    const failures = () =>
      test.service.db.query<object>(sql`
        select seq, failures, reason from follower_positions
        where ledger_id = ${ledger.scope.ledgerId} and follower = ${follower.name}
          and log = 'decisions'`);
    await decide(ledger, 40);
    await follow([follower]);
    const first = { seq: 11, failures: 1, reason: 'record 12 is poison' };
    expect(await failures()).toEqual([first]);
    expect(await taken(ledger, follower, 'activity')).toEqual([]);
    poison.clear();
    await follow([follower]);
    expect(await failures(), 'it waits before it tries again').toEqual([first]);
    test.clock.advance(6000);
    await follow([follower]);
    expect(await failures()).toEqual([{ seq: 40, failures: 0, reason: null }]);
    expect(await taken(ledger, follower, 'decisions')).toEqual(upTo(40));
  });

  it('A failure that is not that of a record stops any follower at once', async () => {
    let tries = 0;
    const follower: LogFollower = {
      ...noting('projection'),
      isFatal: () => true,
      advance: async () => {
        tries += 1;
        throw new Error('the key cannot be opened');
      },
    };
    await decide(ledger, 40);
    await follow([follower]);
    expect(tries).toBe(1);
  });

  it('Damage of the database stops a projection, which passes over nothing', async () => {
    const follower: LogFollower = {
      ...noting('projection'),
      advance: () => Promise.reject(new DamagedError('page 7 of base/5/16466', null)),
    };
    await decide(ledger, 20);
    await follow([follower]);
    const [position] = await test.service.db.query<object>(sql`
      select seq, failures from follower_positions
      where ledger_id = ${ledger.scope.ledgerId} and follower = ${follower.name}
        and log = 'decisions'`);
    expect(position).toEqual({ seq: 0, failures: 1 });
  });

  it('What fails after the commit of a step is reported, and its records are taken once', async () => {
    const errors: unknown[] = [];
    const noted = noting('recorder');
    const follower: LogFollower = {
      ...noted,
      advance: async (...given) => ({
        ...(await noted.advance(...given)),
        committed: () => Promise.reject(new Error('the disk is full')),
      }),
    };
    const run = following({
      ...{ ...test.service, followers: [follower] },
      onError: (error) => void errors.push(error),
    });
    await decide(ledger, 7);
    for (let looks = 0; looks < 3; looks += 1) {
      await run.look([ledger.scope.ledgerId]);
      await run.idle();
    }
    expect(errors.map(String)).toContainEqual(expect.stringContaining('the disk is full'));
    expect(await taken(ledger, follower, 'decisions')).toEqual(upTo(7));
  });

  it('Ledgers without new records cost one statement for each look, whatever their number', async () => {
    for (let count = 0; count < 4; count += 1) await decide(await openLedger(), 1);
    const texts: string[] = [];
    const db = databaseWith(test.service.db, {
      query: <Row extends object>(statement: Statement) => {
        texts.push(statement.text);
        return test.service.db.query<Row>(statement);
      },
      transaction: () => expect.unreachable('nothing is due'),
    });
    const run = (own: Database) =>
      following({
        ...{ ...test.service, db: own, installation: installationOf(own) },
        followers: [noting('projection'), noting('recorder')],
        onError: (error) => {
          throw error;
        },
      });
    const first = run(test.service.db);
    await first.look(null);
    await first.idle();
    const idle = run(db);
    for (let looks = 1; looks <= 3; looks += 1) {
      await idle.look(null);
      await idle.idle();
      expect(texts).toHaveLength(looks);
    }
  });

  it('An idle service sends one statement a second for all of its followers', async () => {
    await followLogs(test.service);
    const texts: string[] = [];
    const { run, started } = startCounting(test.service.followers, texts);
    await expect.poll(() => texts.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
    const counted = texts.length;
    expect(counted).toBeLessThanOrEqual(1 + (performance.now() - started) / 1000);
    await run.stop();
    expect(new Set(texts.map((text) => text.includes('follower_positions')))).toEqual(
      new Set([true]),
    );
  });

  it('Steady writes to many ledgers cause fifty statements a second in all, besides those of steps', async () => {
    await followLogs(test.service);
    const texts: string[] = [];
    const { run, started } = startCounting(test.service.followers, texts);
    while (performance.now() - started < 1000 || texts.length < 3) {
      for (let writes = 0; writes < 30; writes += 1) {
        test.service.storage.notifications.notify(randomUUID());
      }
      await sleep(5);
    }
    const counted = texts.length;
    expect(counted).toBeLessThanOrEqual(3 + (performance.now() - started) / 18);
    await run.stop();
  });

  /** Starts followers, and notes their statements. */
  function startCounting(followers: readonly Follower[], texts: string[]) {
    const db = databaseWith(test.service.db, {
      query: <Row extends object>(statement: Statement) => {
        texts.push(statement.text);
        return test.service.db.query<Row>(statement);
      },
    });
    const own = { ...test.service, db, installation: installationOf(db), followers };
    const onError = (error: unknown) => expect.unreachable(String(error));
    const started = performance.now();
    return {
      started,
      run: startFollowing({ ...own, onError }, test.service.storage.notifications),
    };
  }

  it('What was done for a ledger is a reason to look at it again, and what has to wait is none', async () => {
    const worked: string[] = [];
    const waiting: DueFollower = {
      ...{ name: 'waiting', kind: 'recorder', subjects: 'evt', owns: [], step: 7 },
      advance: async () => null,
    };
    const { ledgerId } = ledger.scope;
    await test.service.db.ledger(ledger.scope).write((tx) => insertDue(tx, 'waiting', ledgerId));
    await decide(ledger, 1);
    const followers = [waiting, noting('projection')];
    const onError = (error: unknown) => expect.unreachable(String(error));
    const run = following({ ...test.service, followers, onError }, (id) => void worked.push(id));
    for (let looks = 0; looks < 2; looks += 1) {
      await run.look([ledgerId]);
      await run.idle();
      expect(worked).toEqual([ledgerId]);
    }
  });

  it('A record that is appended during a turn of its ledger is not left for the next look', async () => {
    const plain = noting('projection');
    let look = async () => {};
    let isFirst = true;
    const follower: LogFollower = {
      ...plain,
      follows: ['decisions'],
      advance: async (...given) => ({
        ...(await plain.advance(...given)),
        async committed() {
          if (!isFirst) return;
          isFirst = false;
          await decide(ledger, 1);
          await look();
        },
      }),
    };
    await decide(ledger, 1);
    const onError = (error: unknown) => expect.unreachable(String(error));
    const run = following({ ...test.service, followers: [follower], onError });
    look = () => run.look([ledger.scope.ledgerId]);
    await look();
    await run.idle();
    expect(await taken(ledger, follower, 'decisions')).toEqual([1, 2]);
  });

  it('A ledger whose position cannot be read holds up no other, and is left out for a while', async () => {
    const ledgers = [ledger, await openLedger(), await openLedger()];
    for (const each of ledgers) await decide(each, 3);
    const [bad, ...others] = ledgers
      .map((each) => ({ ...each, ...each.scope }))
      .sort((a, b) => a.ledgerId.localeCompare(b.ledgerId));
    if (bad === undefined) throw new Error('no ledger was opened');
    let [reads, isDamaged] = [0, true];
    const db = databaseWith(test.service.db, {
      query: <Row extends object>(statement: Statement) => {
        const isPosition = /select p\.seq, h\.seq as head/.test(statement.text);
        if (!isPosition || !statement.values.includes(bad.ledgerId)) {
          return test.service.db.query<Row>(statement);
        }
        reads += 1;
        if (!isDamaged) return test.service.db.query<Row>(statement);
        return Promise.reject(new DamagedError('page 7 of base/5/16466', null));
      },
    });
    const follower: LogFollower = { ...noting('projection'), follows: ['decisions'] };
    const errors: unknown[] = [];
    const run = following({
      ...{ ...test.service, db, followers: [follower] },
      onError: (error) => void errors.push(error),
    });
    const look = async () => {
      await run.look(ledgers.map(({ scope }) => scope.ledgerId));
      await run.idle();
    };
    for (let looks = 0; looks < 3; looks += 1) await look();
    for (const other of others) expect(await taken(other, follower, 'decisions')).toEqual(upTo(3));
    expect([errors.length, reads]).toEqual([1, 1]);
    isDamaged = false;
    test.clock.advance(5000);
    await look();
    expect(await taken(bad, follower, 'decisions')).toEqual(upTo(3));
  });

  it.for(['heavy', 'long'] as const)(
    'The short lane does not wait for the %s one',
    async (lane) => {
      const other = await openLedger();
      for (const each of [ledger, other]) await decide(each, 1);
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const long: LogFollower = {
        ...{ ...noting('recorder'), follows: ['decisions'], lane },
        advance: () => ended.then(() => ({ write: async () => undefined })),
      };
      const short: LogFollower = { ...noting('projection'), follows: ['decisions'] };
      const onError = (error: unknown) => expect.unreachable(String(error));
      const run = following({ ...test.service, followers: [long, short], onError });
      await run.look([ledger, other].map(({ scope }) => scope.ledgerId));
      for (const each of [ledger, other]) {
        await expect.poll(() => taken(each, short, 'decisions'), { timeout: 60_000 }).toEqual([1]);
      }
      end();
      await run.idle();
    },
  );

  it('Once it is stopped, nothing is looked at any more', async () => {
    const texts: string[] = [];
    await decide(ledger, 30);
    const { run } = startCounting([noting('projection')], texts);
    await expect.poll(() => texts.length, { timeout: 60_000 }).toBeGreaterThan(1);
    await run.stop();
    const counted = texts.length;
    test.service.storage.notifications.notify(ledger.scope.ledgerId);
    await sleep(300);
    expect(texts).toHaveLength(counted);
  });

  it('A commit wakes the followers of its ledger alone', async () => {
    const looks: unknown[] = [];
    const db = databaseWith(test.service.db, {
      query: <Row extends object>(statement: Statement) => {
        if (/l\.ledger_id = any/.test(statement.text)) looks.push(statement.values.at(2));
        return test.service.db.query<Row>(statement);
      },
    });
    const follower = noting('projection');
    const all = following({ ...test.service, followers: [follower], onError: () => undefined });
    await all.look(null);
    await all.idle();
    const run = startFollowing(
      {
        ...{ ...test.service, db, installation: installationOf(db), followers: [follower] },
        onError: (error) => expect.unreachable(String(error)),
      },
      test.service.storage.notifications,
    );
    await decide(ledger, 3);
    await expect.poll(() => taken(ledger, follower, 'decisions')).toEqual(upTo(3));
    await run.stop();
    expect(new Set(looks.flat())).toEqual(new Set([ledger.scope.ledgerId]));
  });

  it('An organisation with much to do does not hold up another one', async () => {
    const busy = [ledger, await openLedger()];
    const other = await openLedger();
    for (const each of busy) await decide(each, 100);
    await decide(other, 1);
    const { steps, followers, stopwatch } = slow(['slow']);
    const run = following({
      ...{ ...test.service, followers, stopwatch },
      onError: (error) => {
        throw error;
      },
    });
    await run.look([...busy, other].map(({ scope }) => scope.ledgerId));
    await run.idle();
    expect(steps.indexOf(other.scope.orgId)).toBeLessThanOrEqual(6);
    expect(steps).toHaveLength(31);
    // The two busy ones have their quanta in turn.
    const [one, two] = busy.map(({ scope }) => scope.orgId);
    const runs = steps.join(' ').match(/(\S+)( \1)*/g) ?? [];
    const lengths = runs.map((each) => each.split(' ').length);
    expect(steps.filter((orgId) => orgId === one)).toHaveLength(15);
    expect(steps.filter((orgId) => orgId === two)).toHaveLength(15);
    expect(Math.max(...lengths)).toBe(3);
  });

  it('An organisation has one quantum for all of its followers', async () => {
    const [busy, other] = [await openLedger(), await openLedger()];
    for (const each of [busy, other]) await decide(each, 40);
    const { steps, followers, stopwatch } = slow(['slow-1', 'slow-2', 'slow-3']);
    const run = following({
      ...{ ...test.service, followers, stopwatch },
      onError: (error) => {
        throw error;
      },
    });
    await run.look([busy, other].map(({ scope }) => scope.ledgerId));
    await run.idle();
    expect(steps).toHaveLength(36);
    const runs = steps.join(' ').match(/(\S+)( \1)*/g) ?? [];
    expect(runs.map((each) => each.split(' ').length)).toEqual(Array(12).fill(3));
  });

  it('Several organisations are served at a time, and each of them by one step', async () => {
    const [one, two] = [await openLedger(), await openLedger()];
    for (const each of [one, two]) await decide(each, 20);
    const running: string[] = [];
    let most = 0;
    const follower: LogFollower = {
      ...{ ...noting('projection'), follows: ['decisions'] },
      advance: async ({ scope }) => {
        expect(running).not.toContain(scope.orgId);
        running.push(scope.orgId);
        most = Math.max(most, running.length);
        // The first step waits until that of the other organisation has begun.
        await expect.poll(() => most).toBe(2);
        running.splice(running.indexOf(scope.orgId), 1);
        return { write: async () => undefined };
      },
    };
    const onError = (error: unknown) => expect.unreachable(String(error));
    const run = following({
      ...test.service,
      followers: [follower],
      pace: { atOnce: 2, stepMs: 50 },
      onError,
    });
    await run.look([one, two].map(({ scope }) => scope.ledgerId));
    await run.idle();
    expect(most).toBe(2);
  });

  /** Followers of which three steps are a quantum, and the organisations of their steps. */
  function slow(names: readonly string[]) {
    const steps: string[] = [];
    let now = 0;
    const followers = names.map(
      (name): LogFollower => ({
        ...{ ...noting('projection'), name, follows: ['decisions'] },
        advance: async ({ scope }) => {
          steps.push(scope.orgId);
          now += 40;
          return { write: async () => undefined };
        },
      }),
    );
    return { steps, followers, stopwatch: () => now };
  }
});
