import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#server/platform/database';
import { dyingAfter, dyingInside } from '../../../support/dying-database.js';
import { erase } from '../../../support/erasures.js';
import { databaseWith } from '../../../support/own-database.js';
import { type Engine, openTestService, type TestService } from '../../../support/service.js';
import {
  at,
  type Desk,
  onlySuggestion,
  openDesk,
  scoreOf,
} from '../../../support/suggestions-desk.js';

/** More than one transaction's worth of each. */
const MANY = { decisions: 260, events: 53 };
const FEW = { decisions: 5, events: 3 };

/** The results of the job without ids: equal for ledgers with equal content. */
async function madeOf(test: TestService, { scope, decisions, desk }: Case) {
  const { ledgerId } = scope;
  const links = await desk.links('&include_deleted=true');
  const told = links.map((link) => {
    const { rivals: _rivals, ...score } = scoreOf(link);
    const { status, link_type, correlation_strength, deleted_at } = link;
    const decision = decisions.indexOf(link.decision_id);
    return { decision, score, status, link_type, correlation_strength, deleted_at };
  });
  const [row] = await test.service.db.query<object>(sql`
    select (select count(*) from decision_features where ledger_id = ${ledgerId}) as features,
      (select array_agg(decisions order by decisions) from token_frequencies
        where ledger_id = ${ledgerId}) as frequencies,
      (select seq from follower_positions
        where ledger_id = ${ledgerId} and follower = 'features') as seq,
      (select count(*) from due_work
        where ledger_id = ${ledgerId} and follower = 'suggestions') as waiting,
      (select count(*) from activity
        where ledger_id = ${ledgerId} and type = 'link.suggested') as suggested`);
  return { ...row, links: told.sort((a, b) => a.decision - b.decision) };
}

interface Case {
  readonly desk: Desk;
  readonly scope: Desk['scope'];
  /** Ids. */
  readonly decisions: readonly string[];
}

type Size = typeof MANY;

async function openCase(test: TestService, size: Size): Promise<Case> {
  const desk = await openDesk(test);
  const bodies = Array.from({ length: size.decisions }, (_none, index) => ({
    metadata: { order_id: `ORD-${1000 + index}` },
  }));
  const decisions: string[] = [];
  while (bodies.length > 0) decisions.push(...(await desk.decide(...bodies.splice(0, 100))));
  for (let index = 0; index < size.events; index++) {
    await desk.happen({ metadata: { order_id: `ORD-${1000 + 2 * index}` } });
  }
  return { desk, scope: desk.scope, decisions };
}

/** Runs something before the first transaction, as another process might. */
function interrupted(db: Database, between: () => Promise<void>): Database {
  let isFirst = true;
  return databaseWith(db, {
    async transaction(work) {
      if (isFirst) {
        isFirst = false;
        await between();
      }
      return db.transaction(work);
    },
  });
}

export function describeCorrelationCrashes(engine: Engine): void {
  let test: TestService;

  beforeAll(async () => {
    test = await openTestService(engine);
  });
  afterAll(() => test.close());

  async function undisturbed(size: Size): Promise<unknown> {
    const one = await openCase(test, size);
    await one.desk.look();
    const made = await madeOf(test, one);
    expect(made).toMatchObject({ waiting: 0, features: size.decisions });
    expect(made.links).toHaveLength(size.events);
    return made;
  }

  /** @returns whether it died; the next run is not disturbed */
  async function lookDying({ desk }: Case, db: Database): Promise<boolean> {
    const died = await desk.look({ db }).then(
      () => false,
      () => true,
    );
    await desk.look();
    return died;
  }

  it('A job that dies between any two calls leaves its remaining work to the next', async () => {
    const made = await undisturbed(FEW);
    let calls = 0;
    for (let died = true; died; calls += 1) {
      const one = await openCase(test, FEW);
      died = await lookDying(one, dyingAfter(test.service.db, calls));
      expect(await madeOf(test, one), `after ${calls} calls`).toEqual(made);
    }
    // Known state, features, events with their candidates, and suggestions.
    expect(calls).toBeGreaterThan(10);
  });

  it('A job that dies within a transaction leaves nothing of that transaction', async () => {
    const made = await undisturbed(FEW);
    let statements = 4;
    for (let died = true; died; statements += 3) {
      const one = await openCase(test, FEW);
      died = await lookDying(one, dyingInside(test.service.db, statements));
      expect(await madeOf(test, one), `after ${statements} statements`).toEqual(made);
    }
    expect(statements).toBeGreaterThan(25);
  });

  it('A job on many decisions and events continues where the last one died', async () => {
    const made = await undisturbed(MANY);
    for (const transactions of [1, 2, 3]) {
      const one = await openCase(test, MANY);
      let left = transactions;
      const db = interrupted(test.service.db, async () => undefined);
      const dying = databaseWith(db, {
        async transaction(work) {
          if (left === 0) throw new Error('the process has died');
          left -= 1;
          return db.transaction(work);
        },
      });
      expect(await lookDying(one, dying)).toBe(true);
      expect(await madeOf(test, one), `after ${transactions} transactions`).toEqual(made);
    }
  });

  it('Concurrent jobs all succeed and create nothing twice', async () => {
    const made = await undisturbed(MANY);
    const one = await openCase(test, MANY);
    await Promise.all([one.desk.look(), one.desk.look(), one.desk.look()]);
    expect(await madeOf(test, one)).toEqual(made);
    const pairs = await test.service.db.query<{ links: number }>(sql`
      select count(*) as links from links
      where ledger_id = ${one.scope.ledgerId} and deleted_at is null
      group by event_id, decision_id, link_type having count(*) > 1`);
    expect(pairs).toEqual([]);
  });

  it('Jobs concurrent with reviews and new decisions leave nothing unprocessed', async () => {
    const one = await openCase(test, FEW);
    const { desk } = one;
    await desk.look();
    const links = await desk.links('&status=ML_SUGGESTED');
    const reviews = links.map(({ id }, index) =>
      desk.review(id, index % 2 === 0 ? 'confirm' : 'reject'),
    );
    const late = desk.decide({ metadata: { order_id: 'ORD-1002' }, timestamp: at(0.9) });
    await Promise.all([desk.look(), ...reviews, late, desk.look()]);
    await desk.look();
    expect(await madeOf(test, one)).toMatchObject({ waiting: 0, features: FEW.decisions + 1 });
    const statuses = (await desk.links('&include_deleted=true')).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'ML_INFERRED')).toHaveLength(2);
    expect(statuses.filter((status) => status === 'REJECTED')).toHaveLength(1);
  });

  it('A late decision is not missed by a job that read before it was recorded', async () => {
    const { desk } = await openCase(test, FEW);
    await desk.look();
    const event = await desk.happen({ metadata: { order_id: 'LATE-1' } });
    let late = '';
    const db = interrupted(test.service.db, async () => {
      late = (await desk.decide({ metadata: { order_id: 'LATE-1' } }))[0] ?? '';
      // Another job extracts its features and dies before it reaches the event.
      const dying = dyingAfter(test.service.db, 6);
      await expect(desk.look({ db: dying })).rejects.toThrow('died');
    });
    await desk.look({ db });
    await desk.look();
    expect((await onlySuggestion(desk, event)).decision_id).toBe(late);
  });

  it('A suggestion never relies on fields erased while the job reads them', async () => {
    const told = async (look: (desk: Desk, erasing: () => Promise<void>) => Promise<void>) => {
      const desk = await openDesk(test);
      const orders = ['GONE-1', 'OTHER-1', 'OTHER-2', 'OTHER-3'];
      const [id = ''] = await desk.decide(
        ...orders.map((order_id) => ({ metadata: { order_id } })),
      );
      await desk.look();
      const event = await desk.happen({ metadata: { order_id: 'GONE-1' } });
      await look(desk, async () => void (await erase(desk.client, id, 'metadata')));
      const links = await desk.suggested(event);
      return links.map((link) => {
        const { rivals: _rivals, ...score } = scoreOf(link);
        return { score, strength: link.correlation_strength };
      });
    };
    const without = await told(async (desk, erasing) => {
      await erasing();
      await desk.look();
    });
    const withAll = await told((desk) => desk.look());
    expect(withAll).not.toEqual(without);
    const between = await told((desk, erasing) =>
      desk.look({ db: interrupted(test.service.db, erasing) }),
    );
    expect(between).toEqual(without);
  });

  it('The features of a field that is erased while they are extracted are not kept', async () => {
    const kept = async (between: (erasing: () => Promise<void>) => Database) => {
      const desk = await openDesk(test);
      const bodies = ['GONE-1', 'KEPT-1'].map((order_id) => ({ metadata: { order_id } }));
      const [id = ''] = await desk.decide(...bodies);
      const db = between(async () => void (await erase(desk.client, id, 'metadata')));
      await desk.look({ db });
      const [row] = await test.service.db.query<object>(sql`
        select (select count(*) from decision_features where ledger_id = ${desk.scope.ledgerId})
            as features,
          (select count(*) from decision_tokens where ledger_id = ${desk.scope.ledgerId}) as ids,
          (select count(*) from token_frequencies where ledger_id = ${desk.scope.ledgerId})
            as frequencies`);
      return row;
    };
    const whole = await kept(() => test.service.db);
    const between = await kept((erasing) => interrupted(test.service.db, erasing));
    expect(between).toMatchObject({ features: 2, ids: 1 });
    expect(between).not.toEqual(whole);
  });

  it('An event reviewed while a job processes it is left to the next run', async () => {
    const { desk } = await openCase(test, FEW);
    await desk.look();
    const [link] = await desk.links('&status=ML_SUGGESTED');
    if (link === undefined) return expect.unreachable('nothing is suggested');
    await desk.lookAtAllAgain();
    const db = interrupted(test.service.db, async () => {
      await desk.review(link.id, 'reject');
    });
    await desk.look({ db });
    await desk.look();
    expect(await desk.suggested(link.financial_event_id)).toEqual([]);
    expect(await desk.read(link.id)).toMatchObject({ status: 'REJECTED' });
  });
}
