import sql, { type Sql } from 'sql-template-tag';
import type { Clock } from '../../platform/clock.js';
import type { Queryable } from '../../platform/statement.js';
import type { Bucket } from '../types.js';
import { type Decision, IdleSweptMap, type Limiter } from './limiter.js';

/** A lease of the shared store. */
export interface Lease {
  /** Requests that this process may now admit, from 0 to the number requested. */
  readonly granted: number;
  /** If less was granted than requested: milliseconds until more is available. */
  readonly retryAfterMs: number;
  /** Requests that remain in the store. */
  readonly remaining: number;
}

/**
 * Leases up to `wanted` requests of an organisation's allowance of `limit` a second, which all
 * processes share. Rejects if the store is unreachable.
 */
export type LeaseFunction = (
  orgId: string,
  bucket: Bucket,
  limit: number,
  wanted: number,
) => Promise<Lease>;

interface Waiter {
  resolve(decision: Decision): void;
  reject(error: unknown): void;
}

interface Entry {
  readonly orgId: string;
  readonly bucket: Bucket;
  limit: number;
  /** Leased requests that are neither spent nor expired. */
  tokens: number;
  leasedAt: number;
  /** Requests left in the store at the last lease. */
  storeRemaining: number;
  /** The size of the next lease, unless more requests wait. */
  chunk: number;
  /** The store is known to be empty until this time. */
  pausedUntil: number;
  isLeasing: boolean;
  waiting: Waiter[];
}

const LEASE_MS = 1000;
const MAX_PAUSE_MS = 1000;
const MIN_PAUSE_MS = 50;
const QUICK_MS = 100;
const SLOW_MS = 400;

/**
 * A rate limiter for several processes with one store. Each process leases allowance in chunks and
 * spends them locally. Requests without allowance wait for the pending lease; if it fails, they fail.
 *
 * A chunk starts at 1, doubles if it lasts less than 0.1 s, halves if it lasts more than 0.4 s, and
 * is at most a tenth of the limit. Under load this makes ten to twenty leases a second per process,
 * organisation and bucket. If the store is empty, the process refuses requests for 50 ms, or for as
 * long as the store says; the allowance accrued in that time stays in the store.
 *
 * Accuracy: only leased requests are admitted, so the total never exceeds what the store grants,
 * which is `limit × (t + 1)` in the first t seconds. In any later interval the chunks held at its
 * start, at most one per process, are added. At most one chunk per process and second is admitted too
 * little, because unspent allowance expires after 1 s.
 */
export function createLeasedLimiter(clock: Clock, lease: LeaseFunction): Limiter {
  const entries = new IdleSweptMap<Entry>(isIdle);

  function find(orgId: string, bucket: Bucket, limit: number, now: number): Entry {
    const key = `${bucket} ${orgId}`;
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = newEntry(orgId, bucket, limit);
      entries.add(key, entry, now);
    }
    return entry;
  }

  function ask(entry: Entry): void {
    const { orgId, bucket, limit } = entry;
    resize(entry, clock.now());
    const wanted = Math.min(limit, Math.max(entry.chunk, entry.waiting.length));
    entry.isLeasing = true;
    lease(orgId, bucket, limit, wanted).then(
      (given) => {
        entry.isLeasing = false;
        receive(entry, given, limit, wanted, clock.now());
        if (entry.waiting.length > 0) ask(entry);
      },
      (error: unknown) => {
        entry.isLeasing = false;
        for (const waiter of entry.waiting.splice(0)) waiter.reject(error);
      },
    );
  }

  return {
    take(orgId, bucket, limit) {
      if (limit < 1) return refusal(limit, 0);
      const now = clock.now();
      const entry = find(orgId, bucket, limit, now);
      if (entry.limit !== limit) adopt(entry, limit);
      lapse(entry, now);
      if (entry.tokens > 0) {
        entry.tokens -= 1;
        return admission(entry);
      }
      const pause = entry.pausedUntil - now;
      if (pause > 0 && pause <= MAX_PAUSE_MS) return refusal(limit, pause);
      return new Promise((resolve, reject) => {
        entry.waiting.push({ resolve, reject });
        if (!entry.isLeasing) ask(entry);
      });
    },
  };
}

function newEntry(orgId: string, bucket: Bucket, limit: number): Entry {
  return {
    orgId,
    bucket,
    limit,
    tokens: 0,
    leasedAt: Number.NEGATIVE_INFINITY,
    storeRemaining: 0,
    chunk: 1,
    pausedUntil: 0,
    isLeasing: false,
    waiting: [],
  };
}

function isIdle(entry: Entry, now: number): boolean {
  return !entry.isLeasing && now - entry.leasedAt >= LEASE_MS && entry.pausedUntil <= now;
}

function adopt(entry: Entry, limit: number): void {
  entry.limit = limit;
  entry.tokens = 0;
  entry.storeRemaining = 0;
  entry.pausedUntil = 0;
  entry.chunk = Math.min(entry.chunk, largestChunk(limit));
}

function lapse(entry: Entry, now: number): void {
  if (entry.tokens === 0) return;
  const age = now - entry.leasedAt;
  if (age >= 0 && age < LEASE_MS) return;
  entry.chunk = Math.max(1, entry.chunk - entry.tokens);
  entry.tokens = 0;
}

function resize(entry: Entry, now: number): void {
  const lasted = now - entry.leasedAt;
  if (lasted < QUICK_MS) {
    const doubled = Math.max(entry.chunk * 2, entry.waiting.length);
    entry.chunk = Math.min(largestChunk(entry.limit), doubled);
  } else if (lasted > SLOW_MS) {
    entry.chunk = Math.max(1, Math.floor(entry.chunk / 2));
  }
}

function largestChunk(limit: number): number {
  return Math.max(1, Math.floor(limit / 10));
}

/** Serves waiting requests, keeps the rest for later ones, or records that the store is empty. */
function receive(entry: Entry, given: Lease, limit: number, wanted: number, now: number): void {
  const granted = Math.min(wanted, Math.max(0, Math.floor(given.granted)));
  const served = entry.waiting.splice(0, granted);
  const current = entry.limit === limit;
  if (current) {
    entry.tokens = granted - served.length;
    entry.leasedAt = now;
    entry.storeRemaining = given.remaining;
  }
  for (const waiter of served) waiter.resolve(admission(entry));
  if (granted === wanted || !current) return;
  const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, given.retryAfterMs));
  entry.pausedUntil = now + pause;
  for (const waiter of entry.waiting.splice(0)) waiter.resolve(refusal(limit, pause));
}

function admission(entry: Entry): Decision {
  const { limit, tokens, storeRemaining } = entry;
  const remaining = Math.min(limit, tokens + storeRemaining);
  return { allowed: true, limit, remaining, retryAfterSeconds: 0, resetSeconds: 1 };
}

function refusal(limit: number, pauseMs: number): Decision {
  const seconds = Math.max(1, Math.ceil(pauseMs / 1000));
  return { allowed: false, limit, remaining: 0, retryAfterSeconds: seconds, resetSeconds: seconds };
}

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
export function createLeaseStore(db: Pick<Queryable, 'query'>): LeaseFunction {
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
