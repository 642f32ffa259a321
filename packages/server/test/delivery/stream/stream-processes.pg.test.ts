import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller, liftRateLimits } from '../../support/caller.js';
import { Journal, orderOf, runWriters, send } from '../../support/load.js';
import { event } from '../../support/money.js';
import { createDatabase, describePostgres } from '../../support/postgres.js';
import type { TestDatabase } from '../../support/postgres-server.js';
import {
  createOrganisation,
  type Environment,
  postgresEnvironment,
  type ServiceProcess,
  startService,
} from '../../support/service-process.js';
import { follow } from './support/stream-follower.js';
import { seqsOf } from './support/stream-ledger.js';

const ROUNDS = 3;
const WRITERS = 4;
const ROUND_MS = 1500;

describePostgres('Stream of several processes on PostgreSQL', () => {
  let database: TestDatabase;
  let environment: Environment;
  let live: string;
  const services: ServiceProcess[] = [];
  const journal = new Journal();

  beforeAll(async () => {
    database = await createDatabase();
    environment = postgresEnvironment(database.url);
    ({ live } = await createOrganisation(environment, 'acme'));
    services.push(await startService(environment), await startService(environment));
    const caller = createCaller(services[0]?.url ?? '', live);
    await liftRateLimits(caller);
    caller.close();
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
  });

  it('A follower that reconnects after each kill gets every event in order', async () => {
    // The first service is where the follower is connected.
    const address = () => (services[0]?.url ?? '').replace(/^http/, 'ws');
    const follower = await follow(address, live);
    const end = { isDue: false };
    const writing = write(() => services, live, journal, end);
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(ROUND_MS);
      const [killed] = services.splice(0, 1);
      await killed?.kill();
      services.push(await startService(environment));
    }
    end.isDue = true;
    await writing;
    const { decisions, events } = await stored(database.url);
    expect(decisions).toBeGreaterThanOrEqual(journal.decisions);
    expect(journal.decisions).toBeGreaterThan(100);
    await follower.until((got) => {
      const { decisions: d = [], activity: a = [] } = seqsOf(got);
      return d.at(-1) === decisions && a.at(-1) === events.at(-1);
    });
    expect(follower.cuts).toBeGreaterThanOrEqual(ROUNDS);
    const got = seqsOf(follower.events);
    expect(got.decisions).toEqual(Array.from({ length: decisions }, (_, n) => n + 1));
    expect(got.activity).toEqual(events);
    await follower.stop();
  });
});

/** Writes decisions and events through any running process until the end time. */
async function write(
  services: () => readonly ServiceProcess[],
  key: string,
  journal: Journal,
  end: { isDue: boolean },
): Promise<void> {
  const callers = new Map<string, Caller>();
  const callerOf = (n: number): Caller => {
    const { url = '' } = services()[n % services().length] ?? {};
    const caller = callers.get(url) ?? createCaller(url, key);
    callers.set(url, caller);
    return caller;
  };
  await runWriters(WRITERS, async (writer, n) => {
    await send(callerOf(writer + n), journal, orderOf(`w${writer}`, n)).catch(() => null);
    await callerOf(writer + n)
      .call('POST', '/api/v1/financial-events', event())
      .catch(() => null);
    return !end.isDue;
  });
  for (const caller of callers.values()) caller.close();
}

async function stored(url: string): Promise<{ decisions: number; events: number[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const decisions = await client.query<{ count: number }>(
      'select max(seq)::int as count from decisions',
    );
    const events = await client.query<{ seq: number }>(
      "select seq::int from activity where type = 'financial_event.recorded' order by seq",
    );
    return {
      decisions: decisions.rows[0]?.count ?? 0,
      events: events.rows.map(({ seq }) => seq),
    };
  } finally {
    await client.end();
  }
}
