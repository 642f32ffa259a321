import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DamagedError } from '#server/platform/damage';
import type { Database } from '#server/platform/database';
import type { Follower, LogFollower } from '#server/platform/followers/follower';
import { following, startFollowing } from '#server/platform/followers/runner';
import { installationOf } from '#server/platform/installation';
import type { Scope } from '#server/platform/scope';
import type { Statement } from '#server/platform/statement';
import { type Client, decision } from '../support/client.js';
import { dyingAfter, dyingInside } from '../support/dying-database.js';
import { describeEngine } from '../support/engine.js';
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

  it('A commit wakes the followers of its ledger alone', async () => {
    const looks: unknown[] = [];
    const db = databaseWith(test.service.db, {
      query: <Row extends object>(statement: Statement) => {
        if (/l\.ledger_id = any/.test(statement.text)) looks.push(statement.values.at(2));
        return test.service.db.query<Row>(statement);
      },
    });
    const follower = noting('projection');
    const run = startFollowing(
      {
        ...{ ...test.service, db, installation: installationOf(db), followers: [follower] },
        onError: (error) => expect.unreachable(String(error)),
      },
      test.service.storage.notifications,
    );
    await decide(ledger, 3);
    await expect.poll(() => looks).toContainEqual([ledger.scope.ledgerId]);
    await expect.poll(() => taken(ledger, follower, 'decisions')).toEqual(upTo(3));
    await run.stop();
  });

  it('An organisation with much to do does not hold up another one', async () => {
    const busy = [ledger, await openLedger()];
    const other = await openLedger();
    for (const each of busy) await decide(each, 100);
    await decide(other, 1);
    const steps: string[] = [];
    let now = 0;
    const plain = noting('projection');
    const follower: LogFollower = {
      ...plain,
      name: 'slow',
      follows: ['decisions'],
      advance: async (ledger) => {
        steps.push(ledger.scope.orgId);
        // Three steps are a quantum.
        now += 40;
        return { write: async () => undefined };
      },
    };
    const run = following({
      ...{ ...test.service, followers: [follower], stopwatch: () => now },
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
});
