import pg from 'pg';
import sql from 'sql-template-tag';
import type { DatabaseNames } from '../database-names.js';
import type { Statement } from '../statement.js';

/**
 * Makes the function by which a transaction keeps the rows of a ledger on their node until it ends. Citus lets a move wait for
 * those that have changed rows, not for those that have locked some: what one of these locked, another one would lock again on
 * the other node.
 * @param client connected as the owner, in a transaction whose search path is the schema
 */
export async function makeHold(
  client: pg.Client,
  { schema, role }: Pick<DatabaseNames, 'schema' | 'role'>,
): Promise<void> {
  // The parts of the heads have the lowest numbers, so a move waits for them before it has any other part.
  await client.query(`
    create or replace function hold_ledger(held uuid) returns void
    language plpgsql security definer set search_path = ${pg.escapeIdentifier(schema)}, pg_temp as $$
    begin
      -- 5: what other transactions may have at the same time, but for a move.
      perform lock_shard_metadata(5, array[get_shard_id_for_distribution_column('chain_heads', held)]);
    end $$;
    revoke all on function hold_ledger(uuid) from public;
    grant execute on function hold_ledger(uuid) to ${pg.escapeIdentifier(role)}`);
}

/** @param ledgerId UUID */
export function holdLedger(ledgerId: string): Statement {
  const { text, values } = sql`select hold_ledger(${ledgerId})`;
  return { name: 'hold-ledger', text, values };
}
