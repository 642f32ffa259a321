import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { LIMITS } from '@decision-ledger/contract/limits';
import { Check } from 'typebox/value';
import { Environment, type LOG_LEVELS, type ROLES } from './environment.js';
import {
  type AllowedAddresses,
  AllowedAddressesError,
  readAllowedAddresses,
} from './platform/allowed-addresses.js';
import { isUnfitRole } from './platform/database-names.js';
import {
  type FilesAddress,
  FilesUrlError,
  readFilesUrl,
  type S3Credentials,
} from './platform/files/address.js';
import { SecretFileError, withSecretFiles } from './platform/secret-files.js';

/** An invalid environment variable. The message names it and the remedy. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const MIB = 1024 * 1024;

export interface EmbeddedStorage {
  readonly kind: 'embedded';
  /** Absolute path. */
  readonly dataDir: string;
}

export interface PostgresStorage {
  readonly kind: 'postgres';
  readonly url: string;
  readonly ownerUrl: string;
  /** The same database without a pooler; null if that is not set. */
  readonly directUrl: string | null;
  /** Of a server that follows this one; null if that is not set. */
  readonly readUrl: string | null;
  /** Null for the one that follows the database. */
  readonly role: string | null;
  readonly schema: string;
  readonly maxConnections: number;
}

export interface Config {
  readonly storage: EmbeddedStorage | PostgresStorage;
  /** Absolute path of the folder of this process: with PostgreSQL, not that of the database. */
  readonly dataDir: string;
  readonly files: FilesAddress;
  /** Absolute path of the working folder of exports. */
  readonly workDir: string;
  /** Absolute path of the folder of the last checkpoints that this machine signed. */
  readonly signedDir: string;
  /** Base64; null if the embedded engine stores the key. */
  readonly masterKey: string | null;
  /** Base64: the former key, during a rotation. */
  readonly previousMasterKey: string | null;
  readonly role: (typeof ROLES)[number];
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | null;
  readonly hasDashboard: boolean;
  readonly trustProxy: readonly string[];
  readonly allowedAddresses: AllowedAddresses;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly intake: Intake;
}

/** Limits on concurrent requests of a process. */
export interface Intake {
  readonly connections: number;
  readonly requestSeconds: number;
  readonly bodyBytes: number;
}

/** @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = readEnvironment(withSecrets(env));
  const port = Number(set.LEDGER_PORT ?? '8080');
  if (port > 65_535) throw new ConfigError('LEDGER_PORT must be at most 65535');
  if (set.LEDGER_PUBLIC_URL !== undefined && !URL.canParse(set.LEDGER_PUBLIC_URL)) {
    throw new ConfigError('LEDGER_PUBLIC_URL must be a URL such as https://ledger.example.com');
  }
  if (set.LEDGER_MASTER_KEY_PREVIOUS !== undefined && set.LEDGER_MASTER_KEY === undefined) {
    throw new ConfigError('LEDGER_MASTER_KEY_PREVIOUS requires the new key in LEDGER_MASTER_KEY');
  }
  const storage = readStorage(set);
  const role = set.LEDGER_ROLE ?? 'all';
  if (storage.kind === 'embedded' && role !== 'all') {
    throw new ConfigError(
      `LEDGER_ROLE=${role} requires PostgreSQL: set DATABASE_URL, or leave LEDGER_ROLE unset`,
    );
  }
  const dataDir = resolve(set.LEDGER_DATA_DIR ?? './data');
  return {
    storage,
    dataDir,
    files: readFiles(set),
    workDir: join(dataDir, 'exports'),
    signedDir: join(dataDir, 'signed'),
    role,
    masterKey: set.LEDGER_MASTER_KEY ?? null,
    previousMasterKey: set.LEDGER_MASTER_KEY_PREVIOUS ?? null,
    host: set.LEDGER_HOST ?? '127.0.0.1',
    port,
    publicUrl: set.LEDGER_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    hasDashboard: set.LEDGER_DASHBOARD !== 'off',
    trustProxy: readProxies(set.LEDGER_TRUST_PROXY),
    allowedAddresses: readAllowed(set.LEDGER_ALLOW_PRIVATE_ADDRESSES),
    logLevel: set.LEDGER_LOG_LEVEL ?? 'info',
    intake: readIntake(set),
  };
}

/** A batch of the maximum size must fit into a key's share, which is a quarter. */
const MIN_BODY_MIB = (4 * LIMITS.batchBodyBytes) / MIB;

function readIntake(set: Environment): Intake {
  const bodyMib = Number(set.LEDGER_BODY_MEMORY_MIB ?? '512');
  if (bodyMib < MIN_BODY_MIB) {
    throw new ConfigError(`LEDGER_BODY_MEMORY_MIB must be at least ${MIN_BODY_MIB}`);
  }
  return {
    connections: Number(set.LEDGER_CONNECTIONS ?? '5000'),
    requestSeconds: Number(set.LEDGER_REQUEST_SECONDS ?? '60'),
    bodyBytes: bodyMib * MIB,
  };
}

function withSecrets(env: Readonly<Record<string, string | undefined>>): typeof env {
  try {
    return withSecretFiles(env);
  } catch (error) {
    if (error instanceof SecretFileError) throw new ConfigError(error.message);
    throw error;
  }
}

function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const set: Record<string, string> = {};
  for (const [name, schema] of Object.entries(Environment.properties)) {
    const value = env[name];
    // Many process managers set unused variables to an empty string.
    if (value === undefined || value === '') continue;
    if (!Check(schema, value)) {
      throw new ConfigError(`${name} is not valid. ${descriptionOf(schema)}`);
    }
    set[name] = value;
  }
  if (!Check(Environment, set)) throw new ConfigError('the environment is not valid');
  return set;
}

/** The description of a variable, as in the documentation. */
export function descriptionOf(schema: object): string {
  return 'description' in schema ? String(schema.description) : '';
}

const DATABASE_URLS = [
  ...(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const),
  'LEDGER_DATABASE_OWNER_URL',
] as const;

function readStorage(set: Environment): Config['storage'] {
  if (set.DATABASE_URL === undefined) {
    return { kind: 'embedded', dataDir: resolve(set.LEDGER_DATA_DIR ?? './data') };
  }
  for (const name of DATABASE_URLS) {
    const url = set[name];
    if (url !== undefined && !/^postgres(ql)?:\/\//.test(url)) {
      throw new ConfigError(`${name} must begin with postgres:// or postgresql://`);
    }
  }
  if (set.LEDGER_MASTER_KEY === undefined) {
    throw new ConfigError(
      'LEDGER_MASTER_KEY is required with DATABASE_URL, and must be the same for every process: ' +
        'create one with `openssl rand -base64 32` and store it safely',
    );
  }
  const { LEDGER_DATABASE_ROLE: role = null, DATABASE_DIRECT_URL: directUrl = null } = set;
  if (role !== null && isUnfitRole(role)) {
    throw new ConfigError(
      'LEDGER_DATABASE_ROLE is not the name of a role: it may have up to 63 bytes and no control characters, must not ' +
        'begin with pg_, and is neither public nor none',
    );
  }
  return {
    kind: 'postgres',
    url: set.DATABASE_URL,
    ownerUrl: set.LEDGER_DATABASE_OWNER_URL ?? directUrl ?? set.DATABASE_URL,
    directUrl,
    readUrl: set.DATABASE_READ_URL ?? null,
    role,
    schema: set.LEDGER_DATABASE_SCHEMA ?? 'public',
    maxConnections: Number(set.LEDGER_DATABASE_CONNECTIONS ?? '10'),
  };
}

function readFiles(set: Environment): FilesAddress {
  const { LEDGER_FILES_URL: url, LEDGER_DATA_DIR: dataDir = './data' } = set;
  if (url === undefined) return { kind: 'folder', path: join(resolve(dataDir), 'files') };
  const place = readFilesPlace(url);
  return place.kind === 'folder' ? place : { ...place, credentials: readCredentials(set) };
}

function readFilesPlace(url: string): ReturnType<typeof readFilesUrl> {
  try {
    return readFilesUrl(url);
  } catch (error) {
    if (error instanceof FilesUrlError) throw new ConfigError(`LEDGER_FILES_URL ${error.message}`);
    throw error;
  }
}

function readCredentials(set: Environment): S3Credentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = set;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required with an s3:// LEDGER_FILES_URL',
    );
  }
  const token = set.AWS_SESSION_TOKEN;
  return { accessKeyId, secretAccessKey, ...(token !== undefined && { sessionToken: token }) };
}

function readAllowed(text: string | undefined): AllowedAddresses {
  try {
    return readAllowedAddresses(text);
  } catch (error) {
    if (!(error instanceof AllowedAddressesError)) throw error;
    throw new ConfigError(`LEDGER_ALLOW_PRIVATE_ADDRESSES: ${error.message}`);
  }
}

function readProxies(text: string | undefined): string[] {
  if (text === undefined) return [];
  return text.split(',').map((part) => {
    const proxy = part.trim();
    const [address = '', bits, ...rest] = proxy.split('/');
    const valid = isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits ?? '0');
    if (!valid)
      throw new ConfigError(`LEDGER_TRUST_PROXY: ${proxy} is not an IP address or network`);
    return proxy;
  });
}
