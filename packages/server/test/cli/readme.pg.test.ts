import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, describePostgres } from '../support/postgres.js';
import { postgresEnvironment, startService } from '../support/service-process.js';
import { blocksOf, openClone } from './support/readme.js';

const PLACEHOLDER = 'postgres://user:password@127.0.0.1:5432/ledger';

describePostgres('PostgreSQL commands of README.md', () => {
  const clone = openClone();
  let database: Awaited<ReturnType<typeof createDatabase>>;
  /** A database keeps the master key of its first service, and the script creates another key. */
  let other: Awaited<ReturnType<typeof createDatabase>>;
  beforeAll(async () => {
    [database, other] = await Promise.all([createDatabase(), createDatabase()]);
  });
  afterAll(async () => {
    clone.remove();
    await Promise.all([database.drop(), other.drop()]);
  });

  it('The commands create an organisation and serve, and the hint to create one appears only without any', async () => {
    const hint = 'Create an organisation and its keys';
    const environment = postgresEnvironment(other.url);
    const empty = await startService(environment);
    await expect.poll(() => empty.output()).toContain(hint);
    await empty.stop();
    const [script = ''] = blocksOf('## Run it on PostgreSQL');
    expect(script).toContain(PLACEHOLDER);
    const served = await clone.start(script.replace(PLACEHOLDER, database.url));
    expect(served.output()).toMatch(/^Organisation acme \(org_/m);
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
    await served.stop();
    expect(served.output()).not.toContain(hint);
  });
});
