import type pg from 'pg';
import { getConstructionPlans, getMigrationPlans } from 'pg-boss';
import { type DatabaseNames, jobsSchema } from '../database-names.js';

/** The schema version of the installed pg-boss. */
export const JOBS_VERSION = 43;

/** Fails if nothing is installed. */
export function selectJobsVersion(names: DatabaseNames): string {
  return `select version::int as version from ${jobsSchema(names)}.version`;
}

function grants(schema: string, role: string): string {
  return `
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    grant usage on all sequences in schema ${schema} to ${role};
    grant execute on all functions in schema ${schema} to ${role}`;
}

/**
 * Migrates the tables of background jobs, in separate transactions.
 * @param owner connected as the owner of the schema, the only process that migrates
 * @returns false if the tables are newer than this release supports
 */
export async function migrateJobs(owner: pg.Client, names: DatabaseNames): Promise<boolean> {
  const schema = jobsSchema(names);
  const version = await installedVersion(owner, names);
  if (version !== null && version > JOBS_VERSION) return false;
  if (version === null) await owner.query(getConstructionPlans(schema, { createSchema: false }));
  else if (version < JOBS_VERSION) await owner.query(getMigrationPlans(schema, version));
  await owner.query(grants(schema, owner.escapeIdentifier(names.role)));
  return true;
}

async function installedVersion(owner: pg.Client, names: DatabaseNames): Promise<number | null> {
  const { rows } = await owner.query<{ exists: boolean }>(
    'select to_regclass($1) is not null as exists',
    [`${jobsSchema(names)}.version`],
  );
  if (rows[0]?.exists !== true) return null;
  const versions = await owner.query<{ version: number }>(selectJobsVersion(names));
  return versions.rows[0]?.version ?? null;
}
