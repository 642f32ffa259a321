import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#server/platform/database';
import { selectBehind } from '#server/platform/followers/behind';
import { hastenDue, insertDue, insertDueOf, selectDue } from '#server/platform/followers/due-work';
import type { DueFollower } from '#server/platform/followers/follower';
import { selectDueProgress } from '#server/platform/followers/progress';
import { following } from '#server/platform/followers/runner';
import type { Scope } from '#server/platform/principal';
import { installationOf, type Statement } from '#server/platform/statement';
import { dyingAfter, dyingInside } from '../support/dying-database.js';
import { describeEngine } from '../support/engine.js';
import { itOnOneServer } from '../support/one-server.js';
import { databaseWith } from '../support/own-database.js';
import { asOwner } from '../support/owner.js';
import { type Instance, openTestService, scopeOf, type TestService } from '../support/service.js';

const NAME = 'noting-due';
const DAY_MS = 86_400_000;

/** Records in a table what it does, and fails at the subjects of `poison`. */
function noting(poison: ReadonlySet<string> = new Set(), again?: number): DueFollower {
  return {
    ...{ name: NAME, kind: 'recorder', subjects: 'evt', owns: ['noted'], step: 7 },
    advance: async () => ({
      write: async (tx, subjects) => {
        for (const subject of subjects) {
          await tx.query(sql`
            insert into noted (ledger_id, subject) values (${tx.ledgerId}, ${subject})`);
          if (poison.has(subject)) throw new Error(`${subject} is poison`);
        }
        return subjects;
      },
      ...(again !== undefined && { again }),
    }),
  };
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows that each scan of the table `due_work` or of its indexes read. */
function rowsOfDueWork(node: PlanNode): number[] {
  const isScan = (node['Relation Name'] ?? node['Index Name'])?.startsWith('due_work');
  const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return [...(isScan ? [read] : []), ...(node.Plans ?? []).flatMap(rowsOfDueWork)];
}

describeEngine((engine) => {
  let test: TestService;
  let scope: Scope;

  beforeAll(async () => {
    test = await openTestService(engine);
    await asOwner(
      test,
      `create table noted (place serial, ledger_id uuid, subject uuid);
      grant select, insert on noted to ledger_app; grant usage on noted_place_seq to ledger_app`,
    );
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    scope = await openScope();
  });

  async function openScope(): Promise<Scope> {
    const { live } = await test.organisation();
    return scopeOf(test, live);
  }

  /** Makes new subjects due, and returns them in their order. */
  async function makeDue(count: number, of = scope): Promise<string[]> {
    const subjects = Array.from({ length: count }, () => randomUUID()).sort();
    await test.service.db.ledger(of).write(async (tx) => {
      for (const subject of subjects) await insertDue(tx, NAME, subject);
    });
    return subjects;
  }

  /** What was done, in the order in which it was. */
  async function done(): Promise<string[]> {
    const rows = await test.service.db.query<{ subject: string }>(sql`
      select subject from noted where ledger_id = ${scope.ledgerId} order by place`);
    return rows.map(({ subject }) => subject);
  }

  const waiting = () =>
    test.service.db.query<{ subject: string; failures: number; reason: string | null }>(sql`
      select subject, failures, reason from due_work
      where ledger_id = ${scope.ledgerId} and follower = ${NAME} order by subject`);

  /** Lets a follower do what is due, and returns the errors that it met. */
  async function follow(
    follower: DueFollower,
    db: Database = test.service.db,
    { service }: Instance = test,
    ledgerIds: readonly string[] = [scope.ledgerId],
  ): Promise<unknown[]> {
    const errors: unknown[] = [];
    const run = following({
      ...{ ...service, db, followers: [follower] },
      onError: (error) => void errors.push(error),
    });
    await run.look(ledgerIds);
    await run.idle();
    return errors;
  }

  it('What became due is done once, in the order of the subjects, and again if it becomes due again', async () => {
    const subjects = await makeDue(20);
    expect(await follow(noting())).toEqual([]);
    expect(await follow(noting())).toEqual([]);
    expect(await done()).toEqual(subjects);
    const [first = '', second = ''] = subjects;
    const select = sql`select unnest(${[second, first, first]}::uuid[])`;
    for (let times = 0; times < 2; times += 1) {
      await test.service.db.ledger(scope).write((tx) => insertDueOf(tx, NAME, select));
    }
    expect(await follow(noting())).toEqual([]);
    expect(await done()).toEqual([...subjects, first, second]);
    expect(await waiting()).toEqual([]);
  });

  it('What a transaction makes due is not due if it is rolled back', async () => {
    const failing = test.service.db.ledger(scope).write(async (tx) => {
      await insertDue(tx, NAME, randomUUID());
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await waiting()).toEqual([]);
  });

  it('A process that dies between or within any two statements does nothing twice, and loses nothing', async () => {
    for (const dying of [dyingAfter, dyingInside]) {
      let survived = false;
      for (let calls = 1; !survived; calls += 1) {
        scope = await openScope();
        const subjects = await makeDue(10);
        survived = (await follow(noting(), dying(test.service.db, calls))).length === 0;
        test.clock.advance(1_000_000);
        expect(await follow(noting())).toEqual([]);
        expect((await done()).sort(), `${calls}`).toEqual(subjects);
        expect(await waiting()).toEqual([]);
      }
    }
  });

  it('Processes that race for a ledger do each subject once', async () => {
    const other = await test.another();
    const subjects = await makeDue(100);
    const errors = await Promise.all([
      ...[follow(noting()), follow(noting(), other.service.db, other)],
      ...[follow(noting()), follow(noting(), other.service.db, other)],
    ]);
    expect(errors.flat()).toEqual([]);
    expect((await done()).sort()).toEqual(subjects);
    await other.close();
  });

  it('A subject that fails is set aside, and is tried again after it; the others do not wait for it', async () => {
    const subjects = await makeDue(30);
    const bad = subjects[12] ?? '';
    const poison = new Set([bad]);
    const follower = noting(poison);
    expect(await follow(follower)).toEqual([]);
    expect((await done()).sort()).toEqual(subjects.filter((subject) => subject !== bad));
    expect(await waiting()).toEqual([{ subject: bad, failures: 1, reason: `${bad} is poison` }]);
    await follow(follower);
    expect(await waiting(), 'it waits before it is tried again').toMatchObject([{ failures: 1 }]);
    await test.service.db.ledger(scope).write((tx) => hastenDue(tx, NAME, [bad]));
    await follow(follower);
    expect(await waiting(), 'it keeps its next try').toMatchObject([{ failures: 1 }]);
    test.clock.advance(6000);
    await follow(follower);
    expect(await waiting()).toMatchObject([{ failures: 2 }]);
    poison.clear();
    test.clock.advance(20_000);
    await follow(follower);
    expect(await waiting()).toEqual([]);
    expect(await done()).toContain(bad);
  });

  it('A failure that is not that of a subject sets all of the step aside at once', async () => {
    let tries = 0;
    const follower: DueFollower = {
      ...noting(),
      isFatal: () => true,
      advance: async () => {
        tries += 1;
        throw new Error('the key cannot be opened');
      },
    };
    await makeDue(7);
    await follow(follower);
    expect(tries).toBe(1);
    expect((await waiting()).map(({ failures }) => failures)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it('A subject that is due again later waits until then, unless something makes it due at once', async () => {
    const [subject = ''] = await makeDue(1);
    const follower = () => noting(new Set(), test.clock.now() + DAY_MS);
    await follow(follower());
    await follow(follower());
    expect(await done()).toEqual([subject]);
    await test.service.db.ledger(scope).write((tx) => hastenDue(tx, NAME, [subject]));
    await follow(follower());
    await follow(follower());
    expect(await done()).toEqual([subject, subject]);
    test.clock.advance(DAY_MS);
    await follow(follower());
    expect(await done()).toEqual([subject, subject, subject]);
  });

  it('A subject that is made due while it is being done is done again', async () => {
    const [subject = ''] = await makeDue(1);
    let steps = 0;
    const follower = (): DueFollower => ({
      ...noting(),
      advance: async (ledger, subjects) => {
        steps += 1;
        const again = noting(new Set(), test.clock.now() + DAY_MS);
        const step = await again.advance(ledger, subjects);
        // What the step has read so far lacks what makes the subject due.
        if (steps % 2 === 1) await ledger.write((tx) => hastenDue(tx, NAME, [subject]));
        return step;
      },
    });
    await follow(follower());
    expect(steps, 'it was due at once').toBe(2);
    test.clock.advance(DAY_MS);
    await follow(follower());
    expect(steps, 'its time had come').toBe(4);
    await follow(follower());
    expect(steps, 'it waits for the next day').toBe(4);
    expect(await done()).toEqual([subject, subject]);
  });

  it('What is due is told by the clock of the ledger', async () => {
    const ledger = test.service.db.ledger(scope);
    const progress = () => selectDueProgress(ledger, [noting()]);
    await makeDue(1);
    expect(await progress()).toMatchObject([{ waiting: 1 }]);
    await follow(noting(new Set(), test.clock.now() + DAY_MS));
    expect(await progress()).toEqual([{ follower: NAME, waiting: 0, seconds: 0 }]);
    test.clock.advance(DAY_MS + 60_000);
    expect(await progress()).toEqual([{ follower: NAME, waiting: 1, seconds: 60 }]);
  });

  itOnOneServer('it reads the plan of one server')(
    'Neither a look nor a step reads the subjects that are set aside',
    async () => {
      const { service } = test;
      await asOwner(
        test,
        `insert into due_work (ledger_id, follower, subject, due_at, failures, reason, failed_at)
      select $1, $2, gen_random_uuid(), $3::timestamptz, 1, 'poison', $3::timestamptz
      from generate_series(1, 100000)`,
        [scope.ledgerId, NAME, new Date(test.clock.now() + DAY_MS)],
      );
      await makeDue(10);
      const sent: Statement[] = [];
      const seeing = databaseWith(service.db, {
        query: <Row extends object>(statement: Statement) => {
          sent.push(statement);
          return service.db.query<Row>(statement);
        },
      });
      await selectBehind(installationOf(seeing), [noting()], test.clock.now(), null);
      await selectDue(seeing.ledger(scope), NAME, test.clock.now(), 7);
      expect(sent).toHaveLength(2);
      for (const { text, values } of sent) {
        const [row] = await service.db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
          text: `explain (analyze, costs off, format json) ${text}`,
          values,
        });
        // How many ledgers there are depends on the tests that ran before.
        const read = row ? rowsOfDueWork(row['QUERY PLAN'][0].Plan) : [];
        expect(read.length).toBeGreaterThan(0);
        expect(Math.max(...read)).toBeLessThan(1000);
      }
    },
  );

  it('An organisation with much to do does not hold up another one', async () => {
    const other = await openScope();
    await makeDue(70);
    await makeDue(1, other);
    const steps: string[] = [];
    let now = 0;
    const follower: DueFollower = {
      ...noting(),
      advance: async ({ scope: { orgId } }) => {
        steps.push(orgId);
        // Three steps are a quantum.
        now += 40;
        return { write: async (_tx, subjects) => subjects };
      },
    };
    const run = following({
      ...{ ...test.service, followers: [follower], stopwatch: () => now },
      onError: (error) => expect.unreachable(String(error)),
    });
    await run.look([scope.ledgerId, other.ledgerId]);
    await run.idle();
    expect(steps.indexOf(other.orgId)).toBeLessThanOrEqual(3);
    expect(steps).toHaveLength(11);
  });
});
