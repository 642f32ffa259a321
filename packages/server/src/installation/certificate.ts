import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { MODES } from '@decision-ledger/contract/permissions';
import { writeAtomically } from '@decision-ledger/embedded/atomic-file';
import { systemCode } from '@decision-ledger/embedded/engine-error';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';

/** The name of the certificate, in the data folder. */
export const CERTIFICATE = 'installation.json';

const FORMAT = 'decision-ledger-installation/v1';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

const CertifiedLedger = Type.Object({
  ledger: Type.String({ pattern: '^led_[0-9a-z]{26}$' }),
  organisation: Type.String({ pattern: '^org_[0-9a-z]{26}$' }),
  organisation_name: Type.String(),
  mode: Type.Enum([...MODES]),
  created_at: Instant,
  genesis: Type.Object({ decisions: Sha256, activity: Sha256 }),
});
export type CertifiedLedger = Static<typeof CertifiedLedger>;

/**
 * The birth certificate of an installation, beside its master key: which ledgers the database must have. One without
 * ledgers binds nothing, because nothing was acknowledged.
 */
const Certificate = Type.Object({
  format: Type.Literal(FORMAT),
  installation_id: Type.String({ pattern: `^${UUID}$` }),
  created_at: Instant,
  ledgers: Type.Array(CertifiedLedger),
});
export type Certificate = Static<typeof Certificate>;

/** The database is not the one that belongs to the data folder. The message names the remedy. */
export class InstallationError extends Error {
  override readonly name = 'InstallationError';
}

/**
 * The certificate of a data folder; null if there is none.
 * @throws InstallationError if it cannot be read, or is damaged
 */
export function readCertificate(dataDir: string): Certificate | null {
  const path = join(dataDir, CERTIFICATE);
  const text = readText(path);
  if (text === null) return null;
  const value = parse(text);
  if (Check(Certificate, value)) return value;
  throw new InstallationError(
    `${path} is damaged, so it is unknown which ledgers the database must have. Nothing was changed. Put the file ` +
      'back from a copy of the folder, or issue it again with `decision-ledger certify`',
  );
}

/** The certificate is there whole or not at all, and on disk when this resolves. */
export async function writeCertificate(
  dataDir: string,
  certificate: Omit<Certificate, 'format'>,
): Promise<void> {
  const text = JSON.stringify({ format: FORMAT, ...certificate }, null, 2);
  await writeAtomically(join(dataDir, CERTIFICATE), `${text}\n`);
}

/** Keeps a damaged certificate under another name. @returns that path */
export function setDamagedAside(dataDir: string): string {
  const path = join(dataDir, CERTIFICATE);
  renameSync(path, `${path}.damaged`);
  return `${path}.damaged`;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new InstallationError(
      `${path} cannot be read (${code}), so it is unknown which ledgers the database must have. Nothing was changed. ` +
        'Give the user of this process read access to it',
      { cause: error },
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
