import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepsSessions } from '#server/platform/sessions';
import { type Client, decision } from '../support/client.js';
import { askFor, readExport } from '../support/exports.js';
import { event, recordLink } from '../support/money.js';
import { type Pooler, pooledUrl, startPgBouncer } from '../support/pgbouncer.js';
import { createDatabase, describePooled, directUrl } from '../support/postgres.js';
import { type Instance, openTestService, type TestService } from '../support/service.js';
import { type Environment, postgresEnvironment, runCommand } from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';
import { connect, listen } from '../support/stream.js';
import { until } from '../support/webhooks.js';

const portOf = (url: string) => Number(new URL(url).port);
const WRITERS = 40;

describePooled('Poolers', () => {
  it.each([
    [true, { pool_mode: 'session' }],
    [false, { pool_mode: 'transaction' }],
    [false, { pool_mode: 'transaction', server_round_robin: '1' }],
    [false, { pool_mode: 'transaction', default_pool_size: '1' }],
    [false, { pool_mode: 'statement' }],
  ])('Whether sessions are kept is %s behind PgBouncer with %o', async (expected, settings) => {
    const database = await createDatabase();
    const pooler = await startPgBouncer(portOf(database.url), settings);
    const connectionString = pooledUrl(database.url, pooler);
    expect(await keepsSessions({ connectionString }, 'DATABASE_URL')).toBe(expected);
    await pooler.stop();
    await database.drop();
  });
});

describePooled('A service behind a pooler in transaction mode', () => {
  let bed: TestService;
  let direct: string;
  let pooler: Pooler;
  let usual: Client;
  /** With and without an address of the server itself. */
  let instances: Readonly<Record<'both' | 'alone', Instance>>;
  let clients: Readonly<Record<'both' | 'alone', Client>>;

  beforeAll(async () => {
    bed = await openTestService('postgres');
    direct = directUrl(bed.environment);
    pooler = await startPgBouncer(portOf(direct), { pool_mode: 'transaction' });
    const pooled = { DATABASE_URL: pooledUrl(direct, pooler) };
    instances = {
      both: await bed.another({
        isWorker: true,
        settings: { ...pooled, DATABASE_DIRECT_URL: direct },
      }),
      alone: await bed.another({
        isWorker: true,
        settings: { ...pooled, DATABASE_DIRECT_URL: '' },
      }),
    };
    usual = (await bed.organisation()).live;
    const { both, alone } = instances;
    clients = { both: both.client(usual.key), alone: alone.client(usual.key) };
  });
  afterAll(async () => {
    await bed?.close();
    await pooler?.stop();
  });

  it('Concurrent writers share its connections', async () => {
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, (_, n) => {
        const client = n % 2 === 0 ? clients.both : clients.alone;
        const inputs = { order: `A-${n}` };
        return [
          client.post('/decisions', decision({ inputs })),
          client.post('/decisions/batch', { decisions: [decision({ inputs }), decision()] }),
          client.post('/financial-events', event({ amount: `${n}.05`, metadata: inputs })),
        ];
      }).flat(),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    await recordLink(clients.alone);
  });

  it.each([
    ...['/decisions', '/financial-events', '/activity', '/analytics/ai-pnl', '/analytics/agents'],
    ...['/analytics/timeline', '/links', '/settings', '/keys', '/search?q=A-7'],
    ...['/decisions/chain/verify', '/activity/chain/verify'],
  ])('GET %s answers as on connections that keep their sessions', async (path) => {
    // Estimates may still be on their way.
    const differing = async () => {
      const wanted = dataIn(await usual.get(path));
      const found = await Promise.all(Object.values(clients).map((client) => client.get(path)));
      return found.map(dataIn).filter((data) => data !== wanted);
    };
    await expect.poll(differing).toEqual([]);
  });

  it('Background work is done', async () => {
    const { export_id } = await askFor(clients.alone);
    const isDone = async () => (await readExport(usual, export_id)).status === 'complete';
    await until('the export is made', isDone);
  });

  it.each(['both', 'alone'] as const)(
    'The stream of a process with the addresses "%s" has the decisions of another process',
    async (which) => {
      const listener = await connect(await listen(instances[which].http), { key: usual.key });
      const { text } = await usual.post('/decisions', decision());
      await listener.until(({ texts }) => texts.some((frame) => frame.includes(idIn(text))));
      await listener.close();
    },
  );

  it('Every statement has the role, the limits and the isolation of the service', async () => {
    const shown = sql`
      select current_user as role, current_setting('statement_timeout') as "statementTimeout",
        current_setting('transaction_isolation') as isolation, current_setting('timezone') as zone,
        current_setting('synchronous_commit') as durable`;
    const expected = {
      ...{
        role: 'ledger_app',
        statementTimeout: '1min',
        isolation: 'read committed',
        zone: 'UTC',
      },
      durable: 'on',
    };
    const { db } = instances.alone.service;
    const seen = await Promise.all(Array.from({ length: 20 }, () => db.query(shown)));
    expect(seen).toEqual(Array.from({ length: 20 }, () => [expected]));
    expect(await db.transaction((tx) => tx.query(shown))).toEqual([expected]);
  });

  it('Nothing of the service stays on the connections of others', async () => {
    await withClient({ connectionString: pooledUrl(direct, pooler) }, async (other) => {
      for (let n = 0; n < 20; n += 1) {
        const { rows } = await other.query(
          'select current_user as role, current_setting($1) as lock',
          ['lock_timeout'],
        );
        expect(rows).toEqual([{ role: 'postgres', lock: '0' }]);
      }
    });
  });

  it('A failed statement is rolled back, and the next one is not affected', async () => {
    const { db } = instances.alone.service;
    await expect(db.query(sql`select 1 / ${0}::int`)).rejects.toThrow(/division by zero/);
    await expect(
      db.transaction(async (tx) => {
        await tx.query(sql`select 1 / ${0}::int`);
      }),
    ).rejects.toThrow(/division by zero/);
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
});

describePooled('Commands behind a pooler in transaction mode', () => {
  const opened = async () => {
    const database = await createDatabase();
    const pooler = await startPgBouncer(portOf(database.url), { pool_mode: 'transaction' });
    const environment = postgresEnvironment(pooledUrl(database.url, pooler));
    const close = async () => {
      await pooler.stop();
      await database.drop();
    };
    return { database, environment, close };
  };
  const refusalOf = async (command: string[], environment: Environment) => {
    const { code, stderr } = await runCommand(command, environment);
    expect({ code, trace: /^\s+at /m.test(stderr) }, stderr).toEqual({ code: 2, trace: false });
    return stderr.replaceAll(/\s+/g, ' ');
  };

  it('What needs a session is refused without DATABASE_DIRECT_URL, and works with it', async () => {
    const { database, environment, close } = await opened();
    const whole = { ...environment, DATABASE_DIRECT_URL: database.url };
    const needsSession =
      /LEDGER_DATABASE_OWNER_URL: the pooler at .* persistent sessions: .* DATABASE_DIRECT_URL/;
    expect(await refusalOf(['migrate'], environment)).toMatch(needsSession);
    expect((await runCommand(['migrate'], whole)).code).toBe(0);
    expect((await runCommand(['org', 'create', 'acme'], environment)).code).toBe(0);
    expect(await refusalOf(['purge'], environment)).toMatch(needsSession);
    expect((await runCommand(['purge'], whole)).code).toBe(0);
    expect(await refusalOf(['rebuild'], environment)).toMatch(needsSession);
    const rotation = {
      LEDGER_MASTER_KEY: Buffer.alloc(32, 'another key').toString('base64'),
      LEDGER_MASTER_KEY_PREVIOUS: environment.LEDGER_MASTER_KEY ?? '',
    };
    const rotate = ['master-key', 'rotate'];
    expect(await refusalOf(rotate, { ...environment, ...rotation })).toMatch(
      /processes that lack the new key cannot be seen: set DATABASE_DIRECT_URL/,
    );
    expect((await runCommand(rotate, { ...whole, ...rotation })).code).toBe(0);
    await close();
  });

  it('The doctor says what the pooler means', async () => {
    const { database, environment, close } = await opened();
    const whole = { ...environment, DATABASE_DIRECT_URL: database.url };
    await runCommand(['migrate'], whole);
    expect((await runCommand(['doctor'], environment)).stdout).toMatch(
      /pooler.*Set DATABASE_DIRECT_URL to an address of the server itself/s,
    );
    expect((await runCommand(['doctor'], whole)).stdout).toContain(
      'DATABASE_DIRECT_URL leads past it',
    );
    await close();
  });

  it('Two addresses of different databases are refused', async () => {
    const { environment, close } = await opened();
    const other = await createDatabase();
    const wrong = { ...environment, DATABASE_DIRECT_URL: other.url };
    expect(await refusalOf(['migrate'], wrong)).toMatch(/name different databases/);
    await other.drop();
    await close();
  });
});

/** Without what differs from request to request. */
function dataIn({ status, text }: { readonly status: number; readonly text: string }): string {
  const parsed: { readonly data?: unknown } = JSON.parse(text);
  return JSON.stringify([status, parsed.data]);
}

function idIn(text: string): string {
  return /dec_[0-9A-Za-z]+/.exec(text)?.[0] ?? 'none';
}
