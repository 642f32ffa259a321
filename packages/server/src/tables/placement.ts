import { TABLES } from './registry.js';

/** Where the rows of a table are in a cluster of Citus. */
export type Placement =
  /** By ledger: all rows of one ledger are on one node. */
  | 'distributed'
  /** A copy on every node. */
  | 'reference'
  /** On the coordinator. What changes it together with other nodes is committed on all of them, or on none. */
  | 'managed'
  /** On the coordinator, and unknown to Citus. */
  | 'local';

/** The column that rows are distributed by. */
export const PLACED_BY = 'ledger_id';

/**
 * What is not distributed: callers are found in it before their ledger is known, it belongs to the whole installation, or it
 * is read with rows of every ledger.
 */
const NAMED: Readonly<Record<string, Exclude<Placement, 'distributed'>>> = {
  ledgers: 'reference',
  organisations: 'managed',
  api_keys: 'managed',
  sessions: 'managed',
  signing_keys: 'managed',
  installation: 'managed',
  master_key: 'managed',
  kept_keys: 'managed',
  // Spent by every request, and no part of any other change.
  rate_leases: 'local',
  schema_migrations: 'local',
};

/** Where each table is. A table without ledger has to be named. */
export function placements(): ReadonlyMap<string, Placement> {
  return new Map(
    Object.entries(TABLES).map(([table, { columns }]) => [
      table,
      NAMED[table] ?? distributed(table, Object.keys(columns)),
    ]),
  );
}

function distributed(table: string, columns: readonly string[]): Placement {
  if (columns.includes(PLACED_BY)) return 'distributed';
  throw new Error(`${table} has no ${PLACED_BY}: say in tables/placement.ts where its rows are`);
}
