import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { Journal, orderOf, runWriters, send } from '../support/load.js';
import { createDatabase, describeWith } from '../support/postgres.js';
import { findPostgres } from '../support/postgres-install.js';
import {
  createOrganisation,
  type Environment,
  type Keys,
  postgresEnvironment,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { until } from '../support/webhooks.js';
import { expectServed } from './support/kept.js';
import { append, restoredSuite } from './support/restored-suite.js';

/** Runs a client program of PostgreSQL, while this process goes on. */
async function runTool(name: string, args: readonly string[]): Promise<void> {
  const found = findPostgres();
  if ('reason' in found) throw new Error(found.reason);
  await promisify(execFile)(join(found.binaries, name), args);
}

type Database = Awaited<ReturnType<typeof createDatabase>>;

describeWith('pg_dump', 'A backup of PostgreSQL by its own tools', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-dump-'));
  const dump = join(folder, 'ledger.dump');
  let source: Database | null = null;
  let copy: Database | null = null;
  let service: ServiceProcess | null = null;
  let keys: Keys;
  const environmentOf = (database: Database | null, name: string): Environment => ({
    ...postgresEnvironment(database?.url ?? ''),
    LEDGER_DATA_DIR: join(folder, name),
  });

  /** As docs/operations.md says. */
  const dumpTo = (file: string) =>
    runTool('pg_dump', ['--format=custom', '--no-owner', `--file=${file}`, source?.url ?? '']);
  const restoreFrom = (file: string, target: Database | null) =>
    runTool('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${target?.url}`, file]);

  beforeAll(async () => {
    [source, copy] = await Promise.all([createDatabase(), createDatabase()]);
    const environment = environmentOf(source, 'source');
    keys = await createOrganisation(environment, 'acme');
    service = await startService(environment);
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([source?.drop(), copy?.drop()]);
    rmSync(folder, { recursive: true });
  });

  it('It is made while decisions are acknowledged, and restores to all that were before', async () => {
    const caller = createCaller(service?.url ?? '', keys.test);
    const journal = new Journal();
    let isOver = false;
    const load = runWriters(4, async (writer, n) => {
      const { kind } = await send(caller, journal, orderOf(`load-${writer}`, n));
      if (kind === 'unanswered') throw new Error('the service did not answer');
      if (kind === 'refused') await sleep(100);
      return !isOver;
    });
    await until('there is some load', () => journal.decisions > 200);
    const before = [...journal.acknowledged.values()].flat();
    await dumpTo(dump);
    const during = journal.decisions - before.length;
    isOver = true;
    await load;
    caller.close();
    expect(during).toBeGreaterThan(0);
    await restoreFrom(dump, copy);
    const environment = environmentOf(copy, 'copy');
    const { code, stdout } = await runCommand(['verify', '--json'], environment);
    expect({ code, report: JSON.parse(stdout) }).toMatchObject({
      ...{ code: 0, report: { is_valid: true } },
    });
    await expectServed(environment, keys, before);
  });

  describe('An older one', () =>
    restoredSuite(async () => {
      const caller = createCaller(service?.url ?? '', keys.test);
      const older = join(folder, 'older.dump');
      const kept = await append(caller);
      await dumpTo(older);
      await append(caller);
      const lost = await append(caller);
      caller.close();
      await copy?.drop();
      copy = await createDatabase();
      await restoreFrom(older, copy);
      return { environment: environmentOf(copy, 'older'), keys, kept, lost };
    }));
});
