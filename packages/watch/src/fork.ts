import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '@decision-ledger/embedded/atomic-file';

/** Two statements that a log signed and that cannot both be true. */
export interface Fork {
  readonly origin: string;
  readonly verifier_key: string;
  readonly found_at: string;
  readonly meaning: string;
  /** Signed notes: two checkpoints, or a receipt and a checkpoint. */
  readonly notes: readonly [string, string];
}

/** A log signed two histories. */
export class ForkError extends Error {
  override readonly name = 'ForkError';
  readonly fork: Fork;

  constructor(fork: Fork) {
    super(fork.meaning);
    this.fork = fork;
  }
}

const FORK_FILE = 'fork.json';

/** Keeps the first fork: it stays true whatever follows. */
export async function keepFork(folder: string, fork: Fork): Promise<void> {
  if ((await readFork(folder)) !== null) return;
  await writeAtomically(join(folder, FORK_FILE), `${JSON.stringify(fork, null, 2)}\n`);
}

/** The meaning of a fork that was found before; null if none was. */
export async function readFork(folder: string): Promise<string | null> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, FORK_FILE), 'utf8'));
    const meaning = typeof value === 'object' && value !== null && 'meaning' in value;
    return meaning && typeof value.meaning === 'string' ? value.meaning : 'a fork was found before';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    if (error instanceof SyntaxError) return 'a fork was found before';
    throw error;
  }
}
