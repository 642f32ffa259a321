import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUSINESS } from '@decision-ledger/demo/settings';
import { YEAR_MS } from '@decision-ledger/demo/year';
import { databaseFolder } from '@decision-ledger/embedded/data-folder';
import { makeFolder } from '@decision-ledger/embedded/make-folder';
import { type PreparedDatabase, packDatabase } from '@decision-ledger/embedded/prepared';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { readConfig } from '../../config.js';
import { selectLedgers } from '../../domains/access/organisations/index.js';
import { CERTIFICATE, readCertificate, writeCertificate } from '../../installation/certificate.js';
import type { Patience } from '../../platform/connection.js';
import { toScope } from '../../platform/principal.js';
import { preparedDatabase } from '../../prepared-database.js';
import { openService } from '../../service.js';
import { VERSION } from '../../version.js';
import { prepareFirstStart } from '../first-start.js';
import { type DemoYear, prepareYear } from './prepare-year.js';
import { movingTime } from './record-acts.js';

/** A year of business, ready to be copied into a data folder. */
export interface PreparedDemo {
  readonly database: PreparedDatabase;
  /** What belongs into the data folder besides the database. */
  readonly folder: string;
}

export interface DemoOptions {
  /** Cases of agents in the year. */
  readonly cases: number;
  /** ms: a new year ends here. */
  readonly now: number;
  /** Called before a preparation. */
  readonly onStart: () => void;
  /** Called with the done share of a preparation, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

const DATABASE = 'database.bin';
const DATA = 'data';
/** What a data folder holds besides the database: its certificate, keys and files of exports. */
const KEPT = [CERTIFICATE, 'master.key', 'keys.json', 'files'];
/** A year that ended longer ago looks abandoned, and is prepared again. */
const FRESH_MS = 45 * 24 * 3_600_000;
/** A draft that is older was left by a process that was killed. */
const DRAFT_MS = 3_600_000;
const SEED = 'harbour-and-pine';

/** Prepares a demo if there is none, or if it is of another release or too old. */
export async function preparedDemo(options: DemoOptions): Promise<PreparedDemo> {
  const { cases, now } = options;
  const cache = cacheFolder();
  const { madeOf } = await preparedDatabase();
  const prefix = `demo-${cases}-`;
  const folder = join(cache, prefix + keyOf(madeOf));
  const demo = { database: { file: join(folder, DATABASE), madeOf }, folder: join(folder, DATA) };
  if (existsSync(folder) && now - statSync(join(folder, DATABASE)).mtimeMs < FRESH_MS) return demo;
  makeFolder(cache);
  removeOthers(cache, prefix, now);
  options.onStart();
  const draft = mkdtempSync(join(cache, `${prefix}draft-`));
  const remove = () => rmSync(draft, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const { onProgress } = options;
    const dataDir = join(draft, DATA);
    await makeDemo(dataDir, { seed: SEED, end: now, cases, onProgress });
    await pack(draft, dataDir, madeOf);
    install(draft, folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
  return demo;
}

/** In a checkout that of builds, else that of the user. */
function cacheFolder(): string {
  const server = fileURLToPath(new URL('../../../', import.meta.url));
  if (existsSync(join(server, 'tsconfig.json'))) return join(dirname(dirname(server)), '.build');
  return join(homedir(), '.cache', 'decision-ledger');
}

/** A hash of the database's layout and of the code that makes the year. */
function keyOf(madeOf: string): string {
  const parts = [madeOf, VERSION];
  for (const file of [import.meta.resolve('@decision-ledger/demo/year'), import.meta.url]) {
    const path = fileURLToPath(new URL('./', file));
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names.filter((entry) => entry.endsWith('.js'))) {
      parts.push(name, sha256Hex(readFileSync(join(path, name), 'utf8')));
    }
  }
  return sha256Hex(parts.join('\n')).slice(0, 16);
}

function removeOthers(cache: string, prefix: string, now: number): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (!name.startsWith(prefix)) continue;
    const isDraft = name.startsWith(`${prefix}draft-`);
    if (isDraft && now - statSync(path).mtimeMs < DRAFT_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

async function pack(draft: string, dataDir: string, madeOf: string): Promise<void> {
  const packed = await packDatabase(databaseFolder(dataDir), madeOf);
  const certificate = readCertificate(dataDir);
  if (certificate === null) throw new Error('the prepared demo has no certificate');
  // The service that uses a copy certifies the ledgers of its own database.
  await writeCertificate(dataDir, { ...certificate, ledgers: [] });
  writeFileSync(join(draft, DATABASE), packed, { mode: 0o600 });
  for (const name of readdirSync(dataDir)) {
    if (!KEPT.includes(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

/** Another process may have installed the same one since. */
function install(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(join(folder, DATABASE))) throw error;
  }
}

/** Copies all but the database, which the engine copies itself, into an empty folder. */
export function copyDemo({ folder }: PreparedDemo, dataDir: string): void {
  makeFolder(dataDir);
  cpSync(folder, dataDir, { recursive: true, mode: 0 });
}

/** Nobody waits for an answer, and on a busy machine a transaction of the nightly work takes long. */
const PATIENCE: Patience = {
  ...{ connectMs: 300_000, awayMs: 0, noticeMs: 300_000 },
  onWait: () => undefined,
};

/** Makes a data folder with a year of business in its test ledger. */
async function makeDemo(dataDir: string, year: DemoYear): Promise<void> {
  const time = movingTime(year.end - YEAR_MS);
  const fail = (error: Error) => {
    throw error;
  };
  const service = await openService(readConfig({ LEDGER_DATA_DIR: dataDir }), {
    ...{ share: false, clock: time, databaseTime: time.shared, patience: PATIENCE },
    ...{ onConnectionError: fail, onEngineFailure: fail },
  });
  try {
    await prepareFirstStart(service, dataDir, BUSINESS);
    const ledgers = await selectLedgers(service.installation);
    const ledger = ledgers.find(({ mode }) => mode === 'test');
    if (ledger === undefined) throw new Error('the demo has no test ledger');
    await prepareYear(service.db.ledger(toScope(ledger)), service, time, year);
  } finally {
    await service.close();
  }
}
