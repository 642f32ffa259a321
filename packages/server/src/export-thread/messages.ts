import type { DatabaseAddress } from '../platform/connection.js';
import type { FilesAddress } from '../platform/files/address.js';
import type { Keyring, PortableKeyring } from '../platform/keyring/keyring.js';
import type { Scope } from '../platform/principal.js';

/** The database, the files and the working folder of an export. */
export interface ExportPlace {
  readonly address: DatabaseAddress;
  readonly files: FilesAddress;
  readonly workDir: string;
  /** Folder of the last signed checkpoints. */
  readonly signedDir: string;
  readonly keyring: Keyring;
}

/** The workerData of the thread. */
export interface ExportThreadData extends Omit<ExportPlace, 'keyring'> {
  readonly keyring: PortableKeyring;
  readonly scope: Scope;
  /** Public identifier. */
  readonly exportId: string;
  readonly isInBackground: boolean;
}

/** For the log: why a try failed, or why the export restarts. Or what the thread has come to. */
export type ThreadReport =
  | { readonly failure: string }
  | { readonly restart: string }
  | { readonly reached: 'sealed' | 'stopped' };

/** Asks the thread to stop; a later try continues from there. */
export const STOP = 'stop';
