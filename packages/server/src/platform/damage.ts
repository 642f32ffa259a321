import { LedgerError } from '@decision-ledger/contract/errors';
import { damagedPlace } from '@decision-ledger/embedded/damage';
import pg from 'pg';

/** PostgreSQL found that its data are damaged. Callers are told that, and the operator also the place. */
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
