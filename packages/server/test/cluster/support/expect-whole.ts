import { expect } from 'vitest';
import { idToUuid, uuidToId } from '#server/platform/ids';
import { createCaller } from '../../support/caller.js';
import { runCommand } from '../../support/service-process.js';
import { chainFaults, loadFaults, readChainOf, withClient } from '../../support/stored-chain.js';
import type { CrowdedCluster } from './crowded-cluster.js';
import type { Tenant } from './traffic.js';

/** A job that was killed waits up to 15 minutes for its next try. */
const LONGEST_RETRY_MS = 1_000_000;

/**
 * Expects all that was answered to be in the tables of the nodes once, and each follower to have taken each record once. Nobody
 * writes meanwhile.
 */
export async function expectWhole(crowd: CrowdedCluster): Promise<void> {
  const unexpected = crowd.tenants.flatMap((tenant) => tenant.unexpected).slice(0, 10);
  expect(unexpected, unexpected.length === 0 ? '' : crowd.logged()).toEqual([]);
  await expect.poll(() => leftOf(crowd), { timeout: LONGEST_RETRY_MS }).toEqual([]);
  for (const tenant of crowd.tenants) await expectTenant(crowd, tenant);
  await expectTakenOnce(crowd);
  await expectSums(crowd);
}

/** Expects every chain to be valid, and all tables to be what follows from the chains. */
export async function expectVerified({ environment }: CrowdedCluster): Promise<void> {
  const { code, stdout, stderr } = await runCommand(['verify'], environment);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
}

/** What background work has left to do. */
async function leftOf({ ask }: CrowdedCluster): Promise<string[]> {
  const parts = [
    "select follower || ' ' || subject as what from due_work where due_at <= now()",
    `select state || ' ' || name || ': ' || coalesce(output::text, '') as what from job
      where name <> 'dead-letters' and (state = 'active'
        or state in ('created', 'retry') and start_after <= now())`,
    `select p.follower || ' at ' || p.seq || ' of ' || h.seq as what from chain_heads h
      join follower_positions p on p.ledger_id = h.ledger_id and p.log = h.chain
      where p.seq < h.seq and p.follower <> 'added-stopped'`,
    "select 'export ' || status as what from exports where status in ('pending', 'running')",
  ];
  const found: string[] = [];
  for (const part of parts)
    found.push(...(await ask<{ what: string }>(part)).map((row) => row.what));
  return found;
}

async function expectTenant(crowd: CrowdedCluster, tenant: Tenant): Promise<void> {
  const { name, journal } = tenant;
  const chain = await chainOnNode(crowd, tenant.ledger);
  expect(chainFaults(chain).slice(0, 5), name).toEqual([]);
  expect(loadFaults(chain, journal).slice(0, 5), name).toEqual([]);
  await expectMoney(crowd, tenant);
  await expectOther(crowd, tenant);
}

/** The chain of a ledger as the tables of its node have it: they are parts of the tables, with the number of the part. */
async function chainOnNode({ cluster, ask, database }: CrowdedCluster, ledger: string) {
  const part = async (table: string) => {
    const [found] = await ask<{ name: string; port: number }>(
      `select shard_name as name, nodeport as port from citus_shards
      where shardid = get_shard_id_for_distribution_column($1::regclass, $2::uuid)`,
      [table, ledger],
    );
    if (found === undefined) throw new Error(`${table} has no part for ${ledger}`);
    return found;
  };
  const [decisions, chains, heads] = [
    await part('decisions'),
    await part('chains'),
    await part('chain_heads'),
  ];
  const worker = cluster.workers.find(({ handle }) => handle.port === decisions.port);
  const connectionString = worker?.url.replace(/postgres$/, database.name);
  const names = { decisions: decisions.name, chains: chains.name, chain_heads: heads.name };
  return withClient({ connectionString }, (client) => readChainOf(client, ledger, names));
}

/** Events, links and settings are there as they were answered, and none of them twice. */
async function expectMoney({ ask }: CrowdedCluster, { name, ledger, book }: Tenant): Promise<void> {
  const events = await ask<{ name: string; amount: string; times: number }>(
    `select external_id as name, min(amount)::text as amount, count(*)::int as times
    from financial_events where ledger_id = $1 group by 1`,
    [ledger],
  );
  const stored = new Map(events.map((event) => [event.name, event]));
  expect(
    events.filter((event) => event.times > 1 || !book.sentEvents.has(event.name)),
    name,
  ).toEqual([]);
  for (const [id, { amount }] of book.events) {
    expect(Number(stored.get(id)?.amount), `${name} ${id}`).toBe(Number(amount));
  }
  const links = await ask<{ uuid: string; status: string; removed: boolean }>(
    'select link_id as uuid, status, deleted_at is not null as removed from links where ledger_id = $1',
    [ledger],
  );
  const found = new Map(links.map((link) => [uuidToId('lnk', link.uuid), link]));
  for (const [id, { status, deleted_at }] of book.links) {
    const as = book.unsure.has(id) ? {} : { status, removed: deleted_at !== null };
    expect(found.get(id), `${name} ${id}`).toMatchObject(as);
  }
  const [changed] = await ask<{ count: number }>(
    "select count(*)::int as count from activity where ledger_id = $1 and type = 'settings.changed' and data like '%response_cost%'",
    [ledger],
  );
  expect(changed?.count, name).toBeGreaterThanOrEqual(book.settings.answered);
  expect(changed?.count, name).toBeLessThanOrEqual(book.settings.sent);
}

/** Erasures are told once, exports are made, and the service says that both chains are valid. */
async function expectOther({ ask, url }: CrowdedCluster, tenant: Tenant): Promise<void> {
  const { name, ledger } = tenant;
  const erasures = await ask<{ id: string; times: number }>(
    `select subject as id, count(*)::int as times from activity
    where ledger_id = $1 and type = 'decision.field_erased' group by 1`,
    [ledger],
  );
  expect(
    erasures.filter(({ times }) => times > 1),
    name,
  ).toEqual([]);
  const told = new Set(erasures.map(({ id }) => id));
  expect(
    [...tenant.erased].filter((id) => !told.has(id)),
    name,
  ).toEqual([]);
  const kept = await ask(
    'select from decisions where ledger_id = $1 and metadata is not null and decision_id = any($2::uuid[])',
    [ledger, [...tenant.erased].map((id) => idToUuid('dec', id))],
  );
  expect(kept, name).toEqual([]);
  const exports = await ask<{ uuid: string; status: string }>(
    'select export_id as uuid, status from exports where ledger_id = $1',
    [ledger],
  );
  const made = new Map(exports.map(({ uuid, status }) => [uuidToId('exp', uuid), status]));
  // An erasure withdraws the exports that have what it erased.
  const ends = ['complete', 'expired'];
  for (const id of tenant.exports) expect(ends, `${name} ${id}`).toContain(made.get(id));
  const caller = createCaller(url, tenant.key);
  for (const chain of ['decisions', 'activity']) {
    const { body } = await caller.call('GET', `/api/v1/${chain}/chain/verify`);
    expect(body, `${name} ${chain}`).toMatchObject({ data: { is_valid: true } });
  }
  caller.close();
}

/** The follower that notes what it takes has each record of each log once, and no follower has failed. */
async function expectTakenOnce({ ask }: CrowdedCluster): Promise<void> {
  const repeated = await ask(
    `select ledger_id, log, seq, count(*)::int as times from noted where follower = 'added'
    group by 1, 2, 3 having count(*) > 1 limit 10`,
  );
  expect(repeated).toEqual([]);
  const taken = await ask(
    "select ledger_id, log, count(*)::int as records from noted where follower = 'added' group by 1, 2",
  );
  const heads = await ask(
    'select ledger_id, chain as log, seq::int as records from chain_heads where seq > 0',
  );
  expect(new Set(taken.map(lineOf))).toEqual(new Set(heads.map(lineOf)));
  const failed = await ask(
    `select follower, reason from follower_positions where failures > 0 and follower not like 'added%'
    union all select follower, reason from due_work where failures > 0`,
  );
  expect(failed).toEqual([]);
}

/** What the follower of estimates has summed up is what the estimates say. */
async function expectSums({ ask }: CrowdedCluster): Promise<void> {
  const sums = `trim_scale(sum(exposure))::text as exposure, trim_scale(sum(realised))::text as realised,
    trim_scale(sum(stake))::text as stake`;
  const plain =
    await ask(`select ledger_id, agent_id, action_type, count(*)::int as decisions, ${sums}
    from liability_estimates group by 1, 2, 3`);
  const cells =
    await ask(`select ledger_id, agent_id, action_type, sum(decisions)::int as decisions, ${sums}
    from exposure_cells group by 1, 2, 3`);
  expect(plain.length).toBeGreaterThan(0);
  expect(new Set(cells.map(lineOf))).toEqual(new Set(plain.map(lineOf)));
}

const lineOf = (row: object) => JSON.stringify(Object.values(row));
