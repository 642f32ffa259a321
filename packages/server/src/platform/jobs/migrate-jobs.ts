import type pg from 'pg';
import { getConstructionPlans, getMigrationPlans } from 'pg-boss';

export const JOBS_SCHEMA = 'pgboss';

/** The schema version of the installed pg-boss. */
export const JOBS_VERSION = 43;

/** Fails if nothing is installed. */
export const SELECT_JOBS_VERSION = `select version::int as version from ${JOBS_SCHEMA}.version`;

const GRANTS = `
  grant usage on schema ${JOBS_SCHEMA} to ledger_app;
  grant select, insert, update, delete on all tables in schema ${JOBS_SCHEMA} to ledger_app;
  grant usage on all sequences in schema ${JOBS_SCHEMA} to ledger_app;
  grant execute on all functions in schema ${JOBS_SCHEMA} to ledger_app`;

/**
 * Migrates the tables of background jobs, in separate transactions.
 * @param owner connected as the owner of the schema, the only process that migrates
 * @returns false if the tables are newer than this release supports
 */
export async function migrateJobs(owner: pg.Client): Promise<boolean> {
  const version = await installedVersion(owner);
  if (version !== null && version > JOBS_VERSION) return false;
  if (version === null) await owner.query(getConstructionPlans(JOBS_SCHEMA));
  else if (version < JOBS_VERSION) await owner.query(getMigrationPlans(JOBS_SCHEMA, version));
  await owner.query(GRANTS);
  return true;
}

async function installedVersion(owner: pg.Client): Promise<number | null> {
  const { rows } = await owner.query<{ exists: boolean }>(
    `select to_regclass('${JOBS_SCHEMA}.version') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return null;
  const versions = await owner.query<{ version: number }>(SELECT_JOBS_VERSION);
  return versions.rows[0]?.version ?? null;
}
