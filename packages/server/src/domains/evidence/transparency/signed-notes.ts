import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoint, readCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { writeAtomically } from '../../../platform/atomic-file.js';
import type { Scope } from '../../../platform/scope.js';
import type { LogId } from './store/tlogs.js';

/** A checkpoint that this machine signed, and where it is kept. */
export interface SignedNote extends Checkpoint {
  readonly path: string;
}

/**
 * The last checkpoints that this machine signed, beside the database: if it is restored from an older backup, they say
 * what it has forgotten.
 */
export interface SignedNotes {
  readonly folder: string;
  /** Null if this machine signed none, or the file cannot be read as one. */
  last(scope: Scope, log: LogId): Promise<SignedNote | null>;
  keep(scope: Scope, log: LogId, note: string): Promise<void>;
}

export function signedNotes(folder: string): SignedNotes {
  const pathOf = ({ ledgerId }: Scope, { chain, generation }: LogId) =>
    join(folder, `${ledgerId}-${chain}-${generation}.note`);
  return {
    folder,
    async last(scope, log) {
      const path = pathOf(scope, log);
      try {
        return { ...readCheckpoint(await readFile(path, 'utf8')), path };
      } catch (error) {
        const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        if (isMissing || error instanceof TlogError) return null;
        throw error;
      }
    },
    async keep(scope, log, note) {
      await mkdir(folder, { recursive: true });
      await writeAtomically(pathOf(scope, log), note);
    },
  };
}
