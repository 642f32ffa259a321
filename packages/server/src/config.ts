import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';

/** A setting of the environment that cannot be used; the message names it and says what to do. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const Text = (description: string, fallback?: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      description,
      ...(fallback !== undefined && { default: fallback }),
    }),
  );

/** What a process does: answer requests, work in the background, or both. */
const ROLES = ['all', 'api', 'worker'] as const;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The one schema of the environment; the reference in the docs is made from it. */
export const Environment = Type.Object({
  LEDGER_PORT: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,5}$',
      default: '8080',
      description: 'Port to listen on; 0 takes a free one.',
    }),
  ),
  LEDGER_HOST: Text('Address to listen on.', '127.0.0.1'),
  LEDGER_DATA_DIR: Text('Folder of the embedded engine; unused with DATABASE_URL.', './data'),
  DATABASE_URL: Text('A PostgreSQL 15 or newer; the embedded engine serves unless it is set.'),
  LEDGER_DATABASE_OWNER_URL: Text(
    'The same database as the owner of its schema, for migrations; DATABASE_URL unless set.',
  ),
  LEDGER_MASTER_KEY: Text(
    '32 random bytes in base64, from which the keys for secrets, cursors and idempotency are ' +
      'derived. Required with DATABASE_URL; the embedded engine makes master.key by itself.',
  ),
  LEDGER_ROLE: Type.Optional(
    Type.Enum([...ROLES], {
      default: 'all',
      description:
        'api answers requests, worker does the background work, all does both. With the ' +
        'embedded engine only all.',
    }),
  ),
  LEDGER_PUBLIC_URL: Text('Address under which callers reach the service, for what it prints.'),
  LEDGER_TRUST_PROXY: Text(
    'Addresses or networks of the proxies whose X-Forwarded-For is believed, with commas.',
  ),
  LEDGER_LOG_LEVEL: Type.Optional(
    Type.Enum([...LOG_LEVELS], {
      default: 'info',
      description: 'How much is logged.',
    }),
  ),
  LEDGER_DATABASE_CONNECTIONS: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,2}$',
      default: '10',
      description: 'Most connections one process opens to PostgreSQL.',
    }),
  ),
});
type Environment = Static<typeof Environment>;

export interface EmbeddedStorage {
  readonly kind: 'embedded';
  /** Absolute path. */
  readonly dataDir: string;
}

export interface PostgresStorage {
  readonly kind: 'postgres';
  readonly url: string;
  readonly ownerUrl: string;
  readonly maxConnections: number;
}

export interface Config {
  readonly storage: EmbeddedStorage | PostgresStorage;
  /** Base64, unless the embedded engine keeps it. */
  readonly masterKey: string | null;
  readonly role: (typeof ROLES)[number];
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | null;
  readonly trustProxy: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = readEnvironment(env);
  const port = Number(set.LEDGER_PORT ?? '8080');
  if (port > 65_535) throw new ConfigError('LEDGER_PORT must be at most 65535');
  if (set.LEDGER_PUBLIC_URL !== undefined && !URL.canParse(set.LEDGER_PUBLIC_URL)) {
    throw new ConfigError('LEDGER_PUBLIC_URL must be a URL such as https://ledger.example.com');
  }
  const storage = readStorage(set);
  const role = set.LEDGER_ROLE ?? 'all';
  if (storage.kind === 'embedded' && role !== 'all') {
    throw new ConfigError(
      `LEDGER_ROLE=${role} needs a PostgreSQL: set DATABASE_URL, or leave LEDGER_ROLE unset`,
    );
  }
  return {
    storage,
    role,
    masterKey: set.LEDGER_MASTER_KEY ?? null,
    host: set.LEDGER_HOST ?? '127.0.0.1',
    port,
    publicUrl: set.LEDGER_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    trustProxy: readProxies(set.LEDGER_TRUST_PROXY),
    logLevel: set.LEDGER_LOG_LEVEL ?? 'info',
  };
}

function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const set: Record<string, string> = {};
  for (const [name, schema] of Object.entries(Environment.properties)) {
    const value = env[name];
    // An empty variable is how many launchers say that it is not set.
    if (value === undefined || value === '') continue;
    if (!Check(schema, value)) {
      throw new ConfigError(`${name} is not valid. ${descriptionOf(schema)}`);
    }
    set[name] = value;
  }
  if (!Check(Environment, set)) throw new ConfigError('the environment is not valid');
  return set;
}

/** What a variable is for, in the words of the reference. */
export function descriptionOf(schema: object): string {
  return 'description' in schema ? String(schema.description) : '';
}

function readStorage(set: Environment): Config['storage'] {
  if (set.DATABASE_URL === undefined) {
    return { kind: 'embedded', dataDir: resolve(set.LEDGER_DATA_DIR ?? './data') };
  }
  for (const name of ['DATABASE_URL', 'LEDGER_DATABASE_OWNER_URL'] as const) {
    const url = set[name];
    if (url !== undefined && !/^postgres(ql)?:\/\//.test(url)) {
      throw new ConfigError(`${name} must begin with postgres:// or postgresql://`);
    }
  }
  if (set.LEDGER_MASTER_KEY === undefined) {
    throw new ConfigError(
      'LEDGER_MASTER_KEY is required with DATABASE_URL, the same for every process: ' +
        'make one with `openssl rand -base64 32` and keep it safe',
    );
  }
  return {
    kind: 'postgres',
    url: set.DATABASE_URL,
    ownerUrl: set.LEDGER_DATABASE_OWNER_URL ?? set.DATABASE_URL,
    maxConnections: Number(set.LEDGER_DATABASE_CONNECTIONS ?? '10'),
  };
}

function readProxies(text: string | undefined): string[] {
  if (text === undefined) return [];
  return text.split(',').map((part) => {
    const proxy = part.trim();
    const [address = '', bits, ...rest] = proxy.split('/');
    const valid = isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits ?? '0');
    if (!valid) throw new ConfigError(`LEDGER_TRUST_PROXY: ${proxy} is no address or network`);
    return proxy;
  });
}
