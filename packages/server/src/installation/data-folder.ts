import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { folderError } from '@decision-ledger/embedded/folder-error';
import { listSigned } from '../platform/signed-folder.js';
import {
  type CertifiedLedger,
  InstallationError,
  readCertificate,
  writeCertificate,
} from './certificate.js';

/** What a first start puts into the folder after the certificate, and a ledger leaves behind without its database. */
const TRACES = ['master.key', 'master.key.next', 'keys.json'] as const;

/**
 * Begins an installation in a folder without a database: its certificate is on disk before anything else is made.
 * @param now ms
 * @throws InstallationError if the folder had a database, EngineError if it cannot be written
 */
export async function beginInstallation(dataDir: string, now: number): Promise<void> {
  await refuseLostDatabase(dataDir);
  if (readCertificate(dataDir) !== null) return;
  const certificate = { installation_id: randomUUID(), created_at: formatTimestamp(now) };
  await writeCertificate(dataDir, { ...certificate, ledgers: [] }).catch((error: unknown) => {
    throw folderError(dataDir, error);
  });
}

/**
 * Refuses a folder without a database that had one.
 * @throws InstallationError
 */
export async function refuseLostDatabase(dataDir: string): Promise<void> {
  const certificate = readCertificate(dataDir);
  const [first] = certificate?.ledgers ?? [];
  if (first !== undefined) {
    const others = (certificate?.ledgers.length ?? 0) - 1;
    throw lost(
      dataDir,
      `its certificate names the ledger ${ledgerLabel(first)}${andOthers(others)}`,
    );
  }
  const signed = await listSigned(join(dataDir, 'signed'));
  if (signed.length > 0) throw lost(dataDir, `${join(dataDir, 'signed')} has ${signed[0]}`);
  // Until an organisation is certified, a first start that was killed may have left these.
  const trace =
    certificate === null ? TRACES.find((name) => isFile(join(dataDir, name))) : undefined;
  if (trace !== undefined) throw lost(dataDir, `it has ${trace}`);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The id of a ledger, with its organisation and mode. */
export function ledgerLabel({ ledger, organisation_name, mode }: CertifiedLedger): string {
  return `${ledger} (${organisation_name}, ${mode})`;
}

export function andOthers(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' and another one' : ` and ${count} others`;
}

function lost(dataDir: string, what: string): InstallationError {
  return new InstallationError(
    `the database of ${dataDir} is missing: there is no ${join(dataDir, 'pg')}, but ${what}. Nothing was changed. ` +
      'Put `pg` back, or restore a backup into a new folder with `decision-ledger restore FILE --data FOLDER`. For a ' +
      'new, empty ledger, move this folder away or set LEDGER_DATA_DIR to another one',
  );
}
