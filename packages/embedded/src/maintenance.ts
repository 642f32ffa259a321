import type { Session } from './session.js';

/** Checkpoints are made when this much of the log has been written, in bytes. */
const CHECKPOINT_BYTES = 64 << 20;
/** And when less has, but nobody waits. */
const IDLE_CHECKPOINT_BYTES = 1 << 20;
const IDLE_MS = 5_000;
/** How often one table is looked for that needs statistics or vacuuming. */
const TABLES_MS = 10_000;

/** Tables of more pages than this (of 8 KiB) are too long to vacuum between two statements. */
const MAX_VACUUM_PAGES = 8_192;

/*
 * The thresholds are autovacuum's defaults. ANALYZE reads a bounded sample, so any table may have
 * it; one table a turn.
 */
const DUE_TABLE = `
select case when n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) and c.relpages <= ${MAX_VACUUM_PAGES}
    or age(c.relfrozenxid) > 200000000
  then 'vacuum (analyze) ' else 'analyze ' end || s.relid::regclass::text
from pg_catalog.pg_stat_user_tables s join pg_catalog.pg_class c on c.oid = s.relid
where (n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) and c.relpages <= ${MAX_VACUUM_PAGES})
  or age(c.relfrozenxid) > 200000000
  or n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
order by n_dead_tup desc, n_mod_since_analyze desc limit 1`;

/**
 * Does what PostgreSQL's background processes do in a server: checkpoints, without which the log
 * grows for ever, statistics for the planner, and vacuuming.
 */
export class Maintenance {
  #savedBytes: number;
  #usedAt: number;
  #tablesAt: number;

  /** `now` counts milliseconds and never goes back. */
  constructor(
    private readonly session: Session,
    private readonly now: () => number,
  ) {
    this.#savedBytes = session.counters.walBytes;
    this.#usedAt = now();
    this.#tablesAt = this.#usedAt;
  }

  /** Between two units; almost always returns at once. */
  async betweenUnits(): Promise<void> {
    this.#usedAt = this.now();
    if (this.#unsavedBytes() >= CHECKPOINT_BYTES) await this.#checkpoint();
  }

  /** To be called every second or so, while no transaction is open. */
  async tick(): Promise<void> {
    const now = this.now();
    const idle = now - this.#usedAt >= IDLE_MS;
    if (idle && this.#unsavedBytes() >= IDLE_CHECKPOINT_BYTES) await this.#checkpoint();
    if (now - this.#tablesAt < TABLES_MS) return;
    this.#tablesAt = now;
    const work = await this.session.runOwn(DUE_TABLE);
    if (work !== null) await this.session.runOwn(work);
  }

  #unsavedBytes(): number {
    return this.session.counters.walBytes - this.#savedBytes;
  }

  /** One that fails (the disk is full) is tried again after as much log; nothing is lost by it. */
  async #checkpoint(): Promise<void> {
    await this.session.runOwn('CHECKPOINT');
    this.#savedBytes = this.session.counters.walBytes;
  }
}
