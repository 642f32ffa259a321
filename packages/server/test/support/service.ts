import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { createApp } from '#server/app';
import { type Config, readConfig } from '#server/config';
import { createAuthenticator, keyCredentials } from '#server/domains/access/keys/index';
import { createOrganisation } from '#server/domains/access/organisations/index';
import type { Http } from '#server/http/types';
import { type Clock, type Stopwatch, systemClock, systemStopwatch } from '#server/platform/clock';
import type { Scope } from '#server/platform/principal';
import { openService, type Service } from '#server/service';
import { startWorker } from '#server/worker';
import { type Client, clientOf } from './client.js';
import { takeEngine } from './engine-pool.js';
import { embeddedTemplate, MASTER_KEY } from './engine-template.js';
import { createMigratedDatabase, settingsOf } from './postgres.js';
import { NAMES } from './postgres-names.js';
import type { PostgresServer } from './postgres-server.js';

/**
 * Where a test keeps its ledgers: the embedded engine, or the PostgreSQL server of the pg tests.
 */
export type Engine = 'embedded' | 'postgres';

/** A clock that only a test advances. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

/** One process of the service: its connections, caches and HTTP server. */
export interface Instance {
  readonly service: Service;
  readonly http: Http;
  /** Calls under `/api/v1` with or without a key. */
  client(key?: string): Client;
  close(): Promise<void>;
}

export interface Organisation {
  readonly id: string;
  readonly live: Client;
  readonly test: Client;
}

export interface TestService extends Instance {
  readonly clock: ManualClock;
  /** The environment of another process on the same database. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every logged line, of all instances. */
  readonly logLines: readonly string[];
  /** A new organisation. Its limits are raised unless they are tested. */
  organisation(limits?: 'raised' | 'default'): Promise<Organisation>;
  /** Another process on the same database. Unless it was closed before, it is closed with the first one. */
  another(options?: InstanceOptions): Promise<Instance>;
  /**
   * Ends every process, also that of the embedded engine, and starts the first one again on the same database.
   * @param time of the embedded engine: see `EngineOptions`
   */
  restarted(time?: SharedArrayBuffer): Promise<TestService>;
}

export interface InstanceOptions {
  /** Also runs background jobs. */
  readonly isWorker?: boolean;
  /** Environment variables beyond those that name the database. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface TestServiceOptions extends InstanceOptions {
  /** With `postgres`: a server owned by the test, which may stop it, instead of the shared one. */
  readonly server?: PostgresServer;
}

interface Place {
  readonly environment: Readonly<Record<string, string>>;
  /** Starts what serves the database again, if nothing else uses it. */
  readonly restart: (time?: SharedArrayBuffer) => Promise<void>;
  readonly remove: () => Promise<void>;
}

const NOW = Date.UTC(2026, 3, 16, 9, 30);
const RAISED = {
  ...{ ingest_per_second: 1e6, batch_per_second: 1e6, read_per_second: 1e6 },
  handshakes_per_minute: 1e6,
};
const ENVIRONMENT = {
  LEDGER_MASTER_KEY: MASTER_KEY,
  // The servers that tests let it call are on this host.
  LEDGER_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
};

/** A service on a new, empty, migrated database. */
export async function openTestService(
  engine: Engine,
  { server, ...options }: TestServiceOptions = {},
): Promise<TestService> {
  const place = engine === 'embedded' ? await embeddedPlace() : await postgresPlace(server);
  return openAt(place, { ...manualTime(), logLines: [] }, options);
}

/** What all processes of a service have in common. */
interface Shared {
  readonly clock: ManualClock;
  readonly stopwatch: Stopwatch;
  readonly logLines: string[];
}

async function openAt(
  place: Place,
  shared: Shared,
  options: InstanceOptions,
): Promise<TestService> {
  const others = new Set<Instance>();
  // The tests hold the embedded engine, so that they can use it for other services later.
  const open = ({ isWorker = false, settings = {} }: InstanceOptions) => {
    const config = readConfig({ ...place.environment, ...settings });
    return openInstance(config, { ...shared, share: true, isWorker });
  };
  const first = await open(options);
  const closeAll = async () => {
    for (const instance of others) await instance.close();
    await first.close();
  };
  let organisations = 0;
  return {
    ...first,
    ...{ clock: shared.clock, logLines: shared.logLines, environment: place.environment },
    async organisation(limits = 'raised') {
      organisations += 1;
      const { service } = first;
      const made = await createOrganisation(service, service.db, `organisation ${organisations}`);
      const live = first.client(made.live);
      if (limits === 'raised') await live.patch('/settings', { rate_limits: RAISED });
      return { id: made.org_id, live, test: first.client(made.test) };
    },
    async another(more = {}) {
      const opened = await open(more);
      const instance = {
        ...opened,
        async close() {
          others.delete(instance);
          await opened.close();
        },
      };
      others.add(instance);
      return instance;
    },
    async restarted(time) {
      await closeAll();
      await place.restart(time);
      return openAt(place, shared, options);
    },
    async close() {
      try {
        await closeAll();
      } finally {
        await place.remove();
      }
    },
  };
}

/** A process without background work on the database of others, in real time. */
export function openInstanceOn(environment: Readonly<Record<string, string>>): Promise<Instance> {
  const real = { clock: systemClock, stopwatch: systemStopwatch, logLines: [] };
  return openInstance(readConfig(environment), { ...real, share: true, isWorker: false });
}

interface ProcessOptions
  extends Omit<Shared, 'clock'>,
    Required<Pick<InstanceOptions, 'isWorker'>> {
  readonly clock: Clock;
  readonly share: boolean;
}

async function openInstance(
  config: Config,
  { share, isWorker, clock, stopwatch, logLines }: ProcessOptions,
): Promise<Instance> {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const onFailure = (error: Error) => log.error({ err: error }, 'the database failed');
  const service = await openService(config, {
    ...{ share, isWorker, clock, stopwatch },
    onConnectionError: onFailure,
    onEngineFailure: onFailure,
  });
  const http = await createApp(service, config, log);
  const worker = isWorker ? await startWorker(service, log) : undefined;
  return {
    ...{ service, http },
    client: (key) => clientOf(http, key),
    async close() {
      await http.close();
      await worker?.stop();
      await service.close();
    },
  };
}

function manualTime(): { readonly clock: ManualClock; readonly stopwatch: Stopwatch } {
  let now = NOW;
  const advance = (ms: number) => {
    now += ms;
  };
  return { clock: { now: () => now, advance }, stopwatch: () => now - NOW };
}

async function postgresPlace(server?: PostgresServer): Promise<Place> {
  const { url, drop } = await (server?.createDatabase() ?? createMigratedDatabase());
  const addresses = server === undefined ? settingsOf(url) : { DATABASE_URL: url };
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-test-'));
  return {
    environment: { ...ENVIRONMENT, ...NAMES, ...addresses, LEDGER_DATA_DIR: folder },
    // The server is that of all tests.
    restart: () => Promise.resolve(),
    async remove() {
      await rm(folder, { recursive: true, force: true });
      await drop();
    },
  };
}

async function embeddedPlace(): Promise<Place> {
  const { folder, restart, release } = await takeEngine(await embeddedTemplate());
  return { environment: { ...ENVIRONMENT, LEDGER_DATA_DIR: folder }, restart, remove: release };
}

/** The ledger that a key opens. */
export async function scopeOf({ service }: Instance, { key }: Client): Promise<Scope> {
  const principal = await createAuthenticator(service.clock, [
    keyCredentials(service.installation),
  ]).authenticate(key);
  if (principal === null) throw new Error('the key opens no ledger');
  return principal.scope;
}

/**
 * Everything that requests write, as one text: equal texts mean that nothing was written. Nightly
 * jobs are left out, as they may run at any time.
 */
export async function contents({ service }: Instance): Promise<string> {
  const [row] = await service.db.query<{ all: string }>(sql`
    select json_build_array(
      (select json_agg(h order by ledger_id, chain) from chain_heads h),
      (select count(*) from decisions), (select count(*) from activity),
      (select json_agg(s order by ledger_id) from settings s),
      (select json_agg(k order by key_id) from api_keys k),
      (select count(*) from idempotency_keys),
      (select json_agg(e order by event_id) from financial_events e),
      (select json_agg(l order by link_id) from links l),
      (select count(*) from link_reviews), (select json_agg(p order by p) from agent_patterns p),
      (select count(*) from stripe_events), (select json_agg(c order by ledger_id, connection_id) from accounting_connections c),
      (select count(*) from accounting_records), (select count(*) from alerts),
      (select json_agg(j.name order by id) from job j
        where name not in ('liability-recalculation', 'reconciliation')),
      (select json_agg(w.ledger_id order by ledger_id) from due_work w where follower = 'recounts'),
      (select count(*) from liability_estimates), (select count(*) from liability_history),
      (select count(*) from announcements), (select json_agg(e order by export_id) from exports e),
      (select count(*) from signing_keys), (select count(*) from stream_tickets),
      (select json_agg(a order by link_id) from link_allocations a))::text as all`);
  if (row === undefined) throw new Error('the database holds nothing');
  return row.all;
}
