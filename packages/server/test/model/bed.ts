import { rm } from 'node:fs/promises';
import { SCHEMA } from '../support/postgres-names.js';
import {
  type Engine,
  type Instance,
  type ManualClock,
  openTestService,
  type TestService,
} from '../support/service.js';
import { withOwner } from '../support/stored-jobs.js';
import { followClock, type Timed, timed } from './database-time.js';
import { type Operation, operationsOf } from './description.js';

/** Years after which days, months and leap days fall as before. */
const YEARS = 4;
const FIRST_YEAR = 2026;

const startIn = (year: number) => Date.UTC(year, 3, 16, 9, 30);

/**
 * A service that serves one sequence after another, because to open it takes longer than a sequence. Before each it is
 * as it was before the first one: without ledgers, on the same day, of a later year.
 */
export class Bed {
  readonly operations: ReadonlyMap<string, Operation>;
  /** The process that was opened first, which is idle once another one answers. */
  first: TestService;
  /** The process that answers now. */
  instance: Instance;
  readonly #time: SharedArrayBuffer;
  readonly #tables: readonly string[];
  #year = FIRST_YEAR;

  private constructor(
    { service, time }: Timed,
    tables: readonly string[],
    operations: ReadonlyMap<string, Operation>,
  ) {
    this.operations = operations;
    this.first = service;
    this.instance = service;
    this.#time = time;
    this.#tables = tables;
  }

  static async open(engine: Engine): Promise<Bed> {
    const opened = await openTestService(engine);
    const tables = await emptyTables(opened);
    const first = await timed(opened);
    return new Bed(first, tables, await operationsOf(first.service.http));
  }

  get clock(): ManualClock {
    return this.first.clock;
  }

  /** Time passes, for the records too. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await followClock({ service: this.first, time: this.#time });
  }

  /** Deletes every ledger; then years pass. */
  async forget(): Promise<void> {
    const deletions = this.#tables.map((table) => `delete from ${table}`).join(';');
    await withOwner(this.first, (client) =>
      client.query(`begin; set local session_replication_role = replica; ${deletions}; commit`),
    );
    await rm(this.first.service.signedNotes.folder, { recursive: true, force: true });
    while (startIn(this.#year) < this.clock.now()) this.#year += YEARS;
    await this.pass(startIn(this.#year) - this.clock.now());
  }

  /** All processes end, also that of the embedded engine, and start again on the same database. */
  async restart(): Promise<void> {
    this.first = await this.first.restarted(this.#time);
    this.instance = this.first;
  }

  /** Another process goes on with the same database, and the former one ends in order. */
  async replace(): Promise<void> {
    if (this.instance !== this.first) await this.instance.close();
    this.instance = await this.first.another();
  }

  close(): Promise<void> {
    return this.first.close();
  }
}

/** The tables that a service without ledgers leaves empty, and that of the jobs. */
function emptyTables(service: TestService): Promise<readonly string[]> {
  return withOwner(service, async (client) => {
    const { rows: all } = await client.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = '${SCHEMA}'`,
    );
    const empty: string[] = [];
    for (const { name } of all) {
      const { rows } = await client.query(`select from ${name} limit 1`);
      if (rows.length === 0) empty.push(name);
    }
    return [...empty, 'job'];
  });
}
