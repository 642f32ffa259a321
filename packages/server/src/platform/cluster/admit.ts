import pg from 'pg';
import { SETTINGS } from '../connection.js';
import { LIMITS } from '../connection-mode.js';
import { MigrationError } from '../migrate-names.js';

/**
 * Nodes connect to one another as the role of the service, and what a session was told does not reach them: the role may log
 * in, and has the settings itself.
 */
export async function admitBetweenNodes(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ login: boolean; settings: string[] | null }>(
    `select r.rolcanlogin as login, s.setconfig as settings from pg_roles r
    left join pg_db_role_setting s on s.setrole = r.oid and s.setdatabase = 0 where r.rolname = $1`,
    [role],
  );
  const { login = false, settings } = rows[0] ?? {};
  const missing = [...SETTINGS, ...LIMITS]
    .map((setting) => setting.split(' = '))
    .filter(([name = '', value = '']) => !settings?.includes(`${name}=${value}`));
  const name = pg.escapeIdentifier(role);
  const statements = [
    ...(login ? [] : [`alter role ${name} login`]),
    ...missing.map(([key, value]) => `alter role ${name} set ${key} = ${value}`),
  ];
  try {
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error;
    throw new MigrationError(
      `the nodes connect to one another as the role ${role}, and ${client.user} may not change it: let an administrator run ` +
        `\`${statements.join('; ')}\` on the coordinator`,
      { cause: error },
    );
  }
}
