import { engineClientConfig } from '@decision-ledger/embedded/connection';
import pg, { type ClientConfig } from 'pg';
import { type DatabaseNames, EMBEDDED_NAMES, searchPath } from './database-names.js';

/** The address of the database, in a form that can be passed to another thread. */
export type DatabaseAddress = EmbeddedAddress | PostgresAddress;

interface EmbeddedAddress {
  readonly kind: 'embedded';
  readonly socketPath: string;
}

export interface PostgresAddress {
  readonly kind: 'postgres';
  readonly url: string;
  readonly ownerUrl: string;
  /** The user of `url`. */
  readonly login: string;
  readonly names: DatabaseNames;
  /** Public names of this process's master keys, which its connections announce. */
  readonly keyIds: readonly string[];
}

export function namesOf(address: DatabaseAddress): DatabaseNames {
  return address.kind === 'embedded' ? EMBEDDED_NAMES : address.names;
}

/** How to connect: the driver's options, and what each new connection sends first. */
export interface Login {
  readonly client: ClientConfig;
  readonly session: string;
}

/** As the service's role. */
export function serviceLogin(address: DatabaseAddress): Login {
  const session = sessionOf(address);
  if (address.kind === 'embedded') {
    // The engine's server sets the role from the user name of the connection.
    return { client: engineClientConfig(address.socketPath, 'ledger_app'), session };
  }
  const client = {
    connectionString: address.url,
    application_name: ['decision-ledger', ...address.keyIds].join(' '),
  };
  return { client, session: `${session}; set role ${pg.escapeIdentifier(address.names.role)}` };
}

/** As the owner of the schema. */
export function ownerLogin(address: DatabaseAddress): Login {
  const client =
    address.kind === 'embedded'
      ? engineClientConfig(address.socketPath, 'postgres')
      : { connectionString: address.ownerUrl, application_name: 'decision-ledger migrate' };
  return { client, session: sessionOf(address) };
}

function sessionOf(address: DatabaseAddress): string {
  return `${SESSION}; set search_path = ${searchPath(namesOf(address))}`;
}

/** So that neither durability nor what is read depends on the defaults of the server, the database or the login. */
const SESSION = [
  ...['timezone = utc', 'datestyle = iso', 'intervalstyle = postgres', 'bytea_output = hex'],
  ...['extra_float_digits = 1', 'synchronous_commit = on'],
  ...["default_transaction_isolation = 'read committed'", 'default_transaction_read_only = off'],
  'default_transaction_deferrable = off',
]
  .map((setting) => `set ${setting}`)
  .join('; ');

/** How long to wait for a database that is busy, starting or away. */
export interface Patience {
  /** For a connection, in ms; 0 waits as long as it takes. */
  readonly connectMs: number;
  /** At the start, for a server that is away or recovering, in ms. */
  readonly awayMs: number;
  /** How often `onWait` is called, in ms. */
  readonly noticeMs: number;
  /** Called while a connection is awaited, with the ms since then, and why if that is known. */
  readonly onWait: (waitedMs: number, reason?: string) => void;
}

/** That of a service, whose callers wait: they are answered 503 and try again. */
export const QUICK: Patience = {
  ...{ connectMs: 5000, awayMs: 0, noticeMs: 5000 },
  onWait: () => undefined,
};

/** Reports while work waits for a connection. */
export async function reportingWait<Result>(
  { noticeMs, onWait }: Patience,
  connect: () => Promise<Result>,
): Promise<Result> {
  let waited = 0;
  const notice = setInterval(() => {
    waited += noticeMs;
    onWait(waited);
  }, noticeMs);
  try {
    return await connect();
  } finally {
    clearInterval(notice);
  }
}
