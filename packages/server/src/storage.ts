import { randomBytes } from 'node:crypto';
import { databaseFolder } from '@decision-ledger/embedded/data-folder';
import { findRunningEngine, startEngine } from '@decision-ledger/embedded/engine';
import { damagedDatabase, folderError } from '@decision-ledger/embedded/folder-error';
import { withTable } from '@decision-ledger/embedded/inspect/relations';
import type { PreparedDatabase } from '@decision-ledger/embedded/prepared';
import type { Config, EmbeddedStorage, PostgresStorage } from './config.js';
import { beginInstallation } from './installation/data-folder.js';
import { certificateOf, type InstallationCertificate } from './installation/issue-certificate.js';
import { refuseEmptied, requireInstallation } from './installation/require-installation.js';
import { bringUpToDate } from './platform/bring-up-to-date.js';
import { type Clock, systemClock } from './platform/clock.js';
import type { Placing } from './platform/cluster/place-tables.js';
import {
  type DatabaseAddress,
  namesOf,
  newsLogin,
  type Patience,
  QUICK,
  serviceLogin,
} from './platform/connection.js';
import { ConnectionError } from './platform/connection-error.js';
import { type Database, openDatabase } from './platform/database.js';
import { newsChannel } from './platform/database-names.js';
import { damageIn } from './platform/failures.js';
import { Keyring } from './platform/keyring/keyring.js';
import {
  hasKeyFile,
  loadGivenKeys,
  loadKeyFiles,
  replaceKeyFile,
} from './platform/keyring/load.js';
import { type KeyState, selectKeyState } from './platform/keyring/state.js';
import { type LedgerContext, ledgerContext } from './platform/ledger.js';
import {
  localNotifications,
  type Notifications,
  postgresNotifications,
} from './platform/notifications.js';
import { postgresAddress } from './platform/postgres-address.js';
import { MasterKeyError } from './platform/secrets.js';
import { inspectAddress } from './platform/sessions.js';
import { type Installation, installationOf } from './platform/statement.js';
import { preparedDatabase } from './prepared-database.js';

/** The opened and migrated database. */
export interface Storage {
  readonly db: Database;
  /** Notifications about commits of this process, and of other processes where possible. */
  readonly notifications: Notifications;
  readonly address: DatabaseAddress;
  /** Not yet checked against the database. */
  readonly keyring: Keyring;
  /** Ends a rotation of a key that is stored in a file: the new key replaces the former one. */
  replaceKey(): void;
  readonly schemaVersion: number;
  /** Access to all ledgers. */
  readonly installation: Installation;
  readonly certificate: InstallationCertificate;
  /** Whether this process runs the embedded engine, with exclusive use of the database. */
  readonly ownsEngine: boolean;
  close(): Promise<void>;
}

export interface StorageOptions {
  /** Whether a running server's engine may be used; a server needs its own. */
  readonly share: boolean;
  readonly clock?: Clock;
  /** Whether the master key is checked against the database; not needed for work without secrets. */
  readonly needsKey?: boolean;
  /** Whether the master key will be changed; if it is stored in a file, a new one is created. */
  readonly changesKey?: boolean;
  /** Whether a lost master key is replaced, so that a missing file is made although the database had another one. */
  readonly replacesKey?: boolean;
  /** Whether a database may be open that lacks records which it is known to have had; only to look into that. */
  readonly opensUnaccepted?: boolean;
  /** What a new embedded database is copied from. Default: the empty one of the build. */
  readonly prepared?: PreparedDatabase;
  /** Whether rows may be moved to the nodes of a cluster, and who is told. Default: only new tables are placed. */
  readonly placing?: Placing;
  /** The time of the embedded database in place of the system's: see `EngineOptions`. */
  readonly databaseTime?: SharedArrayBuffer;
  /** How long to wait for a connection. Default: as a service. */
  readonly patience?: Patience;
  /** A connection broke; later ones may succeed. */
  readonly onConnectionError: (error: Error) => void;
  /** The embedded engine failed, so this process cannot continue. */
  readonly onEngineFailure: (error: Error) => void;
  /** An answer of the database reported damaged data. */
  readonly onDamage?: (place: string) => void;
}

/** Connections to the embedded engine, which runs one statement at a time. */
const EMBEDDED_CONNECTIONS = 4;

export async function openStorage(config: Config, options: StorageOptions): Promise<Storage> {
  return config.storage.kind === 'embedded'
    ? openEmbedded(config, config.storage, options)
    : openPostgres(config, config.storage, options);
}

/** An error that reports damaged data, for the operator; any other one as it is. */
export function explainDamage({ storage }: Config, error: unknown): unknown {
  const place = damageIn(error);
  if (place === null) return error;
  return storage.kind === 'embedded'
    ? damagedDatabase(databaseFolder(storage.dataDir), place, error)
    : new ConnectionError(
        `DATABASE_URL: the database reports damaged data: ${place}: let \`decision-ledger doctor\` check it, ` +
          'and restore a backup',
        { cause: error },
      );
}

/** A damaged place with the name of the table, if its folder is at hand. */
export function placeOf({ storage }: Config, place: string): string {
  return storage.kind === 'embedded' ? withTable(databaseFolder(storage.dataDir), place) : place;
}

async function openEmbedded(
  config: Config,
  { dataDir }: EmbeddedStorage,
  options: StorageOptions,
): Promise<Storage> {
  const { share, patience = QUICK, databaseTime, clock = systemClock } = options;
  const { connectMs, onWait } = patience;
  const running = share ? await findRunningEngine(dataDir, { waitMs: connectMs, onWait }) : null;
  const engine =
    running === null
      ? await startEngine({
          dataDir,
          onFailure: options.onEngineFailure,
          beforeCreate: () => beginInstallation(dataDir, clock.now()),
          prepared: options.prepared ?? (await preparedDatabase()),
          onWait: ({ work, waitedMs, idleMs }) => onWait(waitedMs, progressOf(work, idleMs)),
          ...(databaseTime !== undefined && { time: databaseTime }),
        })
      : null;
  const socketPath = running?.socketPath ?? engine?.socketPath ?? '';
  const address = { kind: 'embedded', socketPath } as const;
  let opened: Opened | null = null;
  try {
    const context = ledgerContext(clock);
    const pool = { ...options, context, maxConnections: EMBEDDED_CONNECTIONS, patience };
    opened = await openMigrated(address, pool, () => engine?.stop());
    const compared = await compare(opened.db, config, options);
    const isFile = config.masterKey === null;
    const keys = isFile
      ? loadFolderKeys(dataDir, await selectKeyState(opened.db), options)
      : loadGivenKeys(config);
    // The process that runs the engine owns the key files.
    const replaceKey = () => {
      if (isFile && keys.length > 1 && running === null) replaceKeyFile(dataDir);
    };
    const keyring = new Keyring(keys);
    return { ...opened, ...compared, keyring, replaceKey, ownsEngine: engine !== null };
  } catch (error) {
    await opened?.close();
    await engine?.stop();
    throw error;
  }
}

/** From this time on, an engine that reads and writes nothing is reported as such, in ms. */
const IDLE_MS = 30_000;

function progressOf(work: string, idleMs: number): string {
  return idleMs < IDLE_MS
    ? work
    : `${work}; no file was read or written for ${Math.round(idleMs / 1000)} s`;
}

/** Compares an opened database with the data folder, before anything is made in the folder. */
async function compare(
  db: Database,
  { storage, dataDir }: Config,
  { opensUnaccepted = false }: StorageOptions,
): Promise<Pick<Storage, 'installation' | 'certificate'>> {
  const installation = installationOf(db);
  const { clock } = db.context;
  const place = { installation, dataDir, needsCertificate: storage.kind === 'embedded' };
  if (!opensUnaccepted) await requireInstallation(place);
  return { installation, certificate: certificateOf({ db, installation, dataDir, clock }) };
}

function loadFolderKeys(
  dataDir: string,
  used: KeyState | null,
  { needsKey = true, changesKey = false, replacesKey = false }: StorageOptions,
): Buffer[] {
  const makes = { first: replacesKey || used === null, next: changesKey };
  // A missing key is not replaced, and this work needs none.
  if (!makes.first && !needsKey && !hasKeyFile(dataDir)) return [randomBytes(32)];
  try {
    return loadKeyFiles(dataDir, makes);
  } catch (error) {
    throw error instanceof MasterKeyError ? error : folderError(dataDir, error);
  }
}

async function openPostgres(
  config: Config,
  storage: PostgresStorage,
  options: StorageOptions,
): Promise<Storage> {
  const { patience = QUICK } = options;
  const keyring = new Keyring(loadGivenKeys(config));
  const keyIds = keyring.keys.map(({ id }) => id);
  const address = await inspectAddress(postgresAddress(storage, keyIds), patience);
  const { client } = serviceLogin(address);
  if (options.opensUnaccepted !== true) {
    await refuseEmptied(client, address.names.schema, config.dataDir);
  }
  const context = ledgerContext(options.clock);
  const pool = { ...options, context, maxConnections: storage.maxConnections, patience };
  const opened = await openMigrated(address, pool, () => undefined);
  try {
    const compared = await compare(opened.db, config, options);
    const replaceKey = () => undefined;
    return { ...opened, ...compared, keyring, replaceKey, ownsEngine: false };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

type Opened = Omit<
  Storage,
  'installation' | 'certificate' | 'keyring' | 'ownsEngine' | 'replaceKey'
>;

interface PoolOptions {
  readonly context: LedgerContext;
  readonly maxConnections: number;
  readonly patience: Patience;
  readonly placing?: Placing;
  readonly onConnectionError: (error: Error) => void;
  readonly onDamage?: (place: string) => void;
}

/** Without a connection of their own, other processes look for news once a second. */
function openNotifications(
  address: DatabaseAddress,
  onError: (error: Error) => void,
): Notifications {
  const login = newsLogin(address);
  if (login === null) return localNotifications();
  const news = postgresNotifications({ login, channel: newsChannel(namesOf(address)), onError });
  // Behind a pooler, this connection alone shows the keys of the process.
  if (address.kind === 'postgres' && address.isPooled) news.listen(() => undefined);
  return news;
}

async function openMigrated(
  address: DatabaseAddress,
  options: PoolOptions,
  stopEngine: () => Promise<void> | undefined,
): Promise<Opened> {
  const { context, maxConnections, patience, onConnectionError: onError, onDamage } = options;
  const version = await bringUpToDate(address, options);
  const login = serviceLogin(address);
  const notifications = openNotifications(address, onError);
  const db = openDatabase({
    ...login,
    context,
    maxConnections,
    patience,
    onError,
    onNotification: notifications.notify,
    ...(onDamage !== undefined && { onDamage }),
  });
  return {
    db,
    notifications,
    address,
    schemaVersion: version,
    async close() {
      await notifications.close();
      await db.close();
      await stopEngine();
    },
  };
}
