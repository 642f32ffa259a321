import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS, rebuildLedger } from '#server/domains/evidence/rebuild/index';
import { ownerClient } from '#server/platform/address';
import { type Database, openDatabase } from '#server/platform/database';
import { rebuildProjection } from '#server/platform/projections/rebuild';
import { bundleOf } from '../../support/exports.js';
import { openTestService, type TestService } from '../../support/service.js';
import type { FullLedger } from '../reconciliation/support/full-ledger.js';
import { contentOf, DERIVED, DERIVED_TABLES, otherValue } from './support/damage.js';
import { derivedLedger } from './support/derived-ledger.js';

let bed: TestService;
let ledger: FullLedger;
let owner: pg.Client;
let db: Database;

beforeAll(async () => {
  bed = await openTestService('embedded');
  ledger = await derivedLedger(bed);
  const client = ownerClient(bed.service.storage.address);
  owner = new pg.Client(client);
  await owner.connect();
  db = openDatabase({ client, role: null, maxConnections: 1 });
});
afterAll(async () => {
  await db.close();
  await owner.end();
  await bed.close();
});

const mine = () => `ledger_id = '${ledger.scope.ledgerId}'`;
const content = () => contentOf(owner, ledger.scope.ledgerId);
const own = () => db.ledger(ledger.scope);
const rebuild = (projections = PROJECTIONS) =>
  rebuildLedger(own(), projections, { ...bed.service, onProgress: () => undefined });

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
    all.set(route, answer.text);
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
    const { differences, rows } = await rebuildProjection(own(), projection, () => undefined);
    expect(differences, projection.name).toEqual([]);
    expect(rows, projection.name).toBeGreaterThan(0);
  }
});

it.for(DERIVED)('Another value of %s.%s is replaced', async ([table, column]) => {
  const before = await content();
  await damageRow(table, column);
  expect((await content()).get(table)).not.toBe(before.get(table));
  const names = [`${table}.*`, `${table}.${column}`];
  const [made] = PROJECTIONS.filter(({ makes }) => makes.some((name) => names.includes(name)));
  if (made === undefined) throw new Error('no projection makes the column');
  const { differences } = await rebuildProjection(own(), made, () => undefined);
  expect(differences).not.toEqual([]);
  expect(await content()).toEqual(before);
});

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
  const before = await content();
  const shown = await answers();
  const bundle = await bundleOf(bed, ledger.client, { export_type: 'insurance' });
  for (const [table, column] of DERIVED) await damageRow(table, column);
  const { damage: found, projections } = await rebuild();
  expect(found).toEqual([]);
  expect(projections.every(({ replaced, added }) => replaced + added > 0)).toBe(true);
  expectKept(before, await content());
  expect(await answers()).toEqual(shown);
  const again = await bundleOf(bed, ledger.client, { export_type: 'insurance' });
  console.log([...bundle.files.keys()].filter((n) => !bundle.files.get(n)?.equals(again.files.get(n) ?? Buffer.alloc(0))));
});

/** All tables, but for what a rebuild and exports add to the chain of activity. */
function expectKept(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
  const grown = ['activity', 'chain_heads', 'exports', 'export_checkpoints', 'checkpoints', 'tlogs'];
  expect(without(after, ...grown)).toEqual(without(before, ...grown));
  expect(after.get('activity')?.startsWith(before.get('activity') ?? '')).toBe(true);
}
