import { seeded } from '../../../../proof/test/support/seeded.js';
import { createCaller, liftRateLimits } from '../../support/caller.js';
import { startCitus } from '../../support/citus-server.js';
import type { TestDatabase } from '../../support/postgres-server.js';
import {
  createOrganisation,
  type Environment,
  postgresEnvironment,
  type ServiceProcess,
  startService,
} from '../../support/service-process.js';
import { withClient } from '../../support/stored-chain.js';
import { BUSY, type Pace, startTraffic, Tenant, type Traffic } from './traffic.js';

/** The service in the role worker, with followers that note what they take. */
const NOTING = new URL('../../platform/support/added-followers.js', import.meta.url).pathname;

/** Of organisations with two ledgers each. */
const ORGANISATIONS = 8;

/** As often as the settings allow: until then, the records of the logs wait. */
const SIGNED_OFTEN = { transparency: { interval_seconds: 10 } };

type Cluster = Awaited<ReturnType<typeof startCitus>>;

/** A coordinator, two workers, and the whole service on them. */
export interface CrowdedCluster {
  readonly cluster: Cluster;
  readonly database: TestDatabase;
  readonly environment: Environment;
  readonly tenants: readonly Tenant[];
  /** Rows of a statement on the coordinator, as its superuser. */
  ask<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The port of the node of each ledger, by its id. */
  places(): Promise<ReadonlyMap<string, number>>;
  /** Starts traffic for every ledger, by its id. */
  startTraffic(name: string, pace?: Pace): ReadonlyMap<string, Traffic>;
  /** Of a process that answers requests. */
  readonly url: string;
  /** What the processes of the service have logged. */
  logged(): string;
  stop(): Promise<void>;
}

/** What the added followers take, on the node of its ledger. */
const NOTED = [
  'create table noted (ledger_id uuid, follower text, log text, seq bigint)',
  "select create_distributed_table('noted', 'ledger_id', colocate_with => 'chain_heads')",
  'grant select, insert on noted to ledger_app',
];

export async function startCrowdedCluster(): Promise<CrowdedCluster> {
  const cluster = await startCitus({ settings: { max_connections: '300' } });
  const processes: ServiceProcess[] = [];
  const stop = async () => {
    for (const one of processes) await one.kill();
    await cluster.stop();
  };
  try {
    const database = await cluster.coordinator.createDatabase();
    const connection = { connectionString: database.url };
    const ask = <Row extends object>(text: string, values: readonly unknown[] = []) =>
      withClient(connection, async (client) => (await client.query<Row>(text, [...values])).rows);
    const environment = postgresEnvironment(database.url);
    const tenants = await createTenants(environment, ask);
    for (const statement of NOTED) await ask(statement);
    for (const role of ['api', 'api'] as const) {
      processes.push(await startService({ ...environment, LEDGER_ROLE: role }));
    }
    const urls = processes.map(({ url }) => url);
    for (const { name, key } of tenants) {
      const caller = createCaller(urls[0] ?? '', key);
      // They apply to both ledgers of an organisation.
      if (name.endsWith('live')) await liftRateLimits(caller);
      const changed = await caller.call('PATCH', '/api/v1/settings', SIGNED_OFTEN);
      if (changed.status !== 200) throw new Error(`${name}: ${JSON.stringify(changed.body)}`);
      caller.close();
    }
    for (const role of ['worker', 'worker'] as const) {
      processes.push(await startService({ ...environment, LEDGER_ROLE: role }, NOTING));
    }
    let started = 0;
    return {
      ...{ cluster, database, environment, tenants, ask, stop, url: urls[0] ?? '' },
      places: () => placesOf(ask),
      logged: () => processes.map(({ output }) => output()).join('\n'),
      startTraffic: (name, pace = BUSY) => {
        started += 1;
        const start = (tenant: Tenant, n: number) =>
          startTraffic(tenant, n % 2 === 0 ? urls : urls.toReversed(), {
            name: `${name}-${n}`,
            random: seeded(n + started * tenants.length),
            pace,
          });
        return new Map(tenants.map((tenant, n) => [tenant.ledger, start(tenant, n)]));
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createTenants(
  environment: Environment,
  ask: CrowdedCluster['ask'],
): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let n = 1; n <= ORGANISATIONS; n += 1) {
    const name = `organisation ${n}`;
    const keys = await createOrganisation(environment, name);
    const ledgers = await ask<{ mode: 'live' | 'test'; id: string }>(
      `select mode, ledger_id as id from ledgers
      where org_id = (select org_id from organisations where name = $1)`,
      [name],
    );
    for (const { mode, id } of ledgers)
      tenants.push(new Tenant(name, `${name} ${mode}`, keys[mode], id));
  }
  return tenants;
}

async function placesOf(ask: CrowdedCluster['ask']): Promise<ReadonlyMap<string, number>> {
  const shards = await ask<{ id: string; port: number }>(
    "select shardid::text as id, nodeport as port from citus_shards where table_name = 'chain_heads'::regclass",
  );
  const ports = new Map(shards.map(({ id, port }) => [id, port]));
  const ledgers = await ask<{ ledger: string; shard: string }>(
    `select ledger_id as ledger,
      get_shard_id_for_distribution_column('chain_heads', ledger_id)::text as shard from ledgers`,
  );
  return new Map(ledgers.map(({ ledger, shard }) => [ledger, ports.get(shard) ?? 0]));
}
