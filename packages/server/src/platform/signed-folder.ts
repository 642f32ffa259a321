import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '@decision-ledger/embedded/engine-error';
import { type Checkpoint, readCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import type { ChainName } from './chain/head.js';

/** A log of a ledger, as the name of a file states it. */
export interface SignedLog {
  /** UUID. */
  readonly ledgerId: string;
  readonly chain: ChainName;
  readonly generation: number;
}

/** A checkpoint that this machine signed, and where it is kept. */
export interface SignedNote extends Checkpoint, SignedLog {
  readonly path: string;
}

const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(decisions|activity)-(\d{1,9})\.note$/;

export function signedName({ ledgerId, chain, generation }: SignedLog): string {
  return `${ledgerId}-${chain}-${generation}.note`;
}

/** The names of the checkpoints in the folder, in order; none if it does not exist. */
export async function listSigned(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** The checkpoints in the folder. Files that cannot be read as one are left out. */
export async function readSigned(folder: string): Promise<SignedNote[]> {
  const notes: SignedNote[] = [];
  for (const name of await listSigned(folder)) {
    const [, ledgerId = '', chain, generation] = NAME.exec(name) ?? [];
    const note = await readSignedFile(join(folder, name));
    if (note === null || (chain !== 'decisions' && chain !== 'activity')) continue;
    notes.push({ ...note, ledgerId, chain, generation: Number(generation) });
  }
  return notes;
}

/** Null if there is no such file, or it cannot be read as a checkpoint. */
export async function readSignedFile(
  path: string,
): Promise<(Checkpoint & { readonly path: string }) | null> {
  try {
    return { ...readCheckpoint(await readFile(path, 'utf8')), path };
  } catch (error) {
    if (isAbsent(error) || error instanceof TlogError) return null;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR';
}
