import type { DatabaseAddress } from '../platform/address.js';
import type { FilesAddress } from '../platform/files/address.js';
import type { Keyring, PortableKeyring } from '../platform/keyring/keyring.js';
import type { Scope } from '../platform/scope.js';

/** Where an export is read from and put to. */
export interface ExportPlace {
  readonly address: DatabaseAddress;
  readonly files: FilesAddress;
  readonly workDir: string;
  readonly keyring: Keyring;
}

/** What the thread is started with. */
export interface ThreadData extends Omit<ExportPlace, 'keyring'> {
  readonly keyring: PortableKeyring;
  readonly scope: Scope;
  /** Public identifier. */
  readonly exportId: string;
}

/** What is for the log: why a try failed, or why it begins anew. */
export type ThreadReport = { readonly failure: string } | { readonly anew: string };

/** Asks the thread to end where it is: another try goes on from there. */
export const STOP = 'stop';
