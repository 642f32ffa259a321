import pg from 'pg';
import { type DatabaseNames, jobsSchema } from '../database-names.js';
import { hasCitus } from './layout.js';

const NAME = 'commit_with_nodes';

/** Whether a transaction that sends a job and changes a ledger commits both or neither. */
export async function areCommitsJoined(client: pg.Client, names: DatabaseNames): Promise<boolean> {
  const { rows } = await client.query(
    'select from pg_trigger where tgrelid = $1::regclass and tgname = $2',
    [jobTable(names), NAME],
  );
  return rows.length > 0;
}

/**
 * Lets it commit both or neither. The tables of jobs are unknown to Citus: the node of the ledger would commit first, and the
 * coordinator could be killed before it keeps the job. A change of a managed table, also of no row, makes Citus prepare the
 * transaction on every node. Without Citus there is nothing to do.
 * @param client connected as the owner
 */
export async function joinCommits(client: pg.Client, names: DatabaseNames): Promise<void> {
  if (!(await hasCitus(client)) || (await areCommitsJoined(client, names))) return;
  const schema = pg.escapeIdentifier(names.schema);
  await client.query(`
    create or replace function ${schema}.${NAME}() returns trigger
    language plpgsql security definer set search_path = ${schema}, pg_temp as $$
    begin
      update installation set created_at = created_at where false;
      return null;
    end $$;
    -- For each row: jobs are inserted into parts of the table, which have a copy of no other trigger.
    create trigger ${NAME} after insert on ${jobTable(names)}
    for each row execute function ${schema}.${NAME}()`);
}

const jobTable = (names: DatabaseNames) => `${jobsSchema(names)}.job`;
