import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SERVER } from '../../support/paths.js';

/** The release after this one: the same program, with one more migration. */
export interface NextRelease {
  /** The commands, as `PROGRAM` of this release. */
  readonly program: string;
  /** Replaces its migration. */
  ship(sql: string): void;
}

/** Installs it below a folder, as a package without sources. */
export function installNext(folder: string): NextRelease {
  const server = join(folder, 'packages', 'server');
  mkdirSync(server, { recursive: true });
  // Compiled code finds the other packages beside its own.
  for (const name of readdirSync(join(ROOT, 'packages')).filter((one) => one !== 'server')) {
    symlinkSync(join(ROOT, 'packages', name), join(folder, 'packages', name));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(SERVER, 'node_modules'), join(server, 'node_modules'));
  for (const name of ['bin', 'dist', 'migrations', 'package.json']) {
    cpSync(join(SERVER, name), join(server, name), { recursive: true });
  }
  return {
    program: join(server, 'bin/decision-ledger.js'),
    ship: (sql) => writeFileSync(join(server, 'migrations/0002_next.sql'), sql),
  };
}
