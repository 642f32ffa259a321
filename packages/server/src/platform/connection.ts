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
  /** Whether a pooler there gives each transaction another connection. */
  readonly isPooled: boolean;
  /** Whether rows of a ledger may move to another node. */
  readonly isCluster: boolean;
  readonly ownerUrl: string;
  /** The same database without a pooler; null if there is no such address. */
  readonly directUrl: string | null;
  /** Of a server that follows this one; null if there is none. */
  readonly readUrl: string | null;
  /** The user of `url`. */
  readonly login: string;
  readonly names: DatabaseNames;
  /** Public names of this process's master keys, which its connections announce. */
  readonly keyIds: readonly string[];
}

export function namesOf(address: DatabaseAddress): DatabaseNames {
  return address.kind === 'embedded' ? EMBEDDED_NAMES : address.names;
}

/** The same for what the primary alone may say. */
export function withoutReplica(address: DatabaseAddress): DatabaseAddress {
  return address.kind === 'embedded' ? address : { ...address, readUrl: null };
}

/** How to connect, and what has to be set before anything is sent. */
export interface Login {
  readonly client: ClientConfig;
  /** Such as `timezone = utc`: see `sessionSql` and `transactionSql`. */
  readonly settings: readonly string[];
  /** Whether each transaction may be on another connection, so that nothing is kept from one to the next. */
  readonly isPooled: boolean;
  /** Whether rows of a ledger may move to another node. */
  readonly isCluster: boolean;
  readonly access: Access;
}

type Access = 'read write' | 'read only';

const SESSION = { isPooled: false, isCluster: false, access: 'read write' } as const;

/** As the service's role. */
export function serviceLogin(address: DatabaseAddress): Login {
  const settings = settingsOf(address);
  if (address.kind === 'embedded') {
    // The engine's server sets the role from the user name of the connection.
    const client = engineClientConfig(address.socketPath, 'ledger_app');
    return { client, settings, ...SESSION };
  }
  const { url, isPooled, isCluster, names } = address;
  return {
    // A pooler may show the name of a process that is gone.
    client: namedClient(url, isPooled ? POOLED : ['decision-ledger', ...address.keyIds].join(' ')),
    settings: [...settings, `role = ${pg.escapeLiteral(names.role)}`],
    ...{ isPooled, isCluster },
    access: 'read write',
  };
}

/** As the owner of the schema. */
export function ownerLogin(address: DatabaseAddress): Login {
  const client =
    address.kind === 'embedded'
      ? engineClientConfig(address.socketPath, 'postgres')
      : namedClient(address.ownerUrl, 'decision-ledger migrate');
  return { client, settings: settingsOf(address), ...SESSION };
}

/** As the service's role, for notifications to other processes: null if there are none, or only a pooler. */
export function newsLogin(address: DatabaseAddress): Login | null {
  if (address.kind === 'embedded') return null;
  const { directUrl, isPooled, url, keyIds } = address;
  const direct = directUrl ?? (isPooled ? null : url);
  if (direct === null) return null;
  const { settings } = serviceLogin(address);
  const client = namedClient(direct, ['decision-ledger news', ...keyIds].join(' '));
  return { client, settings, ...SESSION };
}

/** As the service's role, on a server that follows this one. Whether a pooler is before it does not matter. */
export function replicaLogin(address: DatabaseAddress): Login | null {
  if (address.kind === 'embedded' || address.readUrl === null) return null;
  const { settings } = serviceLogin(address);
  const client = namedClient(address.readUrl, POOLED);
  return { client, settings, isPooled: true, isCluster: false, access: 'read only' };
}

/** `application_name` of connections that do not show which process uses them. */
const POOLED = 'decision-ledger pooled';

function namedClient(connectionString: string, name: string): ClientConfig {
  return { connectionString, application_name: name };
}

/**
 * What a connection is told that keeps it.
 * @param more further settings
 */
export function sessionSql({ settings }: Login, more: readonly string[] = []): string {
  return [...settings, ...DEFAULTS_OF_TRANSACTIONS, ...more]
    .map((setting) => `set ${setting}`)
    .join('; ');
}

/**
 * Begins a transaction, whatever the connection was told before.
 * @param more further settings
 */
export function transactionSql({ settings, access }: Login, more: readonly string[] = []): string {
  const all = [...settings, ...more].map((setting) => `set local ${setting}`);
  return [`begin isolation level read committed, ${access}, not deferrable`, ...all].join('; ');
}

function settingsOf(address: DatabaseAddress): string[] {
  return [...SETTINGS, `search_path = ${searchPath(namesOf(address))}`];
}

/** So that neither durability nor what is read depends on the defaults of the server, the database or the login. */
export const SETTINGS = [
  ...['timezone = utc', 'datestyle = iso', 'intervalstyle = postgres', 'bytea_output = hex'],
  ...['extra_float_digits = 1', 'synchronous_commit = on'],
];

/** What `begin` alone means in a session. */
const DEFAULTS_OF_TRANSACTIONS = [
  "default_transaction_isolation = 'read committed'",
  'default_transaction_read_only = off',
  'default_transaction_deferrable = off',
];

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
