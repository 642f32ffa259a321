// @ts-check
// JavaScript, because the test command looks for programs without a compiler.
import { spawnSync } from 'node:child_process';

/**
 * The pooler of PostgreSQL.
 * @returns {{ program: string } | { reason: string }}
 */
export function findPgBouncer() {
  const program = 'pgbouncer';
  if (spawnSync(program, ['--version']).status === 0) return { program };
  return { reason: 'there is no PgBouncer: install the package pgbouncer' };
}
