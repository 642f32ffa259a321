import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import pg from 'pg';
import { DamagedError, damageIn } from './damage.js';

/** The five-character SQLSTATE of a server error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** What each SQLSTATE means for a caller (PostgreSQL, appendix A), and after how many seconds to repeat. */
const BY_STATE: ReadonlyMap<string, readonly [message: string, retryAfter: number]> = new Map([
  ['53300', ['the limit on connections to the database is reached', 5]],
  ['53100', ['the disk of the database is full', 10]],
  ['53200', ['the database has no memory left', 10]],
  ['57P01', ['the database is stopping', 5]],
  ['57P02', ['the database crashed and is restarting', 5]],
  ['57P03', ['the database is starting, recovering or stopping', 5]],
  ['28P01', ['the database refuses the password of the service', 60]],
  ['28000', ['the database refuses the login of the service', 60]],
  ['3D000', ['the database does not exist', 60]],
  ...['55P03', '40P01', '40001', '57014', '25P03'].map((state): [string, [string, number]] => [
    state,
    ['the database is busy', 1],
  ]),
]);

const BY_SYSTEM: ReadonlyMap<string, readonly [message: string, retryAfter: number]> = new Map([
  ['ECONNREFUSED', ['the database cannot be reached: nothing listens there', 5]],
  ['ENOENT', ['the database cannot be reached: there is no such socket', 5]],
  ['ENOTFOUND', ['the database cannot be reached: its host is unknown', 5]],
  ['EAI_AGAIN', ['the database cannot be reached: its host cannot be looked up', 5]],
  ['EMFILE', ['the limit on open files of this process is reached', 5]],
  ['ENFILE', ['the limit on open files of this machine is reached', 5]],
]);

/** SQLSTATE lock_not_available, deadlock_detected, serialization_failure and idle_in_transaction_session_timeout. */
const CONTENTION = new Set(['55P03', '40P01', '40001', '25P03']);

/** Whether others had the locks, so that the same may succeed soon. */
export function isContention(error: unknown): boolean {
  return error instanceof LedgerError && CONTENTION.has(sqlState(error.cause) ?? '');
}

/** The error for callers whose statement the server refused for the moment; null for other errors. */
export function refusedForNow(error: unknown): LedgerError | null {
  const place = damageIn(error);
  if (place !== null) return new DamagedError(place, error);
  const known = BY_STATE.get(sqlState(error) ?? '');
  return known === undefined ? null : unavailable(...known, error);
}

/** The error for callers who get no connection. */
export function noConnection(
  error: unknown,
  { inUse, max }: { readonly inUse: number; readonly max: number },
): LedgerError {
  const refused = refusedForNow(error);
  if (refused !== null) return refused;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = BY_SYSTEM.get(code);
  if (known !== undefined) return unavailable(...known, error);
  const isTimeout = error instanceof Error && /timeout/i.test(error.message);
  if (isTimeout && inUse >= max) {
    return unavailable(`all ${max} connections to the database are in use`, 1, error);
  }
  if (isTimeout) return unavailable('the database does not answer in time', 1, error);
  return unavailable('the database cannot be reached', 1, error);
}
