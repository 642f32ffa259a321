import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOrganisation } from '#server/domains/access/organisations/index';
import { type Client, decision } from '../support/client.js';
import { decideFull, erase } from '../support/erasures.js';
import { askFor, bundleOf, CONSISTENT, check, readExport, verdictsOf } from '../support/exports.js';
import { recordLink } from '../support/money.js';
import { describePostgres, directUrl, hasProgram } from '../support/postgres.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { type Instance, openTestService, scopeOf, type TestService } from '../support/service.js';
import { type Environment, runCommand } from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';
import { until } from '../support/webhooks.js';

const inSchema = (schema: string) => ({ LEDGER_DATABASE_SCHEMA: schema, LEDGER_DATABASE_ROLE: '' });

describePostgres('Two installations in schemas of one database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-second-'));
  const names = ['first', 'second'] as const;
  let bed: TestService;
  let client: { readonly first: Client; readonly second: Client };
  let instances: { readonly first: Instance; readonly second: Instance };

  beforeAll(async () => {
    bed = await openTestService('postgres', { isWorker: true, settings: inSchema('first') });
    const second = await bed.another({
      isWorker: true,
      settings: { ...inSchema('second'), LEDGER_DATA_DIR: folder },
    });
    const made = await createOrganisation(second.service, second.service.db, 'second');
    instances = { first: bed, second };
    client = { first: (await bed.organisation()).live, second: second.client(made.live) };
  });
  afterAll(async () => {
    await bed.close();
    rmSync(folder, { recursive: true });
  });

  it('Each records, and its worker makes its exports', async () => {
    await Promise.all(
      names.map(async (name) => {
        await recordLink(client[name]);
        const { export_id } = await askFor(client[name]);
        const isDone = async () =>
          (await readExport(client[name], export_id)).status === 'complete';
        await until('the export is made', isDone);
      }),
    );
    for (const name of names) {
      const { text } = await client[name].get('/decisions');
      expect(JSON.parse(text)).toMatchObject({ data: { decisions: [{ seq: 1 }] } });
    }
  });

  it('A notification of one wakes no process of the other', async () => {
    const heard = { first_news: new Set<string>(), second_news: new Set<string>() };
    const listener = new pg.Client(directUrl(bed.environment));
    await listener.connect();
    listener.on('notification', ({ channel, payload = '' }) => {
      if (channel === 'first_news' || channel === 'second_news') heard[channel].add(payload);
    });
    await listener.query('listen first_news; listen second_news');
    const [first, second] = await Promise.all(
      names.map(async (name) => (await scopeOf(instances[name], client[name])).ledgerId),
    );
    for (const name of names) await client[name].post('/decisions', decision());
    await until('both are heard', () =>
      [heard.first_news.has(first ?? ''), heard.second_news.has(second ?? '')].every(Boolean),
    );
    await listener.end();
    expect([heard.first_news.has(second ?? ''), heard.second_news.has(first ?? '')]).toEqual([
      ...[false, false],
    ]);
  });

  it('The role of one cannot read the tables and jobs of the other', async () => {
    await withClient({ connectionString: directUrl(bed.environment) }, async (reader) => {
      for (const name of names) {
        await reader.query(
          `set role ${pg.escapeIdentifier(`ledger_app_${reader.database}.${name}`)}`,
        );
        await reader.query(`select from ${name}.decisions, ${name}_jobs.job`);
        for (const other of names.filter((one) => one !== name)) {
          for (const table of [`${other}.decisions`, `${other}_jobs.job`]) {
            const answer = reader.query(`select from ${table}`);
            await expect(answer, table).rejects.toMatchObject({ code: '42501' });
          }
        }
      }
    });
  });
});

describePostgres('A schema of its own', () => {
  let server: PostgresServer;
  let bed: TestService;
  let environment: Environment;
  let client: Client;
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-schema-'));

  beforeAll(async () => {
    server = await startPostgres();
    bed = await openTestService('postgres', { server, settings: inSchema('ledger') });
    environment = { ...bed.environment, ...inSchema('ledger') };
    client = (await bed.organisation()).live;
    await recordLink(client);
    await erase(client, await decideFull(client), 'inputs');
  });
  afterAll(async () => {
    await bed.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const tool = (name: string, ...args: string[]) =>
    promisify(execFile)(join(server.handle.binaries, name), args);

  it('Nothing is made elsewhere', async () => {
    await withClient({ connectionString: bed.environment.DATABASE_URL }, async (reader) => {
      const { rows } = await reader.query(`
        select n.nspname as name from pg_namespace n where exists (
          select from pg_class where relnamespace = n.oid union all select from pg_proc where pronamespace = n.oid)
        and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`);
      expect(rows).toEqual([{ name: 'ledger' }, { name: 'ledger_jobs' }]);
    });
  });

  it('A bundle of it verifies', async () => {
    const bundle = await bundleOf(bed, client);
    expect(verdictsOf(await check(bundle))).toMatchObject(CONSISTENT);
  });

  it.for([['verify'], ['rebuild'], ['doctor'], ['purge']])(
    'A schema of its own serves: %s',
    async ([command = '']) => {
      const { code, stdout, stderr } = await runCommand([command, '--json'], environment);
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    },
  );

  it.skipIf(!hasProgram('pg_dump'))(
    'A dump of it restores into another database, and is valid there',
    async () => {
      const { url, name } = await server.createDatabase();
      const file = join(folder, 'ledger.dump');
      const source = bed.environment.DATABASE_URL ?? '';
      await tool('pg_dump', '--format=custom', '--no-owner', `--file=${file}`, source);
      await tool('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${url}`, file);
      const role = `ledger_app_${new URL(source).pathname.slice(1)}.ledger`;
      const copied = { ...environment, DATABASE_URL: url, LEDGER_DATA_DIR: join(folder, 'copy') };
      const refused = await runCommand(['verify'], copied);
      expect([refused.code, refused.stderr.includes(role)], refused.stderr).toEqual([2, true]);
      const { code, stdout } = await runCommand(['verify', '--json'], {
        ...copied,
        LEDGER_DATABASE_ROLE: role,
      });
      expect({ code, report: JSON.parse(stdout) }, name).toMatchObject({
        ...{ code: 0, report: { is_valid: true } },
      });
    },
  );

  it.skipIf(!hasProgram('pg_dump'))(
    'The copy for another installation is restored with the role of that one, as the documentation says',
    async () => {
      const { url, name } = await server.createDatabase();
      const source = bed.environment.DATABASE_URL ?? '';
      const own = `ledger_app_${new URL(source).pathname.slice(1)}.ledger`;
      const sql = join(folder, 'ledger.sql');
      await tool('pg_dump', '--no-owner', `--file=${sql}`, source);
      await promisify(execFile)('sed', ['-i', `s/${own}/ledger_app_${name}.ledger/`, sql]);
      await withClient({ connectionString: url }, (admin) =>
        admin.query(`create role "ledger_app_${name}.ledger" nologin`),
      );
      await tool('psql', '--set=ON_ERROR_STOP=1', `--file=${sql}`, url);
      const { code, stdout } = await runCommand(['verify', '--json'], {
        ...{ ...environment, DATABASE_URL: url, LEDGER_DATA_DIR: join(folder, 'other') },
      });
      expect({ code, report: JSON.parse(stdout) }).toMatchObject({
        ...{ code: 0, report: { is_valid: true } },
      });
    },
  );
});
