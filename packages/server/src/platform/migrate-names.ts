import pg from 'pg';
import { type DatabaseNames, jobsSchema } from './database-names.js';

/** A schema that this release cannot use, or a login that lacks what it needs. The message names the remedy. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Makes the role and the schemas that are missing, and lets the login act as the role. Whatever was made beforehand is used.
 * @param client connected as the owner, in a transaction
 * @param login that of the service
 */
export async function makeNames(
  client: pg.Client,
  names: DatabaseNames,
  login: string,
): Promise<void> {
  await requireOwnTables(client, names);
  await makeRole(client, names.role, login);
  await letActAs(client, names.role, login);
  for (const schema of [names.schema, jobsSchema(names)]) await makeSchema(client, schema);
  const [schema, role] = [names.schema, names.role].map((name) => client.escapeIdentifier(name));
  await client.query(`grant usage on schema ${schema} to ${role}`);
}

/** A copied or renamed database, or a changed setting, names another role than the one with the rights on the tables. */
async function requireOwnTables(client: pg.Client, { role, schema }: DatabaseNames): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct r.rolname as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) g join pg_roles r on r.oid = g.grantee
    where n.nspname = $1 and c.relname = 'decisions' and g.privilege_type = 'INSERT' and r.oid <> c.relowner
    order by 1`,
    [schema],
  );
  const found = rows.map(({ name }) => name);
  if (found.length === 0 || found.includes(role)) return;
  throw new MigrationError(
    `the tables in the schema ${schema} may be used by the role ${found.join(', ')}, and not by ${role}: set ` +
      `LEDGER_DATABASE_ROLE=${found[0]}`,
  );
}

/** Roles are shared by all databases of a server, so another process may create this one concurrently. */
async function makeRole(client: pg.Client, role: string, login: string): Promise<void> {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rows.length > 0) return;
  const name = client.escapeIdentifier(role);
  await client.query('savepoint missing');
  try {
    await client.query(`create role ${name} nologin`);
  } catch (error) {
    if (isRefused(error)) throw mayNotCreate(role, login, client.user ?? '', error);
    if (!(error instanceof pg.DatabaseError) || !EXISTS.has(error.code ?? '')) throw error;
    await client.query('rollback to savepoint missing');
  }
}

/** SQLSTATE duplicate_object and unique_violation. */
const EXISTS = new Set(['42710', '23505']);

/** SQLSTATE insufficient_privilege. */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42501';
}

function mayNotCreate(role: string, login: string, owner: string, cause: unknown) {
  return new MigrationError(
    `the role ${role} does not exist, and the login ${owner} may not create roles: set LEDGER_DATABASE_OWNER_URL to a login ` +
      `that may, or let an administrator run \`create role ${pg.escapeIdentifier(role)} nologin; ${grantSql(role, login)}\``,
    { cause },
  );
}

function grantSql(role: string, login: string): string {
  return `grant ${pg.escapeIdentifier(role)} to ${pg.escapeIdentifier(login)}`;
}

async function letActAs(client: pg.Client, role: string, login: string): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    // From PostgreSQL 16, membership does not imply the right to SET ROLE.
    `select pg_has_role($1, $2, case
        when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) as may`,
    [login, role],
  );
  if (rows[0]?.may === true) return;
  try {
    await client.query(grantSql(role, login));
  } catch (error) {
    throw isRefused(error) ? belongsToOthers(role, login, client.user ?? '', error) : error;
  }
}

function belongsToOthers(role: string, login: string, owner: string, cause: unknown) {
  return new MigrationError(
    `the role ${role} exists on this server already, perhaps for another installation: the login ${login} may not act as ` +
      `it, and ${owner} may not grant it. Set LEDGER_DATABASE_ROLE to a name of this installation's own, or let the one ` +
      `who created the role, or a superuser, run \`${grantSql(role, login)}\``,
    { cause },
  );
}

/** CREATE SCHEMA IF NOT EXISTS needs the right to create one also if it exists. */
async function makeSchema(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query('select from pg_namespace where nspname = $1', [schema]);
  if (rows.length === 0) await client.query(`create schema ${pg.escapeIdentifier(schema)}`);
}
