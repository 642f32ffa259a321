import { ActivityPage } from '@decision-ledger/contract/chain';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RECOUNTS } from '#server/domains/access/settings/index';
import { PROJECTIONS, projectionsFor, rebuildLedger } from '#server/domains/evidence/rebuild/index';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { runNow } from '#server/domains/judgement/liability/index';
import { countedAmounts } from '#server/domains/record/financial-events/index';
import { ownerLogin } from '#server/platform/connection';
import { type Database, openDatabase } from '#server/platform/database';
import { restartDue } from '#server/platform/followers/due-work';
import type { Projection } from '#server/platform/projections/projection';
import { isUnfinished, noteUnfinished } from '#server/platform/projections/rebuild';
import { dataOf } from '../../support/client.js';
import { bundleOf } from '../../support/exports.js';
import { rebuilt } from '../../support/rebuilt.js';
import { openTestService, type TestService } from '../../support/service.js';
import type { FullLedger } from '../reconciliation/support/full-ledger.js';
import {
  contentOf,
  DERIVED,
  DERIVED_TABLES,
  damageRows,
  otherValue,
  TABLES_MADE,
} from './support/damage.js';
import { derivedLedger } from './support/derived-ledger.js';
import { partsSuite } from './support/parts-suite.js';

let bed: TestService;
let ledger: FullLedger;
let owner: pg.Client;
let db: Database;

beforeAll(async () => {
  bed = await openTestService('embedded');
  ledger = await derivedLedger(bed);
  const login = ownerLogin(bed.service.storage.address);
  owner = new pg.Client(login.client);
  await owner.connect();
  db = openDatabase({
    ...{ ...login, maxConnections: 1 },
    context: bed.service.db.context,
  });
});
afterAll(async () => {
  await db.close();
  await owner.end();
  await bed.close();
});

const mine = () => `ledger_id = '${ledger.scope.ledgerId}'`;
const content = () => contentOf(owner, ledger.scope.ledgerId);
const own = () => db.ledger(ledger.scope);
const rebuild = (projections = PROJECTIONS) => rebuildLedger(own(), projections, () => undefined);

/** Past foreign keys, as somebody with the power of the owner does it. */
async function damage(...statements: readonly string[]): Promise<void> {
  const all = ['set local session_replication_role = replica', ...statements];
  try {
    await owner.query(`begin; ${all.join('; ')}; commit`);
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

async function damageRow(table: string, column: string): Promise<void> {
  const value = await otherValue(owner, table, column);
  await damage(`update ${table} set "${column}" = ${value} where ctid = (select ctid from ${table}
    where ${mine()} and (${value}) is distinct from "${column}" order by ctid limit 1)`);
}

const ROUTES = [
  ...['/decisions?agent_id=agent-1&limit=50', '/analytics/liability', '/analytics/ai-pnl'],
  ...['/analytics/agents', '/analytics/timeline', '/analytics/attribution-quality'],
  ...['/links?limit=100', '/financial-events?limit=100', '/reviews?limit=50'],
  '/analytics/experiments/refund-prompt',
];
const answers = async () => {
  const all = new Map<string, string>();
  for (const route of ROUTES) {
    const answer = await ledger.client.get(route);
    expect(answer.status, `${route} ${answer.text}`).toBe(200);
    all.set(route, answer.text.replace(/"activity_seq":\d+|"meta":.*$/g, ''));
  }
  return all;
};

/** All but what the activity chain and the logs add. */
function without(contents: ReadonlyMap<string, string>, ...tables: readonly string[]) {
  return new Map([...contents].filter(([table]) => !tables.includes(table)));
}

it('The ledger has rows of every derived column, and none of them differs from what follows from the records', async () => {
  for (const [table] of DERIVED) {
    const { rows } = await owner.query(`select from ${table} where ${mine()} limit 1`);
    expect(rows.length, table).toBe(1);
  }
  for (const projection of PROJECTIONS) {
    const { differences, rows } = await rebuilt(own(), projection);
    expect(differences, projection.name).toEqual([]);
    expect(rows, projection.name).toBeGreaterThan(0);
  }
});

it.for(TABLES_MADE)(
  'Another value of each column of $table that $name makes is replaced',
  async ({ name, table, columns }) => {
    const [projection] = PROJECTIONS.filter((one) => one.name === name);
    if (projection === undefined) throw new Error(`there is no projection ${name}`);
    const stored = () => contentOf(owner, ledger.scope.ledgerId, [table]);
    const before = await stored();
    for (let left = columns; left.length > 0; ) {
      const damaged = await damageRows(owner, ledger.scope.ledgerId, table, left);
      expect(damaged).not.toEqual([]);
      const { added, replaced, removed } = await rebuilt(own(), projection);
      expect(added + replaced + removed).toBeGreaterThanOrEqual(damaged.length);
      expect(await stored(), `${damaged}`).toEqual(before);
      left = left.filter((column) => !damaged.includes(column));
    }
  },
);

it('Rows that are missing, and rows that are too many, are added and removed', async () => {
  const before = await content();
  for (const table of DERIVED_TABLES) {
    await damage(`delete from ${table} where ${mine()} and ctid in (
      select ctid from ${table} where ${mine()} order by ctid limit 40)`);
  }
  const { projections } = await rebuild();
  const added = projections.filter((one) => one.added > 0).map(({ projection }) => projection);
  const whole = PROJECTIONS.filter(({ makes }) => makes.some((name) => name.endsWith('.*')));
  expect(added).toEqual(whole.map(({ name }) => name));
  expectKept(before, await content());
});

it('All derived values at once are made again: answers and exports are as before, and nothing published changed', async () => {
  const shown = await answers();
  const bundle = await bundleOf(bed, ledger.client, { export_type: 'insurance' });
  const before = await content();
  for (const [table, column] of DERIVED) await damageRow(table, column);
  const { damage: found, projections } = await rebuild();
  expect(found).toEqual([]);
  expect(projections.filter(({ replaced, added }) => replaced + added === 0)).toEqual([]);
  expectKept(before, await content());
  expect(await answers()).toEqual(shown);
  const again = await bundleOf(bed, ledger.client, { export_type: 'insurance' });
  expect([...again.files.keys()]).toEqual([...bundle.files.keys()]);
  const other = [...bundle.files].filter(
    ([name, file]) => again.files.get(name)?.equals(file) !== true,
  );
  // They name the activity head, the bundle before, or when and by whom it was made.
  expect(other.map(([name]) => name)).toEqual([
    ...['README.txt', 'CERTIFICATE.md', 'custody.json', 'activity.proofs.json'],
    ...['activity.checkpoint', 'manifest.json', 'manifest.sig'],
  ]);
});

it('Each part that a rebuild replaces is recorded, and nothing else', async () => {
  await damageRow('decision_tokens', 'token');
  const made = projectionsFor('tokens') ?? [];
  const { projections } = await rebuild(made);
  const [features, tokens] = projections;
  expect(features).toMatchObject({ projection: 'features', added: 0, replaced: 0, removed: 0 });
  expect(tokens).toMatchObject({ projection: 'tokens', added: 1, replaced: 0, removed: 1 });
  const recorded = async () => {
    const answer = await ledger.client.get('/activity?limit=2');
    return dataOf(answer, ActivityPage).activity;
  };
  const about = { type: 'derived.rebuilt', actor: 'operator' };
  const records = await recorded();
  expect(records).toMatchObject([
    { ...about, data: { projection: 'tokens', added: 0, replaced: 0, removed: 1 } },
    { ...about, data: { projection: 'tokens', added: 1, replaced: 0, removed: 0 } },
  ]);
  await rebuild(made);
  expect(await recorded()).toEqual(records);
});

it('Once a projection has replaced rows, what follows from them is unfinished until it is made again', async () => {
  await damageRow('financial_events', 'counted_amount');
  const { unfinished } = await rebuild(projectionsFor('counted-amounts') ?? []);
  expect(unfinished).toEqual(['allocations', 'estimates', 'exposure-cells']);
  expect(await isUnfinished(own(), ['allocations'])).toBe(true);
  const made = await rebuild(projectionsFor('allocations') ?? []);
  expect(made.unfinished).toEqual(['estimates', 'exposure-cells']);
  expect((await rebuild()).unfinished).toEqual([]);
});

it('Rows that cannot be judged are not finished, also if a recount begins during the rebuild', async () => {
  await damageRow('financial_events', 'counted_amount');
  await own().write((tx) => noteUnfinished(tx, [countedAmounts.name]));
  const busy: Projection = {
    ...countedAmounts,
    async *parts(reader) {
      for await (const part of countedAmounts.parts(reader)) {
        await own().write((tx) => restartDue(tx, RECOUNTS, tx.ledgerId));
        yield part;
      }
    },
  };
  const { projections, unfinished } = await rebuild([busy]);
  await owner.query(`delete from due_work where ${mine()} and follower = '${RECOUNTS}'`);
  expect(projections).toMatchObject([
    { waits_for: expect.stringContaining('settings'), replaced: 0 },
  ]);
  expect(unfinished).toEqual(['counted-amounts']);
  const after = await rebuild();
  expect(
    after.projections.find(({ projection }) => projection === 'counted-amounts'),
  ).toMatchObject({
    ...{ waits_for: null, replaced: 1 },
  });
  expect(after.unfinished).toEqual([]);
});

it('A replacement that does not change all rows that differ fails', async () => {
  await damageRow('exposure_cells', 'exposure');
  await owner.query(`create function keep() returns trigger language plpgsql as 'begin return null; end';
    create trigger keep before update on exposure_cells for each row execute function keep()`);
  const { failure } = await rebuild();
  await owner.query('drop function keep cascade');
  expect(failure?.message).toBe('exposure-cells: 1 rows differed, and 0 were changed');
  expect((await rebuild()).unfinished).toEqual([]);
});

it.for(['decision_features', 'liability_estimates'])(
  'A row of %s before the first record is removed',
  async (table) => {
    const before = await content();
    await damage(
      `create temp table stray as select * from ${table} where ${mine()} limit 1`,
      `update stray set seq = -7`,
      `insert into ${table} table stray`,
      `drop table stray`,
    );
    const { projections } = await rebuild();
    expect(projections.filter(({ removed }) => removed === 1)).toHaveLength(1);
    expectKept(before, await content());
  },
);

partsSuite(() => ({ own: own(), owner, client: ledger.client, damage }));

/** A decision that has its first estimate. */
const FIRST = `(select max(e.seq) from liability_estimates e join decisions d using (ledger_id, seq)
  where e.revision = 0 and e.estimated_at = d.created_at)`;

interface Made {
  readonly revision: number;
  readonly first: boolean;
  readonly erased: boolean;
  readonly estimated_at: Date;
}

it('Missing estimates are made: first ones as they were, and others as of now', async () => {
  const columns = `e.seq, e.revision, e.estimated_at, e.estimated_at = d.created_at as first, e::text,
    exists (select from activity a where a.ledger_id = e.ledger_id
      and a.type = 'decision.field_erased' and a.subject = d.entry::json ->> 'decision_id') as erased`;
  const stored = async () => {
    const { rows } = await owner.query<Made>(
      `select ${columns} from liability_estimates e join decisions d using (ledger_id, seq)
      where e.${mine()} order by e.seq`,
    );
    return rows;
  };
  const before = await stored();
  await damage(`delete from liability_estimates where ${mine()}`);
  const [made] = PROJECTIONS.filter(({ name }) => name === 'estimates');
  if (made === undefined) throw new Error('no projection makes estimates');
  expect(await rebuilt(own(), made)).toMatchObject({ added: before.length, replaced: 0 });
  const after = await stored();
  // The first estimate of an erased decision said something else.
  expect(after.map(({ revision }) => revision)).toEqual(
    before.map(({ revision, erased }) => (erased ? Math.max(1, revision) : revision)),
  );
  const [firsts, revised] = [true, false].map((isFirst) =>
    before.flatMap((row, place) =>
      (row.revision === 0 && !row.erased) === isFirst ? [after[place]] : [],
    ),
  );
  expect(firsts?.every((row) => row?.first)).toBe(true);
  for (const [place, row] of before.entries()) {
    if (row.first && !row.erased) expect(after[place]).toEqual(row);
  }
  expect(revised?.length).toBeGreaterThan(0);
  for (const row of revised ?? []) expect(row?.estimated_at.getTime()).toBe(bed.clock.now());
  await rebuild();
  const service = bed.service.db.ledger(ledger.scope);
  await runNow(service, bed.service, () => undefined);
  expect((await reconcileWithHistory(service)).findings).toEqual([]);
});

it.each([
  [
    'a fact',
    `update decisions set agent_id = 'x' where seq = 1`,
    /^the chain of decisions is broken at 1/,
  ],
  [
    'a recorded row',
    `update financial_events set amount = amount + 1 where true`,
    /^changed_row: financial_events evt_/,
  ],
  [
    'a published row',
    `update closed_months set figures = '{}' where true`,
    /^changed_row: closed_months /,
  ],
  [
    'the snapshot of an estimate',
    `update liability_estimates set snapshot_id = 999 where seq = ${FIRST}`,
    /^liability_estimates dec_\w+: it names no snapshot/,
  ],
  [
    'the snapshot of a first estimate',
    `update liability_estimates e set snapshot_id = (select min(s.snapshot_id)
      from liability_snapshots s where s.ledger_id = e.ledger_id and s.snapshot_id <> e.snapshot_id)
      where seq = ${FIRST}`,
    /^liability_estimates dec_\w+: its snapshot is not one of an estimate of this decision/,
  ],
  [
    'a snapshot',
    `update liability_snapshots set experience = '[]' where true`,
    /^liability_snapshots \d+: .*experience: restore a backup/,
  ],
  [
    'the time of an estimate',
    `update liability_estimates set estimated_at = estimated_at + interval '30 days'
      where seq = ${FIRST}`,
    /^liability_estimates dec_\w+: its figures are of another snapshot or time than it names/,
  ],
  [
    'the revision of an estimate',
    `update liability_estimates set revision = 3 where seq = ${FIRST}`,
    /^liability_estimates dec_\w+: its revision is 3, after 0 earlier estimates/,
  ],
  [
    'a checkpoint',
    `update checkpoints set note = replace(note, ' ', '  ') where true`,
    /^\S+: This is not a signed note/,
  ],
])(
  'Where %s is wrong, a rebuild names it, records nothing and makes nothing right',
  async (_what, statement, named) => {
    const kept = ['decisions', 'financial_events', 'closed_months', 'liability_estimates'];
    kept.push('checkpoints', 'exposure_cells', 'liability_snapshots');
    await owner.query(
      kept.map((table) => `create temp table kept_${table} as table ${table}`).join(';'),
    );
    const marks = 'unfinished_rebuilds';
    try {
      await damage(`${statement} and ${mine()}`);
      await damageRow('exposure_cells', 'exposure');
      const before = await content();
      const made = PROJECTIONS.filter(({ name }) => name !== 'exposure-cells');
      const { damage: found } = await rebuild(made);
      expect(found[0]).toMatch(named);
      expect(without(await content(), marks)).toEqual(without(before, marks));
    } finally {
      await damage(
        ...kept.flatMap((table) => [
          `delete from ${table}`,
          `insert into ${table} table kept_${table}`,
          `drop table kept_${table}`,
        ]),
      );
    }
    expect(await rebuild()).toMatchObject({ damage: [], failure: null });
    expect((await content()).get(marks)).toBe('');
  },
);

/** All tables, but for what a rebuild and exports add to the chain of activity. */
function expectKept(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
  const grown = ['activity', 'chain_heads'];
  expect(without(after, ...grown)).toEqual(without(before, ...grown));
  const records = new Set(after.get('activity')?.split('\n'));
  for (const record of before.get('activity')?.split('\n') ?? []) expect(records).toContain(record);
}
