import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller, liftRateLimits } from '../support/caller.js';
import { expectKept } from '../support/expect-kept.js';
import { Journal, orderOf, send, writeTogether } from '../support/load.js';
import { createDatabase, describePostgres } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres-server.js';
import {
  createOrganisation,
  type Environment,
  postgresEnvironment,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';

const PROCESSES = 4;

describePostgres('Concurrent writers on PostgreSQL', () => {
  const journal = new Journal();
  const services: ServiceProcess[] = [];
  const callers: Caller[] = [];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
    const environment: Environment = postgresEnvironment(database.url);
    const { live } = await createOrganisation(environment, 'acme');
    for (let n = 0; n < PROCESSES; n += 1) {
      const service = await startService(environment);
      services.push(service);
      callers.push(createCaller(service.url, live));
      // The processes after the first start with the limits lifted.
      if (n === 0) await liftRateLimits(theFirst());
    }
  });
  afterAll(async () => {
    for (const caller of callers) caller.close();
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
  });

  function theFirst(): Caller {
    const [first] = callers;
    if (first === undefined) throw new Error('no process was started');
    return first;
  }

  async function expectAllKept(): Promise<void> {
    const chain = await expectKept({ connectionString: database.url }, theFirst(), journal);
    expect(chain.decisions).toHaveLength(journal.decisions);
  }

  it('64 concurrent writers of one process make one unbroken chain of exactly the acknowledged decisions', async () => {
    await writeTogether([theFirst()], journal, { name: 'one', writers: 64, orders: 12 });
    await expectAllKept();
  });

  it('16 concurrent writers on each of four processes make one unbroken chain of exactly the acknowledged decisions', async () => {
    await writeTogether(callers, journal, { name: 'four', writers: 16, orders: 12 });
    await expectAllKept();
  });

  it('One Idempotency-Key sent to four processes concurrently records one order', async () => {
    const before = journal.decisions;
    const order = { ...orderOf('the-same', 3), key: 'the same everywhere' };
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => callers)
        .flat()
        .map((caller) => send(caller, journal, order)),
    );
    const first = outcomes.filter((one) => one.kind === 'acknowledged' && !one.replayed);
    expect(first).toHaveLength(1);
    expect(outcomes.every(({ kind }) => kind === 'acknowledged')).toBe(true);
    expect(journal.decisions).toBe(before + order.size);
    await expectAllKept();
  });
});
