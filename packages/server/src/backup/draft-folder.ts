import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { syncTree } from '@decision-ledger/embedded/data-folder';
import { systemCode } from '@decision-ledger/embedded/engine-error';
import { makeFolder } from '@decision-ledger/embedded/make-folder';
import { syncFolder } from '../platform/secrets.js';
import { listSigned } from '../platform/signed-folder.js';
import { BackupError } from './backup-error.js';

/** A folder that is being made beside the one that it becomes. */
export interface DraftFolder {
  readonly path: string;
  /** Takes over the last checkpoints that a former data folder knows to be signed. */
  takeSigned(folder: string): Promise<void>;
  /** Syncs everything and renames the folder to its final name. */
  keep(): Promise<void>;
  /** Removes the folder unless it was kept. */
  discard(): Promise<void>;
}

/** @throws BackupError if there is anything in the target */
export async function draftFolder(target: string): Promise<DraftFolder> {
  const final = resolve(target);
  await requireEmpty(final);
  makeFolder(dirname(final));
  const path = `${final}.restoring-${randomBytes(4).toString('hex')}`;
  await mkdir(path, { mode: 0o700 });
  return {
    path,
    takeSigned: (folder) => takeSigned(folder, path),
    async keep() {
      await syncTree(path);
      await requireEmpty(final);
      await rename(path, final);
      syncFolder(dirname(final));
    },
    discard: () => rm(path, { recursive: true, force: true }),
  };
}

async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw new BackupError(`the folder ${folder} cannot be used: ${String(error)}`);
  });
  if (names.length === 0) return;
  throw new BackupError(
    `the folder ${folder} is not empty: restore into a new folder, and keep this one until you are done`,
  );
}

async function takeSigned(folder: string, draft: string): Promise<void> {
  const from = resolve(folder);
  const notes = await listSigned(from).catch((error: unknown) => {
    throw new BackupError(
      `the folder ${from} of signed checkpoints cannot be read: ${String(error)}`,
    );
  });
  if (notes.length === 0) {
    throw new BackupError(
      `the folder ${from} has no checkpoints: give the folder "signed" of the old data`,
    );
  }
  await mkdir(join(draft, 'signed'), { mode: 0o700 });
  for (const name of notes) await cp(join(from, name), join(draft, 'signed', name));
}
