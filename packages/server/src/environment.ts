import { type Static, Type } from 'typebox';

const Text = (description: string, fallback?: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      description,
      ...(fallback !== undefined && { default: fallback }),
    }),
  );

/** What a process does: answer requests, work in the background, or both. */
export const ROLES = ['all', 'api', 'worker'] as const;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

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
  LEDGER_DATA_DIR: Text(
    'Folder of the embedded engine, of exports while they are made, and of finished ones unless ' +
      'LEDGER_FILES_URL is set.',
    './data',
  ),
  DATABASE_URL: Text('A PostgreSQL 15 or newer; the embedded engine serves unless it is set.'),
  LEDGER_DATABASE_OWNER_URL: Text(
    'The same database as the owner of its schema, for migrations; DATABASE_URL unless set.',
  ),
  LEDGER_MASTER_KEY: Text(
    '32 random bytes in base64, from which the keys for secrets, cursors and idempotency are ' +
      'derived. Required with DATABASE_URL; the embedded engine makes master.key by itself.',
  ),
  LEDGER_MASTER_KEY_PREVIOUS: Text(
    'While the master key is changed: the one before, and the new one in LEDGER_MASTER_KEY.',
  ),
  LEDGER_FILES_URL: Text(
    'Where finished exports are kept: file:///absolute/folder, or s3://bucket/prefix with the ' +
      'parameters endpoint, region and path_style; the folder files in LEDGER_DATA_DIR unless set.',
  ),
  AWS_ACCESS_KEY_ID: Text('For s3:// in LEDGER_FILES_URL: the key that opens the bucket.'),
  AWS_SECRET_ACCESS_KEY: Text('For s3:// in LEDGER_FILES_URL: the secret of that key.'),
  AWS_SESSION_TOKEN: Text('For s3:// in LEDGER_FILES_URL: with a temporary key, its token.'),
  LEDGER_ROLE: Type.Optional(
    Type.Enum([...ROLES], {
      default: 'all',
      description:
        'api answers requests, worker does the background work, all does both. With the ' +
        'embedded engine only all.',
    }),
  ),
  LEDGER_KEY: Text(
    'For the command line: an API key that says which organisation and which ledger a command ' +
      'works on. The service itself reads none.',
  ),
  LEDGER_PUBLIC_URL: Text(
    'Address under which callers reach the service, for what it prints and for download_url; the ' +
      'address that it listens on unless set.',
  ),
  LEDGER_TRUST_PROXY: Text(
    'Addresses or networks of the proxies whose X-Forwarded-For is believed, with commas.',
  ),
  LEDGER_ALLOW_PRIVATE_ADDRESSES: Text(
    'Private addresses that settings of tenants may name, such as that of an hledger-web on this ' +
      'host: host names, addresses and networks with commas (127.0.0.1,books.internal,10.0.0.0/8), ' +
      'or true for all of them. Metadata services of clouds are only opened by their own address.',
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
  LEDGER_CONNECTIONS: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,5}$',
      default: '5000',
      description: 'Most connections of callers that one process holds open, streams included.',
    }),
  ),
  LEDGER_REQUEST_SECONDS: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,3}$',
      default: '60',
      description: 'Seconds that a request may take to arrive; its headers have a quarter of them.',
    }),
  ),
  LEDGER_BODY_MEMORY_MIB: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,5}$',
      default: '512',
      description:
        'MiB of memory for the bodies that one process reads and works on, at least 32; an ' +
        'organisation has half of them, a key a quarter.',
    }),
  ),
});
export type Environment = Static<typeof Environment>;
