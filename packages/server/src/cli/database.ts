import { readConfig } from '../config.js';
import { requireRemembered } from '../domains/evidence/transparency/index.js';
import {
  InstallationError,
  readCertificate,
  setDamagedAside,
} from '../installation/certificate.js';
import { requireInstallation } from '../installation/require-installation.js';
import { namesOf } from '../platform/connection.js';
import { purge } from '../platform/purge.js';
import type { Service } from '../service.js';
import { openStorage } from '../storage.js';
import { PATIENCE, withLedgers } from './open.js';
import { CommandError, print, printError, printJson, progressBar } from './output.js';

export async function migrateDatabase(options: { json?: boolean }): Promise<void> {
  let bar: ReturnType<typeof progressBar> | undefined;
  const onTable = (done: number, of: number) => {
    bar ??= progressBar('tables');
    bar.update(done, of);
  };
  const storage = await openStorage(readConfig(process.env), {
    share: true,
    patience: PATIENCE,
    placing: { movesRows: true, onTable },
    onConnectionError: printError,
    onEngineFailure: printError,
  }).finally(() => bar?.stop());
  await storage.close();
  const version = storage.schemaVersion;
  const { schema, role } = namesOf(storage.address);
  if (options.json === true) printJson({ schema_version: version, schema, role });
  else
    print(`The schema ${schema} is at version ${version}. The service acts as the role ${role}.`);
}

export async function purgeDatabase(options: { json?: boolean }): Promise<void> {
  const done = await withLedgers(async ({ storage }) => {
    const bar = progressBar('purge');
    try {
      return await purge(storage.address, (step, of) => bar.update(step, of));
    } finally {
      bar.stop();
    }
  });
  const { tables, logFiles, left } = done ?? { tables: [], logFiles: 0, left: [] };
  if (left.length > 0) {
    throw new CommandError(`some data could not be purged:\n  ${left.join('\n  ')}`);
  }
  if (options.json === true) return printJson({ tables, log_files: logFiles });
  if (done === null) return print('There is nothing to purge, because nothing was erased.');
  print(`Tables rewritten: ${tables.length}. Log files overwritten: ${logFiles}.`);
}

/** Issues a missing or damaged certificate of the data folder again, from a database that has all it signed. */
export async function certify(options: { json?: boolean }): Promise<void> {
  const { dataDir } = readConfig(process.env);
  const { damaged, ledgers } = await withLedgers((service) => issueAgain(service, dataDir), {
    opensUnaccepted: true,
    isAlone: true,
  });
  if (options.json === true) return printJson({ folder: dataDir, ledgers, damaged });
  if (damaged !== null) print(`The damaged certificate was kept as ${damaged}.`);
  print(`${dataDir}/installation.json certifies ${ledgers} ledgers.`);
}

async function issueAgain({ certificate, ...service }: Service, dataDir: string) {
  const isReadable = !isDamaged(dataDir);
  if (isReadable) await requireInstallation({ ...service, dataDir, needsCertificate: false });
  await requireRemembered(service, service.signedNotes);
  const damaged = isReadable ? null : setDamagedAside(dataDir);
  await certificate.issue();
  return { damaged, ledgers: readCertificate(dataDir)?.ledgers.length ?? 0 };
}

/** One that cannot be read is left to the permissions of the file. */
function isDamaged(dataDir: string): boolean {
  try {
    readCertificate(dataDir);
    return false;
  } catch (error) {
    if (error instanceof InstallationError && error.cause === undefined) return true;
    throw error;
  }
}
