import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { append } from '../operations/support/restored-suite.js';
import { createCaller } from '../support/caller.js';
import { ROOT } from '../support/paths.js';
import { describePostgres } from '../support/postgres.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import {
  createOrganisation,
  type Environment,
  type Keys,
  postgresEnvironment,
  runCommand,
  startService,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';

/** The names that the service chooses by itself. */
const UNNAMED = { LEDGER_DATABASE_ROLE: '', LEDGER_DATABASE_SCHEMA: '' };

describePostgres('Logins of a shared server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const urlOf = (user: string, database: string) =>
    `postgres://${user}@127.0.0.1:${server.handle.port}/${database}`;
  const ask = async (database: string, text: string) =>
    withClient({ connectionString: urlOf('postgres', database) }, async (client) => {
      // Each by itself: CREATE DATABASE works in no transaction.
      for (const one of text.split(';').filter((part) => part.trim() !== '')) {
        await client.query(one);
      }
    });
  const environmentOf = (user: string, database: string, more: Environment = {}): Environment => ({
    ...postgresEnvironment(urlOf(user, database)),
    ...UNNAMED,
    ...more,
  });
  /** The part of the message that says what to do. */
  const refusalOf = async (environment: Environment) => {
    const { code, stderr } = await runCommand(['migrate'], environment);
    expect({ code, trace: /^\s+at /m.test(stderr) }, stderr).toEqual({ code: 2, trace: false });
    return stderr.replaceAll(/\s+/g, ' ');
  };

  it('Two installations whose owners may create roles need no settings, and cannot read one another', async () => {
    const kept = new Map<string, { environment: Environment; keys: Keys }>();
    for (const name of ['staging', 'production']) {
      await ask(
        'postgres',
        `create role ${name}_owner login createrole; create database ${name} owner ${name}_owner;
        alter role ${name}_owner set search_path = elsewhere; alter database ${name} set search_path = nowhere`,
      );
      const environment = environmentOf(`${name}_owner`, name);
      const { stdout } = await runCommand(['migrate', '--json'], environment);
      expect(JSON.parse(stdout)).toEqual({
        ...{ schema_version: 1, schema: 'public', role: `ledger_app_${name}` },
      });
      kept.set(name, { environment, keys: await createOrganisation(environment, name) });
    }
    for (const [name, { environment, keys }] of kept) {
      const service = await startService(environment);
      const caller = createCaller(service.url, keys.live);
      const { decision_id } = await append(caller);
      const { body } = await caller.call('GET', `/api/v1/decisions/${decision_id}`);
      expect(body).toMatchObject({ data: { decision_id } });
      caller.close();
      await service.stop();
      const { stdout } = await runCommand(['doctor'], environment);
      expect(stdout).toContain(`the login ${name}_owner acts as ledger_app_${name}`);
    }
    for (const [name, other] of [
      ['staging', 'production'],
      ['production', 'staging'],
    ]) {
      await withClient({ connectionString: urlOf('postgres', name ?? '') }, async (client) => {
        await client.query(`set search_path = public; set role ledger_app_${other}`);
        await expect(client.query('select from decisions')).rejects.toMatchObject({
          code: '42501',
        });
      });
    }
  });

  it('A login that may create no roles works with those that the documentation says how to make', async () => {
    const [whole = '', inSchema = ''] = sqlOf('docs/operations.md');
    await ask('postgres', whole);
    const owner = (database: string) => ({
      LEDGER_DATABASE_OWNER_URL: urlOf('ledger_owner', database),
    });
    await expectServing(environmentOf('ledger', 'ledger', owner('ledger')));
    await ask('postgres', 'create database shop');
    await ask('shop', inSchema);
    const schema = { LEDGER_DATABASE_SCHEMA: 'ledger' };
    await expectServing(environmentOf('ledger', 'shop', { ...owner('shop'), ...schema }));
  });

  it('A missing role that the login may not create is named, with both remedies', async () => {
    await ask('postgres', 'create role plain login; create database plain owner plain');
    expect(await refusalOf(environmentOf('plain', 'plain'))).toMatch(
      /the role ledger_app_plain does not exist, and the login plain may not create roles: set LEDGER_DATABASE_OWNER_URL to a login that may, or let an administrator run `create role "ledger_app_plain" nologin; grant "ledger_app_plain" to "plain"`/,
    );
  });

  it('A role of another installation is named, with both remedies, and the doctor says so', async () => {
    await ask(
      'postgres',
      'create role taken; create role late login; create database late owner late',
    );
    const environment = environmentOf('late', 'late', { LEDGER_DATABASE_ROLE: 'taken' });
    expect(await refusalOf(environment)).toMatch(
      /the role taken exists on this server already, .*the login late may not act as it, and late may not grant it\. Set LEDGER_DATABASE_ROLE to a name of this installation's own, or let .* run `grant "taken" to "late"`/,
    );
    const { code, stdout } = await runCommand(['doctor'], environment);
    expect(code).toBe(1);
    expect(stdout).toMatch(/the login late cannot act as the role taken \(permission denied/);
  });

  it('A copy under another name says which role its tables may be used by', async () => {
    await ask('postgres', 'create database copied template production');
    const environment = environmentOf('production_owner', 'copied');
    await ask('postgres', 'alter database copied owner to production_owner');
    expect(await refusalOf(environment)).toMatch(
      /set LEDGER_DATABASE_ROLE=ledger_app_production $/,
    );
    await expectServing({ ...environment, LEDGER_DATABASE_ROLE: 'ledger_app_production' });
  });

  it.for([
    ['LEDGER_DATABASE_ROLE', 'pg_app'],
    ['LEDGER_DATABASE_ROLE', 'none'],
    ['LEDGER_DATABASE_ROLE', 'ä'.repeat(32)],
    ['LEDGER_DATABASE_ROLE', 'plain'],
    ['LEDGER_DATABASE_SCHEMA', 'pg_ledger'],
    ['LEDGER_DATABASE_SCHEMA', 'Ledger'],
    ['LEDGER_DATABASE_SCHEMA', 'a'.repeat(59)],
  ])('%s=%s is refused', async ([name = '', value = '']) => {
    expect(await refusalOf(environmentOf('plain', 'plain', { [name]: value }))).toContain(name);
  });

  it('A login with three connections serves many requests at once', async () => {
    await ask(
      'postgres',
      'create role few login createrole connection limit 3; create database few owner few',
    );
    const environment = environmentOf('few', 'few');
    const { live } = await createOrganisation(environment, 'few');
    const service = await startService(environment);
    const callers = Array.from({ length: 30 }, () => createCaller(service.url, live));
    const made = await Promise.all(callers.map((caller) => append(caller)));
    expect(new Set(made.map(({ decision_id }) => decision_id)).size).toBe(callers.length);
    for (const caller of callers) caller.close();
    await service.stop();
    const { stdout } = await runCommand(['verify', '--json'], environment);
    expect(JSON.parse(stdout)).toMatchObject({ is_valid: true });
  });

  async function expectServing(environment: Environment): Promise<void> {
    const { live } = await createOrganisation(environment, 'someone');
    const service = await startService(environment);
    const caller = createCaller(service.url, live);
    await append(caller);
    caller.close();
    await service.stop();
    const { code, stdout } = await runCommand(['verify', '--json'], environment);
    expect({ code, report: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      report: { is_valid: true },
    });
  }
});

/** The blocks of SQL of a page. */
function sqlOf(page: string): string[] {
  const text = readFileSync(resolve(ROOT, page), 'utf8');
  return [...text.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql = '']) => sql);
}
