import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { unprivilegedAccount } from './postgres-install.js';
import { PostgresServer } from './postgres-server.js';

/**
 * A server that follows another one of the tests by streaming replication. It is in the folder of that one, and goes with it.
 * @param settings such as `max_standby_streaming_delay`
 */
export async function startStandby(
  primary: PostgresServer,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const { handle } = primary;
  const folder = join(handle.folder, `standby-${randomBytes(4).toString('hex')}`);
  const standby = new PostgresServer({
    ...handle,
    folder,
    port: await freePort(),
    settings: { ...handle.settings, hot_standby: 'on', ...settings },
  });
  const account = unprivilegedAccount();
  execFileSync('mkdir', [folder], { ...account });
  execFileSync(
    join(handle.binaries, 'pg_basebackup'),
    ['-d', primary.url, '-D', standby.data, '-R', '-X', 'stream', '-c', 'fast'],
    { ...account, cwd: folder, env: { PATH: process.env.PATH }, stdio: 'pipe' },
  );
  await standby.start();
  return standby;
}

/** The address of a database on the standby of its server. */
export function standbyUrl(url: string, standby: PostgresServer): string {
  const changed = new URL(url);
  changed.port = String(standby.handle.port);
  return changed.href;
}
