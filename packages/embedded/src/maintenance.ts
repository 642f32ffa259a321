import type { Session } from './session.js';

/** A checkpoint is made after this many bytes of log. */
const CHECKPOINT_BYTES = 64 << 20;
/** A checkpoint is made after this many bytes of log if the engine is idle. */
const IDLE_CHECKPOINT_BYTES = 1 << 20;
const IDLE_MS = 5_000;
/** How often a table that needs statistics or vacuuming is looked for. */
const TABLES_MS = 10_000;

/** Larger tables (in pages of 8 KiB) take too long to vacuum between two statements. */
const MAX_VACUUM_PAGES = 8_192;

/*
 * The thresholds are the defaults of autovacuum. ANALYZE reads a bounded sample, so it may run on any
 * table. Each turn processes one table.
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
 * Does the work of PostgreSQL's background processes: checkpoints, without which the log grows
 * forever, statistics for the planner, and vacuuming.
 */
export class Maintenance {
  #savedBytes: number;
  #usedAt: number;
  #tablesAt: number;

  /**
   * @param now monotonic milliseconds
   * @param isHeld whether checkpoints must wait, because the files of the database are being copied
   */
  constructor(
    private readonly session: Session,
    private readonly now: () => number,
    private readonly isHeld: () => boolean,
  ) {
    this.#savedBytes = session.counters.walBytes;
    this.#usedAt = now();
    this.#tablesAt = this.#usedAt;
  }

  /** Runs between two units; usually returns immediately. */
  async betweenUnits(): Promise<void> {
    this.#usedAt = this.now();
    await this.#saveAfter(CHECKPOINT_BYTES);
  }

  /** Must be called about every second while no transaction is open. */
  async tick(): Promise<void> {
    const now = this.now();
    const idle = now - this.#usedAt >= IDLE_MS;
    if (idle) await this.#saveAfter(IDLE_CHECKPOINT_BYTES);
    if (now - this.#tablesAt < TABLES_MS) return;
    this.#tablesAt = now;
    const work = await this.session.runOwn(DUE_TABLE);
    if (work !== null) await this.session.runOwn(work);
  }

  /** A failed checkpoint (full disk) is retried after the same amount of log; no data is lost. */
  async #saveAfter(logBytes: number): Promise<void> {
    if (this.session.counters.walBytes - this.#savedBytes < logBytes || this.isHeld()) return;
    await this.session.runOwn('CHECKPOINT');
    this.#savedBytes = this.session.counters.walBytes;
  }
}
