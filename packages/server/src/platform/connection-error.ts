import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Patience } from './connection.js';

/** The environment variables with the addresses of the database. */
export type DatabaseVariable =
  | 'DATABASE_URL'
  | 'DATABASE_DIRECT_URL'
  | 'DATABASE_READ_URL'
  | 'LEDGER_DATABASE_OWNER_URL';

/** The database cannot be used. The message names it without password, and the remedy. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    message: string,
    options?: ErrorOptions & {
      /** Whether the server may be starting or recovering, so that a later attempt may succeed. */
      readonly isTemporary?: boolean;
    },
  ) {
    super(message, options);
    this.isTemporary = options?.isTemporary ?? false;
  }

  readonly isTemporary: boolean;
}

const RETRY_MS = 1000;

/**
 * Waits until a server that is away, starting or recovering accepts connections.
 * @throws ConnectionError at once if waiting does not help, or when patience ends
 */
export async function awaitServer(
  config: pg.ClientConfig,
  variable: DatabaseVariable,
  { awayMs, noticeMs, onWait }: Patience,
): Promise<void> {
  let nextNotice = 0;
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      const client = await connectNamed(config, variable);
      await client.end();
      return;
    } catch (error) {
      if (!(error instanceof ConnectionError && error.isTemporary) || waited >= awayMs) throw error;
      if (waited >= nextNotice) {
        onWait(waited, error.message);
        nextNotice += noticeMs;
      }
      await pause(RETRY_MS);
    }
  }
}

/** Timeout for a server that does not respond, in ms. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens a dedicated connection.
 * @throws ConnectionError
 */
export async function connectNamed(
  config: pg.ClientConfig,
  variable: DatabaseVariable,
): Promise<pg.Client> {
  const client = clientOf(config, variable);
  try {
    await client.connect();
    return client;
  } catch (error) {
    // A refused connection may still be half open.
    client.end().catch(() => undefined);
    throw new ConnectionError(sentenceOf(error, client, variable), {
      ...{ cause: error, isTemporary: isTemporary(error) },
    });
  }
}

/** @throws ConnectionError for an address that is none */
export function clientOf(config: pg.ClientConfig, variable: DatabaseVariable): pg.Client {
  try {
    return new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...config });
  } catch (error) {
    // The driver's error would contain the address with its password.
    const isFile = error instanceof Error && 'path' in error && typeof error.path === 'string';
    throw new ConnectionError(
      isFile
        ? `${variable} names the file ${error.path}, which cannot be read (${codeOf(error)}): correct its path`
        : `${variable} is not a valid address: write it as postgres://user:password@host:5432/database, with ` +
            'special characters in the password percent-encoded',
    );
  }
}

/** The server starts, recovers, is not there yet, or has no connection left. */
const TEMPORARY =
  /^(57P03|57P0[12]|53300|ECONNREFUSED|ECONNRESET|ENOENT|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT)$/;

function isTemporary(error: unknown): boolean {
  return (
    TEMPORARY.test(codeOf(error)) ||
    /timeout|server login|cannot connect|no more connections/i.test(said(error))
  );
}

function sentenceOf(error: unknown, client: pg.Client, variable: DatabaseVariable): string {
  const { host, port, database = '', user = '' } = client;
  const place = `${variable}: the PostgreSQL at ${host}:${port}`;
  const code = codeOf(error);
  const answered = BY_STATE.get(code);
  if (answered !== undefined) return `${place} ${answered({ database, user, said: said(error) })}`;
  const failed = BY_SYSTEM.get(code) ?? BY_TEXT.find(([text]) => text.test(said(error)))?.[1];
  if (failed !== undefined) return `${place} ${failed}`;
  if (/CERT|ERR_TLS|ERR_SSL|EPROTO/.test(code)) {
    return (
      `${place} has a certificate that is not trusted (${code}): pass the authority that signed it in ` +
      'sslrootcert=/path/to/ca.pem in the address, or correct the host name'
    );
  }
  return `${place} cannot be used: ${said(error)}`;
}

interface Asked {
  readonly database: string;
  readonly user: string;
  /** The server's message. */
  readonly said: string;
}

/** Errors of the server (PostgreSQL, appendix A) or of a pooler in front of it. */
const BY_STATE: ReadonlyMap<string, (asked: Asked) => string> = new Map<
  string,
  (asked: Asked) => string
>([
  [
    '28P01',
    ({ user }) =>
      `refuses the password of the login ${user}: correct user and password in the address`,
  ],
  ['28000', (asked) => refusedLogin(asked)],
  [
    '3D000',
    ({ database }) =>
      `has no database ${database}: create it (createdb ${database}), or correct its name in the address`,
  ],
  [
    '53300',
    ({ user, said }) =>
      `refuses the login ${user}, because its limit on connections is reached (${said}): raise max_connections, ` +
      'or the CONNECTION LIMIT of the role or of the database, or lower LEDGER_DATABASE_CONNECTIONS of the processes',
  ],
  ['57P03', () => 'is starting, stopping or recovering: retry when it accepts connections'],
  [
    '08P01',
    ({ said }) =>
      `or a pooler in front of it refuses the connection (${said}): connect to the server itself, or ` +
      'set pool_mode = transaction or session in the pooler',
  ],
]);

function refusedLogin({ database, user, said }: Asked): string {
  return /no encryption|SSL/i.test(said)
    ? `refuses the login ${user} without TLS, or by its rules (${said}): add ?sslmode=require to the ` +
        'address, or let pg_hba.conf admit the connection'
    : `refuses the login ${user} to the database ${database} (${said}): create the role, or let ` +
        'pg_hba.conf admit it';
}

const START_IT = 'start the server, or correct host and port in the address';
const NO_HOST =
  'cannot be found: no host of that name is known; correct it in the address, or repair the name resolution';
const NO_ANSWER =
  'does not answer: correct host and port in the address, or allow the connection in the network and its firewalls';

const BY_SYSTEM: ReadonlyMap<string, string> = new Map([
  [
    'EMFILE',
    'cannot be asked, because the limit on open files of this process is reached: raise it to 1024 or more ' +
      '(ulimit -n 1024, or LimitNOFILE= in a unit of systemd)',
  ],
  ['ECONNREFUSED', `cannot be reached, nothing listens there: ${START_IT}`],
  ['ENOENT', `cannot be reached, there is no such socket: ${START_IT}`],
  ['EACCES', 'cannot be reached, the socket is not for this user: let it use the socket'],
  ['ENOTFOUND', NO_HOST],
  ['EAI_AGAIN', NO_HOST],
  ['ETIMEDOUT', NO_ANSWER],
  ['EHOSTUNREACH', NO_ANSWER],
  ['ENETUNREACH', NO_ANSWER],
]);

const CUT =
  'closes the connection immediately: check that it is a PostgreSQL server, and read its log';

const BY_TEXT: readonly (readonly [RegExp, string])[] = [
  [
    /does not support SSL/,
    'offers no TLS: switch it on there (ssl = on), or leave sslmode out of the address',
  ],
  [/timeout/i, NO_ANSWER],
  [/terminated|ECONNRESET|EPIPE/, CUT],
];

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
