// @ts-check
// JavaScript, because the test command looks for programs without a compiler.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * The server programs of an installation of PostgreSQL with Citus: `bin` in the folder that LEDGER_TEST_CITUS names. One that
 * is named and cannot be used is an error; without one, there is the reason.
 * @returns {{ binaries: string, version: string } | { reason: string }}
 */
export function findCitus() {
  const { LEDGER_TEST_CITUS: given } = process.env;
  if (given === undefined || given === '') {
    return { reason: 'LEDGER_TEST_CITUS names no folder with PostgreSQL and Citus' };
  }
  const binaries = join(given, 'bin');
  const ask = (/** @type {string} */ program, /** @type {string} */ flag) =>
    execFileSync(join(binaries, program), [flag], { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const version = /(\d+(?:\.\d+)*)/.exec(ask('postgres', '--version'))?.[1] ?? '';
    const control = join(ask('pg_config', '--sharedir'), 'extension/citus.control');
    const library = join(ask('pg_config', '--pkglibdir'), 'citus.so');
    for (const file of [control, library]) {
      if (!existsSync(file)) throw new Error(`${file} is missing`);
    }
    return { binaries, version };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${given} (LEDGER_TEST_CITUS) has no PostgreSQL with Citus: ${reason}`);
  }
}
