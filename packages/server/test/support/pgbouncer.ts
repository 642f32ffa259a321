import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { unprivilegedAccount } from './postgres-install.js';

export interface Pooler {
  readonly port: number;
  stop(): Promise<void>;
}

/** Settings of PgBouncer, such as `pool_mode`. */
type Settings = Readonly<Record<string, string>>;

/** The real PgBouncer in front of all databases of a server, which logs in as their superuser. */
export async function startPgBouncer(serverPort: number, settings: Settings): Promise<Pooler> {
  const account = unprivilegedAccount();
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-pooler-'));
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const port = await freePort();
  const all: Settings = {
    ...{ listen_addr: '127.0.0.1', listen_port: String(port), unix_socket_dir: '' },
    ...{ auth_type: 'any', max_client_conn: '1000', ...settings },
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const database = `* = host=127.0.0.1 port=${serverPort} user=postgres`;
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'));
  const child = spawn('pgbouncer', [file], { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  await listening(child);
  return {
    port,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The address of a database through the pooler. */
export function pooledUrl(url: string, { port }: Pick<Pooler, 'port'>): string {
  const pooled = new URL(url);
  pooled.port = String(port);
  return pooled.href;
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
