import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { unprivilegedAccount } from '../../support/postgres-install.js';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

/** The real PgBouncer in front of a database. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<Pooler> {
  const { hostname, port, pathname, username } = new URL(databaseUrl);
  const account = unprivilegedAccount();
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-pooler-'));
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const listen = await freePort();
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    ...account,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await listening(child);
  return {
    url: databaseUrl.replace(`:${port}/`, `:${listen}/`),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listening(child: ChildProcess): Promise<void> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (/process up/.test(log)) resolve();
    });
    child.once('exit', () => reject(new Error(`the pooler did not start:\n${log}`)));
  });
}
