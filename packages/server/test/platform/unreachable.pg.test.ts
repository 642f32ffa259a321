import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { pooledUrl, startPgBouncer } from '../support/pgbouncer.js';
import { findPgBouncer } from '../support/pgbouncer-install.js';
import { describePostgres } from '../support/postgres.js';
import { unprivilegedAccount } from '../support/postgres-install.js';
import {
  type PostgresServer,
  startPostgres,
  type TestDatabase,
} from '../support/postgres-server.js';
import { postgresEnvironment, runCommand, startCommand } from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';

const SECRET = 'the-password-of-the-test';
const RULES = `local all all trust
host all with_password 127.0.0.1/32 scram-sha-256
hostssl all with_tls 127.0.0.1/32 trust
host all postgres 127.0.0.1/32 trust
`;

describePostgres('Unusable database', () => {
  let server: PostgresServer;
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'decision-ledger-tls-'));
    server = await startPostgres({ settings: certificate(folder) });
    database = await server.createDatabase();
    await withClient({ connectionString: database.url }, (client) =>
      client.query(
        `create role with_password login password '${SECRET}'; create role with_tls login`,
      ),
    );
    writeFileSync(join(server.data, 'pg_hba.conf'), RULES);
    await withClient({ connectionString: database.url }, (client) =>
      client.query('select pg_reload_conf()'),
    );
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const address = (change: Readonly<Partial<Record<'user' | 'name' | 'more', string>>>) => {
    const { user = 'postgres', name = database.name, more = '' } = change;
    return `postgres://${user}:${SECRET}x@127.0.0.1:${server.handle.port}/${name}${more}`;
  };

  const VERIFY = ['verify', '--json'];

  /** Every command opens the database in the same way: one stands for all. */
  async function expectRefusal(url: string, sentence: RegExp, commands = [VERIFY]): Promise<void> {
    for (const command of commands) {
      const { code, stdout, stderr } = await runCommand(command, postgresEnvironment(url));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toContain(SECRET);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  }

  it('A database whose host is unknown is named', async () => {
    await expectRefusal(
      `postgres://user:${SECRET}@nowhere.invalid:5432/ledger`,
      /DATABASE_URL: the PostgreSQL at nowhere\.invalid:5432 cannot be found: .*correct it/,
    );
  });

  it('A database whose socket is missing is named while it is awaited', async () => {
    const url = `postgres://user:${SECRET}@/ledger?host=${encodeURIComponent(folder)}`;
    const command = startCommand(['verify'], postgresEnvironment(url));
    await expect.poll(() => command.stderr()).toMatch(/\n/);
    command.kill();
    await command.ended;
    const stderr = command.stderr();
    const lines = stderr.trim().split('\n');
    for (const line of lines) {
      expect(line).toMatch(
        /DATABASE_URL: the PostgreSQL at .*decision-ledger-tls-.* cannot be reached, there is no such socket/,
      );
    }
    expect(lines[0]).toMatch(/waited 0 s so far$/);
    expect(stderr).not.toContain(SECRET);
  });

  it('A refused password is reported as such', async () => {
    await expectRefusal(
      address({ user: 'with_password' }),
      /127\.0\.0\.1:\d+ refuses the password of the login with_password: correct/,
      [['serve'], VERIFY],
    );
  });

  it('A missing database is reported as such', async () => {
    await expectRefusal(
      address({ name: 'absent' }),
      /has no database absent: create it \(createdb absent\)/,
    );
  });

  it('An unknown login is reported as such', async () => {
    await expectRefusal(
      address({ user: 'nobody_known' }),
      /refuses the login nobody_known.*pg_hba/,
    );
  });

  it('A server that accepts only TLS is reported as such', async () => {
    await expectRefusal(
      address({ user: 'with_tls' }),
      /refuses the login with_tls.*sslmode=require/,
    );
  });

  it('An untrusted certificate is reported as such', async () => {
    await expectRefusal(
      address({ more: '?sslmode=verify-full' }),
      /has a certificate that is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*sslrootcert/,
    );
  });

  it('A server without TLS is reported as such', async () => {
    const plain = await startPostgres();
    try {
      await expectRefusal(`${plain.url}?sslmode=verify-full`, /offers no TLS: switch it on/);
    } finally {
      await plain.stop();
    }
  });

  it('A server that is not PostgreSQL is reported as such', async () => {
    // It reads what arrives: a reset would be that of a server which is stopping.
    const other = createServer((socket) => socket.resume().end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const bound = other.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    await expectRefusal(
      `postgres://user:${SECRET}@127.0.0.1:${port}/ledger`,
      /closes the connection immediately: check that it is a PostgreSQL server/,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  it('An address that cannot be parsed is reported as such', async () => {
    await expectRefusal(
      `postgres://user:${SECRET}@127.0.0.1:5432x/ledger`,
      /DATABASE_URL is not a valid address: .*percent-encoded/,
    );
  });

  it('A failing owner address is reported by its variable', async () => {
    const port = await freePort();
    const environment = {
      ...postgresEnvironment(database.url),
      LEDGER_DATABASE_OWNER_URL: `postgres://owner:${SECRET}@127.0.0.1:${port}/ledger`,
    };
    const { code, stderr } = await runCommand(['migrate'], environment);
    expect(code).toBe(2);
    expect(stderr).toMatch(/LEDGER_DATABASE_OWNER_URL: the PostgreSQL at .* cannot be reached/);
    expect(stderr).not.toContain(SECRET);
  });

  it.skipIf('reason' in findPgBouncer())(
    'A pooler that takes no transactions is refused',
    async () => {
      const pooler = await startPgBouncer(server.handle.port, { pool_mode: 'statement' });
      try {
        await expectRefusal(
          pooledUrl(database.url, pooler),
          /the pooler at 127\.0\.0\.1:\d+ takes no transactions .*pool_mode = transaction/,
        );
      } finally {
        await pooler.stop();
      }
    },
  );

  it.skipIf('reason' in findPgBouncer())('A pooler that keeps sessions is accepted', async () => {
    const pooler = await startPgBouncer(server.handle.port, { pool_mode: 'session' });
    try {
      const environment = postgresEnvironment(pooledUrl(database.url, pooler));
      const { code, stderr } = await runCommand(['migrate'], environment);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    } finally {
      await pooler.stop();
    }
  });
});

/** Settings of a server with TLS and a self-signed certificate. */
function certificate(folder: string): Record<string, string> {
  const files = { ssl_cert_file: join(folder, 'cert.pem'), ssl_key_file: join(folder, 'key.pem') };
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
      ...['-out', files.ssl_cert_file, '-keyout', files.ssl_key_file],
    ],
    { stdio: 'pipe' },
  );
  const account = unprivilegedAccount();
  if (account !== undefined) {
    for (const file of [folder, ...Object.values(files)]) chownSync(file, account.uid, account.gid);
  }
  return { ssl: 'on', ...files };
}
