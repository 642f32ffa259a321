import { join } from 'node:path';
import type { Config, EmbeddedStorage, PostgresStorage } from './config.js';
import { type DatabaseAddress, ownerClient, serviceClient } from './platform/address.js';
import { type Database, openDatabase } from './platform/database.js';
import { findRunningEngine, startEngine } from './platform/embedded/engine.js';
import { migrate, readSchemaVersion } from './platform/migrate.js';
import { localNews, type News, postgresNews } from './platform/news.js';
import { loadMasterKey } from './platform/secrets.js';
import { preparedDatabase } from './prepared-database.js';

/** The database, migrated and open. */
export interface Storage {
  readonly db: Database;
  /** Where transactions of this process, and of others as far as they can be heard, are told of. */
  readonly news: News;
  readonly address: DatabaseAddress;
  readonly masterKey: Buffer;
  readonly schemaVersion: number;
  /** Whether this process runs the embedded engine: no other service works on it meanwhile. */
  readonly ownsEngine: boolean;
  close(): Promise<void>;
}

export interface StorageOptions {
  /** Whether a running server's engine will do; a server itself must have its own. */
  readonly share: boolean;
  /** A connection broke; the next one may do better. */
  readonly onConnectionError: (error: Error) => void;
  /** The embedded engine ended by itself: this process can serve no more. */
  readonly onEngineFailure: (error: Error) => void;
}

/** Connections to the embedded engine: it works on one statement at a time anyway. */
const EMBEDDED_CONNECTIONS = 4;

export async function openStorage(config: Config, options: StorageOptions): Promise<Storage> {
  return config.storage.kind === 'embedded'
    ? openEmbedded(config, config.storage, options)
    : openPostgres(config, config.storage, options);
}

async function openEmbedded(
  config: Config,
  { dataDir }: EmbeddedStorage,
  { share, onConnectionError, onEngineFailure }: StorageOptions,
): Promise<Storage> {
  const running = share ? await findRunningEngine(dataDir) : null;
  const engine =
    running === null
      ? await startEngine({
          ...{ dataDir, onFailure: onEngineFailure },
          prepared: await preparedDatabase(),
        })
      : null;
  const socketPath = running?.socketPath ?? engine?.socketPath ?? '';
  const address = { kind: 'embedded', socketPath } as const;
  try {
    const masterKey = loadMasterKey(
      config.masterKey === null
        ? { file: join(dataDir, 'master.key') }
        : { base64: config.masterKey },
    );
    const stopEngine = () => engine?.stop();
    const opened = await openMigrated(
      address,
      masterKey,
      EMBEDDED_CONNECTIONS,
      onConnectionError,
      stopEngine,
    );
    return { ...opened, ownsEngine: engine !== null };
  } catch (error) {
    await engine?.stop();
    throw error;
  }
}

async function openPostgres(
  config: Config,
  { url, ownerUrl, maxConnections }: PostgresStorage,
  { onConnectionError }: StorageOptions,
): Promise<Storage> {
  const masterKey = loadMasterKey({ base64: config.masterKey ?? '' });
  const address = { kind: 'postgres', url, ownerUrl } as const;
  const opened = await openMigrated(
    address,
    masterKey,
    maxConnections,
    onConnectionError,
    () => undefined,
  );
  return { ...opened, ownsEngine: false };
}

async function bringUpToDate(address: DatabaseAddress): Promise<number> {
  const current = await readSchemaVersion(serviceClient(address));
  if (current !== null) return current;
  const login = address.kind === 'postgres' ? new URL(address.url).username : undefined;
  return (await migrate(ownerClient(address), login)).version;
}

async function openMigrated(
  address: DatabaseAddress,
  masterKey: Buffer,
  maxConnections: number,
  onError: (error: Error) => void,
  stopEngine: () => Promise<void> | undefined,
): Promise<Omit<Storage, 'ownsEngine'>> {
  const version = await bringUpToDate(address);
  const news =
    address.kind === 'embedded'
      ? localNews()
      : postgresNews({ client: serviceClient(address), onError });
  const db = openDatabase({
    client: serviceClient(address),
    // The engine's own server acts as the role that the connection names.
    role: address.kind === 'embedded' ? null : 'ledger_app',
    maxConnections,
    onError,
    onNews: news.tell,
  });
  return {
    ...{ db, news, address, masterKey, schemaVersion: version },
    async close() {
      await news.close();
      await db.close();
      await stopEngine();
    },
  };
}
