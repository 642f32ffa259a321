import type { PostgresAddress } from './connection.js';
import { ConnectionError, clientOf } from './connection-error.js';
import { type DatabaseNames, defaultRole } from './database-names.js';

/** What the operator says of a PostgreSQL database. */
interface PostgresPlace {
  readonly url: string;
  readonly ownerUrl: string;
  /** Null if there is none beside `url`. */
  readonly directUrl: string | null;
  /** Of a server that follows this one; null if there is none. */
  readonly readUrl: string | null;
  /** Null for the one that follows the database. */
  readonly role: string | null;
  readonly schema: string;
}

/**
 * The address as it was given: see `inspectAddress`.
 * @throws ConnectionError
 */
export function postgresAddress(
  { role, schema, ...urls }: PostgresPlace,
  keyIds: readonly string[],
): PostgresAddress {
  const { url, ownerUrl, readUrl } = urls;
  const { user: login = '', database = '' } = clientOf({ connectionString: url }, 'DATABASE_URL');
  if (readUrl !== null) clientOf({ connectionString: readUrl }, 'DATABASE_READ_URL');
  const names: DatabaseNames = { role: role ?? defaultRole(database, schema), schema };
  const owner = clientOf({ connectionString: ownerUrl }, 'LEDGER_DATABASE_OWNER_URL');
  for (const user of [login, owner.user]) {
    if (user === names.role) throw sameAsLogin(user);
  }
  return { kind: 'postgres', ...urls, isPooled: false, isCluster: false, login, names, keyIds };
}

function sameAsLogin(name: string): ConnectionError {
  return new ConnectionError(
    `the login ${name} cannot be the role of the service, too, which may do less than the owner of the tables: set ` +
      'LEDGER_DATABASE_ROLE to another name',
  );
}
