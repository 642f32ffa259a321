import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '@decision-ledger/embedded/atomic-file';
import type { Checkpoint } from '@decision-ledger/proof/tlog/checkpoint';
import type { Scope } from '../../../platform/principal.js';
import { syncFolder } from '../../../platform/secrets.js';
import {
  readSigned,
  readSignedFile,
  type SignedNote,
  signedName,
} from '../../../platform/signed-folder.js';
import type { LogId } from './store/tlogs.js';

/**
 * The last checkpoints that this machine signed, beside the database: if it is restored from an older backup, they say
 * what it has forgotten.
 */
export interface SignedNotes {
  readonly folder: string;
  /** Of all ledgers. */
  all(): Promise<SignedNote[]>;
  /** Null if this machine signed none, or the file cannot be read as one. */
  last(
    scope: Pick<Scope, 'ledgerId'>,
    log: LogId,
  ): Promise<(Checkpoint & { readonly path: string }) | null>;
  keep(scope: Pick<Scope, 'ledgerId'>, log: LogId, note: string): Promise<void>;
  /** Keeps a checkpoint under a name that is not read any more: the operator accepted what it contradicts. */
  setAside(note: Pick<SignedNote, 'path' | 'size'>): Promise<void>;
}

export function signedNotes(folder: string): SignedNotes {
  const pathOf = ({ ledgerId }: Pick<Scope, 'ledgerId'>, { chain, generation }: LogId) =>
    join(folder, signedName({ ledgerId, chain, generation }));
  return {
    folder,
    all: () => readSigned(folder),
    last: (scope, log) => readSignedFile(pathOf(scope, log)),
    async keep(scope, log, note) {
      await mkdir(folder, { recursive: true });
      await writeAtomically(pathOf(scope, log), note);
    },
    async setAside({ path, size }) {
      await rename(path, `${path}.accepted-${size}`);
      syncFolder(folder);
    },
  };
}
