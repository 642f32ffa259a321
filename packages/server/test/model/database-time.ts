import sql from 'sql-template-tag';
import type { TestService } from '../support/service.js';
import { withOwner } from '../support/stored-jobs.js';

/** A service whose records have the time of its clock, in place of that of the machine. */
export interface Timed {
  readonly service: TestService;
  /** The time of the embedded engine: see `EngineOptions`. */
  readonly time: SharedArrayBuffer;
}

/** Every session that begins later finds this function in place of that of PostgreSQL. */
const OWN_TIME = `
  create schema test_time;
  create table test_time.present (at timestamptz not null);
  insert into test_time.present values (clock_timestamp());
  alter function pg_catalog.clock_timestamp() rename to clock_timestamp_of_machine;
  create function pg_catalog.clock_timestamp() returns timestamptz language sql volatile as
    'select at from test_time.present';
  grant usage on schema test_time to ledger_app;
  grant select, update on test_time.present to ledger_app;`;

export async function timed(opened: TestService): Promise<Timed> {
  if (!isEmbedded(opened)) {
    await withOwner(opened, (client) => client.query(OWN_TIME));
  }
  const time = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  setTime(time, opened.clock.now());
  const service = await opened.restarted(time);
  await followClock({ service, time });
  return { service, time };
}

const isEmbedded = ({ service }: TestService) => service.storage.address.kind === 'embedded';

function setTime(time: SharedArrayBuffer, now: number): void {
  Atomics.store(new BigInt64Array(time), 0, BigInt(now));
}

/** Sets the time of the records to that of the clock, which has advanced. */
export async function followClock({ service: opened, time }: Timed): Promise<void> {
  const now = opened.clock.now();
  if (isEmbedded(opened)) setTime(time, now);
  else {
    await opened.service.db.query(sql`
      update test_time.present set at = to_timestamp(${now}::bigint / 1000.0)`);
  }
}
