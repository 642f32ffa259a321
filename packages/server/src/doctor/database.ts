import sql from 'sql-template-tag';
import { InstallationError, readCertificate } from '../installation/certificate.js';
import { requireInstallation } from '../installation/require-installation.js';
import { Keyring } from '../platform/keyring/keyring.js';
import { loadGivenKeys, loadKeyFiles } from '../platform/keyring/load.js';
import { selectKeyState } from '../platform/keyring/state.js';
import { readSchemaVersion } from '../platform/migrate.js';
import { MasterKeyError } from '../platform/secrets.js';
import { type Finding, failed, ok, skipped, warning } from './finding.js';
import type { DoctorSubject } from './subject.js';

const CLOSED = 'the database could not be opened';

export async function checkSchema({ database }: DoctorSubject): Promise<Finding> {
  if (database === null) return skipped(CLOSED);
  const version = await readSchemaVersion(database.address);
  if (version !== null) return ok(`the schema has version ${version}, as this release needs it`);
  return warning(
    'the schema is older than this release',
    'decision-ledger migrate, or start the service',
  );
}

export async function checkKeys({ config, database }: DoctorSubject): Promise<Finding> {
  const keyring = loadKeys(config);
  if ('status' in keyring) return keyring;
  if (database === null)
    return ok('the master key is well formed; the database could not be asked');
  const state = await selectKeyState(database.db);
  if (state === null) return ok('the master key is well formed; no process has used it yet');
  if (keyring.find(state.key_id) === undefined) {
    return failed(
      `the database was sealed under the master key ${state.key_id}, and this one is ${keyring.keys[0]?.id}`,
      'Restore the old key from a backup of it; see decision-ledger master-key reset --help if it is lost',
    );
  }
  if (state.previous_key_id !== null) {
    return warning(
      'a rotation of the master key is unfinished',
      'decision-ledger master-key rotate',
    );
  }
  return ok(`the master key ${state.key_id} fits the database`);
}

function loadKeys(config: DoctorSubject['config']): Keyring | Finding {
  const { storage } = config;
  try {
    if (config.masterKey !== null || storage.kind === 'postgres') {
      return new Keyring(loadGivenKeys(config));
    }
    return new Keyring(loadKeyFiles(storage.dataDir, { first: false, next: false }));
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error;
    return failed(error.message, 'Correct the key, or restore it from a backup');
  }
}

/** Compares the database with the certificate of the data folder and its signed checkpoints, as a start does. */
export async function checkInstallation({ config, database }: DoctorSubject): Promise<Finding> {
  if (database === null) return skipped(CLOSED);
  const { storage, dataDir } = config;
  const needsCertificate = storage.kind === 'embedded';
  try {
    await requireInstallation({ installation: database.installation, dataDir, needsCertificate });
  } catch (error) {
    if (!(error instanceof InstallationError)) throw error;
    const [found = '', remedy = ''] = error.message.split(' Nothing was changed. ');
    return failed(found.replace(/\.$/, ''), remedy);
  }
  const isCertified = readCertificate(dataDir) !== null;
  return ok(
    isCertified
      ? 'the database has every ledger of the certificate and of the signed checkpoints'
      : 'the database has every ledger of the signed checkpoints; the folder has no certificate',
  );
}

/** A difference in seconds that clocks may have, and one that makes records look wrong. */
const [SMALL, LARGE] = [5, 60];

/** Compares this machine's clock with that of the database, and with its last records. */
export async function checkClock({ database, now }: DoctorSubject): Promise<Finding> {
  if (database === null) return skipped(CLOSED);
  const [read] = await database.installation.queryAcross<{
    server: number;
    last: number | null;
  }>(sql`
    select extract(epoch from clock_timestamp())::float8 as server,
      (select extract(epoch from max(created_at))::float8 from chain_heads where seq > 0) as last`);
  const own = now() / 1000;
  const remedy = 'Set the clock, and let NTP keep it';
  const apart = Math.round(Math.abs((read?.server ?? own) - own));
  if (apart > LARGE) return failed(`this clock and the database's are ${apart} s apart`, remedy);
  const behind = Math.round((read?.last ?? 0) - own);
  if (behind > SMALL) return failed(`the clock is ${behind} s behind the last record`, remedy);
  if (apart > SMALL) return warning(`this clock and the database's are ${apart} s apart`, remedy);
  return ok('the clock agrees with the database, and is not behind the last record');
}
