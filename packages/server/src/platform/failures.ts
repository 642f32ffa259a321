import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import { damagedPlace } from '@decision-ledger/embedded/damage';
import pg from 'pg';

/** What an error says, for the log. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** PostgreSQL found that its data are damaged. Callers see that; the operator also sees where. */
export class DamagedError extends LedgerError {
  constructor(
    /** Such as "page 7 of base/5/16466". */
    readonly place: string,
    cause: unknown,
  ) {
    super(
      'unavailable',
      'a part of the database is damaged, and has to be restored by the operator',
      {
        headers: { 'retry-after': '60' },
        cause,
      },
    );
  }
}

/** The place that an error, or a cause of it, reports as damaged; null for any other error. */
export function damageIn(error: unknown): string | null {
  if (error instanceof DamagedError) return error.place;
  if (error instanceof pg.DatabaseError) return damagedPlace(error.message, error.code ?? '');
  return error instanceof Error && error.cause !== undefined ? damageIn(error.cause) : null;
}

/** What was found damaged since the start. */
export interface DamageRecord {
  /** The places, in the order in which they were found. */
  readonly places: ReadonlySet<string>;
  add(place: string): void;
}

/** @param onFound called once for each place */
export function damageRecord(onFound: (place: string) => void): DamageRecord {
  const places = new Set<string>();
  return {
    places,
    add(place) {
      if (places.has(place)) return;
      places.add(place);
      onFound(place);
    },
  };
}

/** The five-character SQLSTATE of a server error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** SQLSTATE too_many_connections. */
export const TOO_MANY_CONNECTIONS = '53300';

/** What each SQLSTATE means for a caller (PostgreSQL, appendix A), and after how many seconds to repeat. */
const BY_STATE: ReadonlyMap<string, readonly [message: string, retryAfter: number]> = new Map([
  [TOO_MANY_CONNECTIONS, ['the limit on connections to the database is reached', 5]],
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
