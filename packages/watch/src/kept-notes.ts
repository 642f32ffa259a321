import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DRAFT, writeAtomically } from '@decision-ledger/embedded/atomic-file';
import { type Checkpoint, readCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';

/** A checkpoint with the signed note that it is from. */
export interface SeenCheckpoint extends Checkpoint {
  readonly note: string;
}

/** Digits of the largest size, so that names have the order of sizes. */
const DIGITS = 16;
const NAME = /^(\d{16})\.note$/;

/**
 * The notes of a log, one file for each size. Those whose tree was compared with the one before are in the folder;
 * the others wait in `unproven/`. A file is written whole or not at all, so any stop leaves a valid state.
 */
export class KeptNotes {
  readonly #folder: string;
  readonly #unproven: string;
  /** Sizes in order. */
  #sizes: number[];

  private constructor(folder: string, sizes: number[]) {
    this.#folder = folder;
    this.#unproven = join(folder, 'unproven');
    this.#sizes = sizes;
  }

  static async open(folder: string): Promise<KeptNotes> {
    const unproven = join(folder, 'unproven');
    await mkdir(unproven, { recursive: true });
    for (const place of [folder, unproven]) {
      for (const name of await readdir(place)) {
        if (name.startsWith(DRAFT)) await rm(join(place, name), { force: true });
      }
    }
    return new KeptNotes(folder, await sizesIn(folder));
  }

  /** The kept checkpoint of this size. */
  async at(size: number): Promise<SeenCheckpoint | null> {
    return this.#sizes.includes(size) ? readSeen(join(this.#folder, nameOf(size))) : null;
  }

  /** The largest kept checkpoint below a size. */
  async before(size: number): Promise<SeenCheckpoint | null> {
    const found = this.#sizes.findLast((one) => one < size);
    return found === undefined ? null : this.at(found);
  }

  /** The smallest kept checkpoint above a size. */
  async after(size: number): Promise<SeenCheckpoint | null> {
    const found = this.#sizes.find((one) => one > size);
    return found === undefined ? null : this.at(found);
  }

  /** The largest size; -1 if there is none. */
  get last(): number {
    return this.#sizes.at(-1) ?? -1;
  }

  /** When the largest tree was first seen, in ms; null if none was. */
  async lastGrowth(): Promise<number | null> {
    const sizes = [...this.#sizes.slice(-1), ...(await sizesIn(this.#unproven))];
    if (sizes.length === 0) return null;
    const size = Math.max(...sizes);
    const place = size === this.last ? this.#folder : this.#unproven;
    return (await stat(join(place, nameOf(size)))).mtimeMs;
  }

  /** Keeps a checkpoint that was compared with its neighbours. */
  async keep({ size, note }: SeenCheckpoint): Promise<void> {
    await writeAtomically(join(this.#folder, nameOf(size)), note);
    this.#add(size);
  }

  /** Keeps a checkpoint that could not be compared yet. @returns the one of that size that is kept already */
  async keepUnproven(seen: SeenCheckpoint): Promise<SeenCheckpoint | null> {
    const path = join(this.#unproven, nameOf(seen.size));
    if ((await sizesIn(this.#unproven)).includes(seen.size)) return readSeen(path);
    await writeAtomically(path, seen.note);
    return null;
  }

  async unproven(): Promise<SeenCheckpoint[]> {
    const sizes = await sizesIn(this.#unproven);
    return Promise.all(sizes.map((size) => readSeen(join(this.#unproven, nameOf(size)))));
  }

  /** Keeps a checkpoint that waited, after it was compared. */
  async prove(size: number): Promise<void> {
    await rename(join(this.#unproven, nameOf(size)), join(this.#folder, nameOf(size)));
    this.#add(size);
  }

  #add(size: number): void {
    this.#sizes = [...new Set([...this.#sizes, size])].sort((a, b) => a - b);
  }
}

async function sizesIn(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

async function readSeen(path: string): Promise<SeenCheckpoint> {
  const note = await readFile(path, 'utf8');
  return { ...readCheckpoint(note), note };
}

function nameOf(size: number): string {
  return `${String(size).padStart(DIGITS, '0')}.note`;
}
