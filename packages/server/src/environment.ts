import { type Static, Type } from 'typebox';

const Text = (description: string, fallback?: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      description,
      ...(fallback !== undefined && { default: fallback }),
    }),
  );

/** The roles of a process: serve requests, do background work, or both. */
export const ROLES = ['all', 'api', 'worker'] as const;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const FileOf = (name: string) => Text(`File with the value of ${name}, instead of that variable.`);

/** The schema of all environment variables; the documentation is generated from it. */
export const Environment = Type.Object({
  LEDGER_PORT: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,5}$',
      default: '8080',
      description: 'Port to listen on; 0 selects a free port.',
    }),
  ),
  LEDGER_HOST: Text('Address to listen on.', '127.0.0.1'),
  LEDGER_DATA_DIR: Text(
    'Folder of the embedded engine and of exports in progress, and of finished exports unless ' +
      'LEDGER_FILES_URL is set.',
    './data',
  ),
  DATABASE_URL: Text(
    'URL of a PostgreSQL database, version 15 or newer. Default: the embedded engine.',
  ),
  DATABASE_URL_FILE: FileOf('DATABASE_URL'),
  DATABASE_DIRECT_URL: Text(
    'URL of the same database and login without a pooler, if there is one in transaction mode at DATABASE_URL: for ' +
      'notifications and for work of the owner. Without it, processes notice new records of each other within a second.',
  ),
  DATABASE_DIRECT_URL_FILE: FileOf('DATABASE_DIRECT_URL'),
  DATABASE_READ_URL: Text(
    'URL of a server that follows this database (a standby), where analytics, searches and chain verifications over ' +
      'HTTP are read as soon as it has all records.',
  ),
  DATABASE_READ_URL_FILE: FileOf('DATABASE_READ_URL'),
  LEDGER_DATABASE_OWNER_URL: Text(
    'URL of the same database with the owner of its schema, for migrations. Default: DATABASE_DIRECT_URL, else ' +
      'DATABASE_URL.',
  ),
  LEDGER_DATABASE_OWNER_URL_FILE: FileOf('LEDGER_DATABASE_OWNER_URL'),
  LEDGER_DATABASE_ROLE: Text(
    'The PostgreSQL role that the service acts as. Default: ledger_app_ and the name of the database, then a dot and ' +
      'LEDGER_DATABASE_SCHEMA if that is set.',
  ),
  LEDGER_DATABASE_SCHEMA: Type.Optional(
    Type.String({
      pattern: '^(?!pg_)[a-z_][a-z0-9_]{0,57}$',
      default: 'public',
      description:
        'The PostgreSQL schema of all tables; those of background jobs are in the schema of that name with _jobs. Up to 58 ' +
        'lower-case letters, digits and underscores, beginning with no digit and not with pg_.',
    }),
  ),
  LEDGER_MASTER_KEY: Text(
    '32 random bytes in base64. The keys for secrets, cursors and idempotency are derived from ' +
      'them. Required with DATABASE_URL; the embedded engine creates master.key itself.',
  ),
  LEDGER_MASTER_KEY_FILE: FileOf('LEDGER_MASTER_KEY'),
  LEDGER_MASTER_KEY_PREVIOUS: Text(
    'During a rotation of the master key: the old key, with the new one in LEDGER_MASTER_KEY.',
  ),
  LEDGER_MASTER_KEY_PREVIOUS_FILE: FileOf('LEDGER_MASTER_KEY_PREVIOUS'),
  LEDGER_FILES_URL: Text(
    'Where finished exports are stored: file:///absolute/folder, or s3://bucket/prefix with the ' +
      'parameters endpoint, region and path_style. Default: the folder files in LEDGER_DATA_DIR.',
  ),
  AWS_ACCESS_KEY_ID: Text('For s3:// in LEDGER_FILES_URL: the access key of the bucket.'),
  AWS_SECRET_ACCESS_KEY: Text('For s3:// in LEDGER_FILES_URL: the secret of that key.'),
  AWS_SECRET_ACCESS_KEY_FILE: FileOf('AWS_SECRET_ACCESS_KEY'),
  AWS_SESSION_TOKEN: Text('For s3:// in LEDGER_FILES_URL: the session token of a temporary key.'),
  LEDGER_ROLE: Type.Optional(
    Type.Enum([...ROLES], {
      default: 'all',
      description:
        'api serves requests, worker does background work, all does both. The embedded engine ' +
        'supports only all.',
    }),
  ),
  LEDGER_KEY: Text(
    'For the command line: an API key that selects the organisation and ledger of a command. The ' +
      'service itself does not read it.',
  ),
  LEDGER_URL: Text(
    'For the commands of MCP: the address of the service that decisions are recorded in. The service ' +
      'itself does not read it.',
  ),
  LEDGER_READ_KEY: Text(
    'For the commands `mcp` and `mcp-http`: an API key with the permission read. With it, agents can ' +
      'read the ledger. The service itself does not read it.',
  ),
  LEDGER_MCP_TOKEN: Text(
    'For the command `mcp-http`: the bearer token that clients must send. The service itself does not ' +
      'read it.',
  ),
  LEDGER_PUBLIC_URL: Text(
    'Public URL of the service, used in its output and in download_url; with the path, if a proxy has ' +
      'it below one. Default: the address that it listens on.',
  ),
  LEDGER_DASHBOARD: Type.Optional(
    Type.Enum(['on', 'off'], {
      default: 'on',
      description: 'Whether the service serves the dashboard at /, and its documentation at /docs.',
    }),
  ),
  LEDGER_TRUST_PROXY: Text(
    'Comma-separated addresses or networks of trusted proxies, whose X-Forwarded-For and X-Forwarded-Prefix ' +
      'are used.',
  ),
  LEDGER_ALLOW_PRIVATE_ADDRESSES: Text(
    'Private addresses that settings of tenants may use, such as an hledger-web on this ' +
      'host: comma-separated host names, addresses and networks (127.0.0.1,books.internal,10.0.0.0/8), ' +
      'or true for all of them. Cloud metadata services must be listed by their exact address.',
  ),
  LEDGER_LOG_LEVEL: Type.Optional(
    Type.Enum([...LOG_LEVELS], {
      default: 'info',
      description: 'Minimum level of log messages.',
    }),
  ),
  LEDGER_DATABASE_CONNECTIONS: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,2}$',
      default: '10',
      description: 'Maximum number of connections of one process to PostgreSQL.',
    }),
  ),
  LEDGER_CONNECTIONS: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,5}$',
      default: '5000',
      description: 'Maximum number of client connections of one process, streams included.',
    }),
  ),
  LEDGER_REQUEST_SECONDS: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,3}$',
      default: '60',
      description:
        'Seconds within which a request must arrive; its headers have a quarter of that time.',
    }),
  ),
  LEDGER_BODY_MEMORY_MIB: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,5}$',
      default: '512',
      description:
        'MiB of memory for the request bodies of one process, at least 32. An organisation may use ' +
        'half of it, a key a quarter.',
    }),
  ),
});
export type Environment = Static<typeof Environment>;
