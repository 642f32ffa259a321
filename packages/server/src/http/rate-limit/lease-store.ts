import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../../platform/statement.js';
import type { Lease, LeaseFunction } from './leased-limiter.js';

interface LeaseRow {
  readonly granted: number;
  readonly ahead_ms: number;
}

const PERIOD_MS = 1000;
/** Resolution of `tat`: 1/1024 ms, which a double since 1970 represents exactly until 2248. */
const TICKS = 1024;
/** A `tat` beyond a burst and this many milliseconds comes from a clock that was since set back. */
const CLOCK_SLIP_MS = 60_000;

/**
 * Leases from a table that all processes share, one row per organisation and bucket:
 *
 *     rate_leases (org_id uuid, bucket text, tat double precision not null,
 *                  granted integer not null, primary key (org_id, bucket))
 *
 * `tat` is the theoretical arrival time of the generic cell rate algorithm (ITU-T I.371), in
 * milliseconds since 1970 by the database's clock. `granted` is the size of the last lease; it is
 * stored because the statement cannot return values of the former row. A lease rounds up to the
 * resolution of `tat`, so that the grants of t seconds never exceed `limit × (t + 1)`.
 */
export function createLeaseStore(db: Queryable): LeaseFunction {
  return async (orgId, bucket, limit, wanted) => {
    const { text, values } = leaseStatement(orgId, bucket, limit, wanted);
    const [row] = await db.query<LeaseRow>({ name: 'take-lease', text, values });
    if (row === undefined) throw new Error('a lease returned no row');
    return readLease(row, limit, wanted);
  };
}

/** Grants the available requests, up to `wanted`. */
function leaseStatement(orgId: string, bucket: string, limit: number, wanted: number): Sql {
  const first = Math.min(wanted, limit);
  const price = Math.ceil((first * PERIOD_MS * TICKS) / limit) / TICKS;
  // The inserted row carries the time, so that it is read once and before the row is locked. A delay
  // until the lock makes the grant smaller, never larger.
  const now = sql`(excluded.tat - ${price}::float8)`;
  const start = sql`greatest(${now}, case
    when held.tat > ${now} + ${PERIOD_MS + CLOCK_SLIP_MS}::float8
    then ${now} + ${PERIOD_MS}::float8 else held.tat end)`;
  const free = sql`floor(
    (${now} + ${PERIOD_MS}::float8 - ${start}) * ${limit}::float8 / ${PERIOD_MS}::float8)`;
  const granted = sql`greatest(0, least(${wanted}::float8, ${free}))`;
  return sql`
    insert into rate_leases as held (org_id, bucket, tat, granted)
    values (${orgId}::uuid, ${bucket}::text,
      floor(extract(epoch from clock_timestamp())::float8 * ${PERIOD_MS * TICKS}::float8)
        / ${TICKS}::float8 + ${price}::float8,
      ${first}::int)
    on conflict (org_id, bucket) do update set
      tat = ${start} + ceil(${granted} * ${PERIOD_MS * TICKS}::float8 / ${limit}::float8)
        / ${TICKS}::float8,
      granted = ${granted}::int
    returning granted,
      held.tat - extract(epoch from clock_timestamp())::float8 * 1000 as ahead_ms`;
}

function readLease(row: LeaseRow, limit: number, wanted: number): Lease {
  const free = PERIOD_MS - Math.max(0, row.ahead_ms);
  return {
    granted: row.granted,
    retryAfterMs: row.granted >= wanted ? 0 : Math.max(0, PERIOD_MS / limit - free),
    remaining: Math.max(0, Math.floor((free * limit) / PERIOD_MS)),
  };
}
