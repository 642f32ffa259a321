import { randomUUID } from 'node:crypto';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { makeFolder } from '@decision-ledger/embedded/make-folder';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database.js';
import type { Installation, Queryable } from '../platform/statement.js';
import { type Certificate, readCertificate, writeCertificate } from './certificate.js';
import { insertInstallation, lockCertificates, selectInstallation } from './stored.js';

export interface CertificateTools {
  readonly db: Database;
  readonly installation: Installation;
  /** The data folder of this process. */
  readonly dataDir: string;
  readonly clock: Clock;
}

/** The certificate of a data folder: which installation its database belongs to, and with which ledgers. */
export interface InstallationCertificate {
  /** Names the installation in the database, as part of the transaction that creates its first organisation. */
  enter(tx: Queryable): Promise<void>;
  /** Adds the ledgers of the database to the certificate of the data folder, if it has one. */
  certify(): Promise<void>;
  /** Like `certify`, and makes a certificate where there is none. */
  issue(): Promise<void>;
}

export function certificateOf({
  db,
  installation,
  dataDir,
  clock,
}: CertificateTools): InstallationCertificate {
  const enter = async (tx: Queryable) => {
    const id = readCertificate(dataDir)?.installation_id ?? randomUUID();
    await insertInstallation(tx, id, clock.now());
  };
  const issue = () =>
    db.transaction(async (tx) => {
      await lockCertificates(tx);
      await enter(tx);
      const { id, createdAt, ledgers } = await selectInstallation(installation.within(tx));
      if (id === null) throw new Error('the database has no installation');
      const issued = { installation_id: id, created_at: formatTimestamp(createdAt), ledgers };
      if (isSame(readCertificate(dataDir), issued)) return;
      makeFolder(dataDir);
      await writeCertificate(dataDir, issued);
    });
  return {
    enter,
    issue,
    async certify() {
      if (readCertificate(dataDir) !== null) await issue();
    },
  };
}

/** Ledgers are never removed, and the database was compared with the certificate when it was opened. */
function isSame(former: Certificate | null, next: Omit<Certificate, 'format'>): boolean {
  const isOfOne = former?.installation_id === next.installation_id;
  return isOfOne && former.ledgers.length === next.ledgers.length;
}
