import { join } from 'node:path';
import type pg from 'pg';
import { connectNamed } from '../platform/connection-error.js';
import { uuidToId } from '../platform/ids.js';
import { readSigned } from '../platform/signed-folder.js';
import type { Installation } from '../platform/statement.js';
import { type Certificate, InstallationError, readCertificate } from './certificate.js';
import { andOthers, ledgerLabel } from './data-folder.js';
import { type StoredInstallation, selectInstallation } from './stored.js';

export interface ComparedPlace {
  readonly installation: Installation;
  readonly dataDir: string;
  /** Whether the folder is that of the database, so that it must have its certificate. */
  readonly needsCertificate: boolean;
}

const RESTORE = 'Nothing was changed. Put the right database back, or restore a backup';
const NEW_ONE =
  'for a new, empty ledger, move the folder away or set LEDGER_DATA_DIR to another one';

/**
 * Compares the ledgers of a database with the certificate of the data folder and the checkpoints in its `signed`.
 * @throws InstallationError if it is another database, or lacks a ledger
 */
export async function requireInstallation({
  installation,
  dataDir,
  needsCertificate,
}: ComparedPlace): Promise<void> {
  await compare(dataDir, needsCertificate, await selectInstallation(installation));
}

/**
 * Refuses a database without tables under a folder that remembers ledgers, before it is migrated: tables would be in the
 * way of a restore.
 * @param config connects as the service
 * @param schema that of the tables, which the login may not be allowed to use yet
 * @throws InstallationError, ConnectionError
 */
export async function refuseEmptied(
  config: pg.ClientConfig,
  schema: string,
  dataDir: string,
): Promise<void> {
  const client = await connectNamed(config, 'DATABASE_URL');
  try {
    const { rows } = await client.query(
      "select from pg_tables where schemaname = $1 and tablename = 'ledgers'",
      [schema],
    );
    if (rows.length > 0) return;
  } finally {
    await client.end();
  }
  await compare(dataDir, false, { id: null, createdAt: 0, ledgers: [] });
}

async function compare(
  dataDir: string,
  needsCertificate: boolean,
  stored: StoredInstallation,
): Promise<void> {
  const certificate = readCertificate(dataDir);
  const wasCertified = needsCertificate && stored.ledgers.length > 0;
  if (certificate === null && wasCertified) throw uncertified(dataDir, stored);
  // Without ledgers, nothing was acknowledged that the certificate would have to name.
  if (certificate !== null && certificate.ledgers.length > 0) {
    requireSameInstallation(dataDir, certificate, stored);
    requireLedgers(dataDir, certificate, stored);
  }
  await requireSignedLedgers(dataDir, stored);
}

function uncertified(dataDir: string, { ledgers }: StoredInstallation): InstallationError {
  const [first] = ledgers;
  const named = first === undefined ? '' : ` ${ledgerLabel(first)}${andOthers(ledgers.length - 1)}`;
  return new InstallationError(
    `${dataDir} has no installation.json, which certifies the ledger${named} of its database: the file was removed, ` +
      'or `pg` is from another folder. Nothing was changed. Put the file back from a copy of the folder. If this is ' +
      'the right database, certify it with `decision-ledger certify`',
  );
}

function requireSameInstallation(
  dataDir: string,
  { installation_id }: Certificate,
  { id }: StoredInstallation,
): void {
  if (id === null || id === installation_id) return;
  throw new InstallationError(
    `${dataDir} belongs to the installation ${installation_id}, and the database to ${id}. ${RESTORE}. If the ` +
      'database is the right one, set LEDGER_DATA_DIR to the folder that belongs to it; with PostgreSQL, a new one ' +
      `will do; ${NEW_ONE}`,
  );
}

function requireLedgers(
  dataDir: string,
  certificate: Certificate,
  stored: StoredInstallation,
): void {
  const found = new Map(stored.ledgers.map(({ ledger, genesis }) => [ledger, genesis]));
  const missing = certificate.ledgers.filter(({ ledger }) => !found.has(ledger));
  const [first] = missing;
  if (first !== undefined) {
    throw new InstallationError(
      `the database lacks the ledger ${ledgerLabel(first)}${andOthers(missing.length - 1)}, which ` +
        `${join(dataDir, 'installation.json')} certifies: it was emptied, replaced, or is older. ${RESTORE}; ${NEW_ONE}`,
    );
  }
  const other = certificate.ledgers.find(({ ledger, genesis }) => {
    const own = found.get(ledger);
    return own?.decisions !== genesis.decisions || own.activity !== genesis.activity;
  });
  if (other === undefined) return;
  throw new InstallationError(
    `the ledger ${ledgerLabel(other)} of the database begins with another genesis than ` +
      `${join(dataDir, 'installation.json')} certifies: it is another ledger with the same id. ${RESTORE}`,
  );
}

/** A checkpoint of a ledger that the database does not have. Those of its ledgers are compared by their roots. */
async function requireSignedLedgers(dataDir: string, { ledgers }: StoredInstallation) {
  const known = new Set(ledgers.map(({ ledger }) => ledger));
  const notes = await readSigned(join(dataDir, 'signed'));
  const unknown = notes.find(({ ledgerId }) => !known.has(uuidToId('led', ledgerId)));
  if (unknown === undefined) return;
  const { ledgerId, chain, size, path } = unknown;
  throw new InstallationError(
    `the database lacks the ledger ${uuidToId('led', ledgerId)}: it has 0 records of its chain of ${chain}, of which ` +
      `this machine signed ${size} (${path}). ${RESTORE}; ${NEW_ONE}`,
  );
}
