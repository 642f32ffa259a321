import type pg from 'pg';
import { hasCitus } from './cluster/layout.js';
import {
  type DatabaseAddress,
  type Login,
  ownerLogin,
  type Patience,
  type PostgresAddress,
  serviceLogin,
  sessionSql,
} from './connection.js';
import {
  awaitServer,
  ConnectionError,
  clientOf,
  connectNamed,
  type DatabaseVariable,
} from './connection-error.js';
import { reasonOf } from './failures.js';

/**
 * Waits until the server accepts connections, and looks at what is between it and this process.
 * @throws ConnectionError
 */
export async function inspectAddress(
  address: PostgresAddress,
  patience: Patience,
): Promise<PostgresAddress> {
  const { client } = serviceLogin(address);
  await awaitServer(client, 'DATABASE_URL', patience);
  const isPooled = !(await keepsSessions(client, 'DATABASE_URL'));
  if (isPooled) await requireTransactions(client);
  const { directUrl } = address;
  if (directUrl !== null) await requireSame(client, { connectionString: directUrl });
  return { ...address, isPooled, isCluster: await hasNodes(client) };
}

async function hasNodes(config: pg.ClientConfig): Promise<boolean> {
  const client = await connectNamed(config, 'DATABASE_URL');
  try {
    return await hasCitus(client);
  } finally {
    await client.end();
  }
}

/**
 * Opens a connection of the owner of the schema.
 * @param connectMs how long to wait for it; 0 waits as long as it takes
 * @throws ConnectionError, also behind a pooler in transaction mode
 */
export async function connectOwner(
  address: DatabaseAddress,
  connectMs?: number,
): Promise<pg.Client> {
  const login = await ownerInSession(address);
  const timed = connectMs === undefined ? {} : { connectionTimeoutMillis: connectMs };
  const client = await connectNamed({ ...login.client, ...timed }, OWNER);
  try {
    await client.query(sessionSql(login));
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * How the owner of the schema connects.
 * @throws ConnectionError behind a pooler in transaction mode
 */
export async function ownerInSession(address: DatabaseAddress): Promise<Login> {
  const login = ownerLogin(address);
  if (address.kind === 'postgres') await requireSessions(login.client, OWNER);
  return login;
}

const OWNER = 'LEDGER_DATABASE_OWNER_URL';

/** @throws ConnectionError behind a pooler that gives each statement another connection */
async function requireTransactions(config: pg.ClientConfig): Promise<void> {
  const client = await connectNamed(config, 'DATABASE_URL');
  try {
    await client.query('begin');
    await client.query('commit');
  } catch (error) {
    throw new ConnectionError(
      `DATABASE_URL: the pooler at ${client.host}:${client.port} takes no transactions (${reasonOf(error)}): set ` +
        'pool_mode = transaction or session there',
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @throws ConnectionError unless the second address is that of the same database, without a pooler */
async function requireSame(pooled: pg.ClientConfig, direct: pg.ClientConfig): Promise<void> {
  await requireSessions(direct, 'DATABASE_DIRECT_URL');
  const [one, other] = [
    await identityOf(pooled, 'DATABASE_URL'),
    await identityOf(direct, 'DATABASE_DIRECT_URL'),
  ];
  if (one === other) return;
  throw new ConnectionError(
    'DATABASE_DIRECT_URL and DATABASE_URL name different databases: both have to lead to one database of one server',
  );
}

/** A standby has started at another time. */
async function identityOf(config: pg.ClientConfig, variable: DatabaseVariable): Promise<string> {
  const client = await connectNamed(config, variable);
  try {
    const { rows } = await client.query<{ identity: string }>(
      `select concat(oid, ' ', extract(epoch from pg_postmaster_start_time())) as identity
       from pg_database where datname = current_database()`,
    );
    return rows[0]?.identity ?? '';
  } finally {
    await client.end();
  }
}

/**
 * Query timeout in ms: with a single-connection pooler, the second client would wait for the first. A busy server takes
 * seconds for its answer.
 */
const QUERY_TIMEOUT_MS = 30_000;

/** How often both connections are asked in turn. A pooler that hands out its connections in a circle needs two rounds. */
const ROUNDS = 4;

/**
 * Whether a connection is to one process of the server for as long as it is open. Behind a pooler in transaction mode, each
 * transaction goes to any of them.
 * @throws ConnectionError
 */
export async function keepsSessions(
  config: pg.ClientConfig,
  variable: DatabaseVariable,
): Promise<boolean> {
  const limited = { ...config, query_timeout: QUERY_TIMEOUT_MS };
  const first = await connectNamed(limited, variable);
  try {
    const own = await processOf(first);
    const second = await connectNamed(limited, variable);
    try {
      const other = await processOf(second).catch((error: unknown) => {
        throw hangs(second, variable, error);
      });
      for (let round = 0; round < ROUNDS; round += 1) {
        if ((await processOf(first)) !== own || (await processOf(second)) !== other) return false;
      }
      if (own === other) return false;
      // It takes whichever process is free, which may be that of the other connection.
      await second.query('begin');
      await processOf(second);
      return (await processOf(first).catch(() => null)) === own;
    } finally {
      await second.end();
    }
  } finally {
    await first.end();
  }
}

/** @throws ConnectionError behind a pooler in transaction mode */
async function requireSessions(
  config: pg.ClientConfig,
  variable: keyof typeof REMEDIES,
): Promise<void> {
  if (await keepsSessions(config, variable)) return;
  const { host, port } = clientOf(config, variable);
  throw new ConnectionError(
    `${variable}: the pooler at ${host}:${port} uses another connection for each transaction, and this needs ` +
      `persistent sessions: ${REMEDIES[variable]}`,
  );
}

const REMEDIES = {
  DATABASE_DIRECT_URL: 'name the server itself there',
  LEDGER_DATABASE_OWNER_URL:
    'name the server itself there, or, if that variable is not set, in DATABASE_DIRECT_URL',
};

async function processOf(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? null;
}

function hangs(
  { host, port }: pg.Client,
  variable: DatabaseVariable,
  error: unknown,
): ConnectionError {
  return new ConnectionError(
    `${variable}: a second connection to ${host}:${port} gets no answer (${reasonOf(error)}): a pooler there needs ` +
      'more than one connection to the server',
  );
}
