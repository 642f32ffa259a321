import pg from 'pg';
import { PLACED_BY, type Placement } from '../../tables/placement.js';
import type { DatabaseNames } from '../database-names.js';
import { MigrationError } from '../migrate-names.js';
import { admitBetweenNodes } from './admit.js';
import { makeHold } from './hold-ledger.js';
import { findMisplaced, hasCitus, type Misplaced } from './layout.js';
import { requireCoordinator, requireStopped, requireTrial } from './requirements.js';

export interface Placing {
  /** Whether tables with rows may be moved, which takes as long as copying them. */
  readonly movesRows: boolean;
  readonly onTable?: (done: number, of: number) => void;
}

/**
 * Puts every table where the layout says, with its rows. The transaction of the caller keeps all of it or nothing. Without
 * Citus there is nothing to do.
 * @param client connected as the owner, in a transaction whose search path is the schema
 */
export async function placeTables(
  client: pg.Client,
  { schema, role }: DatabaseNames,
  { movesRows, onTable = () => undefined }: Placing,
): Promise<void> {
  if (!(await hasCitus(client))) return;
  await requireTrial(client);
  const misplaced = inOrder(await findMisplaced(client, schema));
  if (misplaced.length === 0) return;
  const filled = await filledOf(client, misplaced);
  if (filled.has('ledgers')) await requireStopped(client, movesRows);
  await requireCoordinator(client);
  // Keys between tables need all statements of a transaction over one connection to each node.
  await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
  await admitBetweenNodes(client, role);
  const keys = await dropForeignKeys(client, misplaced);
  for (const [done, one] of misplaced.entries()) {
    onTable(done, misplaced.length);
    await place(client, one);
    if (one.to === 'distributed' && filled.has(one.table)) await forgetLocal(client, one);
  }
  for (const statement of keys) await client.query(statement);
  await delegateFunctions(client, schema);
  await makeHold(client, { schema, role });
  onTable(misplaced.length, misplaced.length);
}

/** The tables that have, or had, rows. */
async function filledOf(client: pg.Client, tables: readonly Misplaced[]): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as t (name) where pg_relation_size(quote_ident(name)::regclass) > 0',
    [tables.map(({ table }) => table)],
  );
  return new Set(rows.map(({ name }) => name));
}

/** The first distributed table: all others are on one node with it. */
const FIRST = 'chain_heads';
const ORDER: readonly Placement[] = ['local', 'managed', 'reference', 'distributed'];

/** What other tables refer to comes before them. */
function inOrder(misplaced: readonly Misplaced[]): Misplaced[] {
  const rank = ({ table, to }: Misplaced) => ORDER.indexOf(to) - (table === FIRST ? 0.5 : 0);
  return misplaced.toSorted((a, b) => rank(a) - rank(b));
}

async function place(client: pg.Client, { table, to }: Misplaced): Promise<void> {
  const name = pg.escapeIdentifier(table);
  switch (to) {
    case 'managed':
      await client.query('select citus_add_local_table_to_metadata($1::regclass)', [name]);
      return;
    case 'reference':
      await client.query('select create_reference_table($1::regclass)', [name]);
      return;
    case 'distributed':
      // `none`: a group of its own, without the tables of other programs.
      await client.query(
        'select create_distributed_table($1::regclass, $2, colocate_with => $3::text)',
        [name, PLACED_BY, table === FIRST ? 'none' : FIRST],
      );
      return;
    case 'local':
      throw new MigrationError(
        `the table ${table} belongs to the coordinator alone, and is spread over the nodes: run ` +
          `\`select undistribute_table('${table}')\` there`,
      );
  }
}

/** The rows that were copied to the nodes are hidden on the coordinator, and erasures would not reach them. */
async function forgetLocal(client: pg.Client, { table }: Misplaced): Promise<void> {
  await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [
    pg.escapeIdentifier(table),
  ]);
}

/**
 * A table can only refer to another one that is placed, and the other way round.
 * @returns the statements that make the keys again
 */
async function dropForeignKeys(
  client: pg.Client,
  misplaced: readonly Misplaced[],
): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where contype = 'f' and conparentid = 0
      and array[conrelid, confrelid]
        && array(select to_regclass(quote_ident(t))::oid from unnest($1::text[]) as t)
    order by conrelid::regclass::text, conname`,
    [misplaced.map(({ table }) => table)],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make);
}

/** Functions that act for their owner run on the node of their ledger, where the owner changes rows alone. */
async function delegateFunctions(client: pg.Client, schema: string): Promise<void> {
  await client.query(
    `select create_distributed_function(oid::regprocedure, proargnames[1], colocate_with => $2::text,
      force_delegation => true)
    from pg_proc where pronamespace = (select oid from pg_namespace where nspname = $1)
      and prosecdef and proargnames[1] = 'of_ledger'`,
    [schema, FIRST],
  );
}
