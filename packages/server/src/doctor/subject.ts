import { existsSync } from 'node:fs';
import { databaseFolder } from '@decision-ledger/embedded/data-folder';
import { type Engine, findRunningEngine, startEngine } from '@decision-ledger/embedded/engine';
import { EngineError } from '@decision-ledger/embedded/engine-error';
import type { Config } from '../config.js';
import {
  type DatabaseAddress,
  type Patience,
  type PostgresAddress,
  serviceLogin,
  transactionSql,
} from '../platform/connection.js';
import { connectNamed } from '../platform/connection-error.js';
import { type Database, openDatabase } from '../platform/database.js';
import { reasonOf } from '../platform/failures.js';
import { Keyring } from '../platform/keyring/keyring.js';
import { loadGivenKeys } from '../platform/keyring/load.js';
import { postgresAddress } from '../platform/postgres-address.js';
import { inspectAddress } from '../platform/sessions.js';
import { type Installation, installationOf } from '../platform/statement.js';
import { type Finding, failed, ok } from './finding.js';

/** The database as the service sees it; neither created nor migrated. */
interface OpenDatabase {
  readonly db: Database;
  readonly installation: Installation;
  readonly address: DatabaseAddress;
  readonly isRunning: boolean;
  close(): Promise<void>;
}

/** What is checked. */
export interface DoctorSubject {
  readonly config: Config;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Null if it cannot be opened. */
  readonly database: OpenDatabase | null;
  /** What opening it found. */
  readonly opening: Finding;
  readonly onProgress: (done: number, of: number) => void;
}

/**
 * Opens the database: through the running service if there is one.
 * @returns the database, or null, and what a check of it says
 */
export async function openForChecks(
  config: Config,
  patience: Patience,
): Promise<readonly [OpenDatabase | null, Finding]> {
  try {
    const opened = await open(config, patience);
    try {
      await opened.db.ping();
      return [opened, ok(opened.isRunning ? 'a running service answers' : 'it opens and answers')];
    } catch (error) {
      await opened.close();
      throw error;
    }
  } catch (error) {
    return [null, cannotOpen(error)];
  }
}

async function open({ storage, ...config }: Config, patience: Patience): Promise<OpenDatabase> {
  if (storage.kind === 'postgres') {
    const keyIds = new Keyring(loadGivenKeys(config)).keys.map(({ id }) => id);
    const address = await inspectAddress(postgresAddress(storage, keyIds), patience);
    await requireRole(address);
    const db = connect(address, patience);
    return {
      db,
      installation: installationOf(db),
      address,
      isRunning: false,
      close: () => db.close(),
    };
  }
  const { dataDir } = storage;
  const { connectMs, onWait } = patience;
  if (!existsSync(databaseFolder(dataDir))) throw new Error(`there is no database in ${dataDir}`);
  const running = await findRunningEngine(dataDir, { waitMs: connectMs, onWait });
  const engine: Engine | null =
    running === null
      ? await startEngine({ dataDir, onWait: ({ waitedMs, work }) => onWait(waitedMs, work) })
      : null;
  const socketPath = running?.socketPath ?? engine?.socketPath ?? '';
  const address = { kind: 'embedded', socketPath } as const;
  const db = connect(address, patience);
  const close = async () => {
    await db.close();
    await engine?.stop();
  };
  return { db, installation: installationOf(db), address, isRunning: engine === null, close };
}

/** @throws Error if the login cannot act as the role of the service */
async function requireRole(address: PostgresAddress): Promise<void> {
  const login = serviceLogin(address);
  const client = await connectNamed(login.client, 'DATABASE_URL');
  try {
    await client.query(transactionSql(login));
  } catch (error) {
    const { login, names } = address;
    throw new Error(
      `the login ${login} cannot act as the role ${names.role} (${reasonOf(error)}): run decision-ledger migrate, ` +
        'which names what is missing',
    );
  } finally {
    await client.end();
  }
}

function connect(address: DatabaseAddress, patience: Patience): Database {
  return openDatabase({ ...serviceLogin(address), maxConnections: 1, patience });
}

function cannotOpen(error: unknown): Finding {
  const found = error instanceof Error ? error.message : String(error);
  if (!(error instanceof EngineError)) return failed(found, 'Correct what the message names');
  return failed(found.slice(0, -error.remedy.length).trim().replace(/\.$/, ''), error.remedy);
}
