import { readdirSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemCode } from '../engine-error.js';
import { isIntact, PAGE_BYTES, PAGES_OF_FILE } from './checksums.js';
import { MAP, OWN, type Relation, readMap, readRelations, SHARED } from './relations.js';

/** Something in the files of a database that is not as PostgreSQL wrote it. */
export interface DamagedFile {
  /** Relative to the folder of the database, with slashes. */
  readonly file: string;
  /** The table or index; null if no row of the catalog names the file. */
  readonly relation: string | null;
  /** Damaged pages, the first ones; empty if the file is missing or damaged as a whole. */
  readonly pages: readonly number[];
  readonly problem: 'pages' | 'missing' | 'unreadable';
}

export interface PagesReport {
  readonly files: number;
  readonly pages: number;
  readonly damaged: readonly DamagedFile[];
}

/**
 * Names what is damaged.
 *
 * @example
 * ```ts
 * import { describeDamage } from '@decision-ledger/embedded/inspect/pages';
 *
 * const found = { file: 'base/5/16466', relation: 'decisions', pages: [3, 7] };
 * describeDamage({ ...found, problem: 'pages' }); // => 'pages 3, 7 of base/5/16466 (decisions)'
 * ```
 */
export function describeDamage({ file, relation, pages, problem }: DamagedFile): string {
  const name = relation === null ? file : `${file} (${relation})`;
  if (problem === 'missing') return `the file ${name} is missing`;
  if (problem === 'unreadable') return `the file ${name}`;
  const more = pages.length === NAMED_PAGES ? ' and more' : '';
  return `${pages.length === 1 ? 'page' : 'pages'} ${pages.join(', ')}${more} of ${name}`;
}

/** How many damaged pages of one file are named. */
const NAMED_PAGES = 10;

/** Files of tables and indexes, with their maps of free and visible pages; large ones have several. */
const RELATION_FILE = /^(\d+)(?:_[a-z]+)?(?:\.(\d+))?$/;

/**
 * Checks every page of every table and index against its checksum. The engine may run: a page that is just
 * being written is read again.
 *
 * @param folder of the database cluster
 * @param onRead called with the bytes read, of all bytes
 * @example
 * ```ts
 * import { checkPages, describeDamage } from '@decision-ledger/embedded/inspect/pages';
 *
 * const { damaged } = await checkPages('./ledger-data/pg');
 * for (const found of damaged) console.log(describeDamage(found));
 * ```
 */
export async function checkPages(
  folder: string,
  onRead: (done: number, of: number) => void = () => undefined,
): Promise<PagesReport> {
  const relations = readRelations(folder);
  const found = findFiles(folder);
  const of = found.reduce((sum, { bytes }) => sum + bytes, 0);
  const damaged: DamagedFile[] = [...missing(found, relations), ...damagedMaps(folder)];
  let done = 0;
  for (const file of found) {
    const relation = nameOf(file, relations);
    try {
      const pages = await damagedPages(join(folder, file.path), file.segment);
      if (pages.length > 0) {
        damaged.push({ file: file.path, relation, pages, problem: 'pages' });
      }
    } catch (error) {
      // It was dropped in the meantime.
      if (systemCode(error) === 'ENOENT') continue;
      damaged.push({ file: file.path, relation, pages: [], problem: 'unreadable' });
    }
    done += file.bytes;
    onRead(done, of);
  }
  return { files: found.length, pages: Math.floor(of / PAGE_BYTES), damaged };
}

interface FoundFile {
  readonly path: string;
  readonly folder: string;
  /** The number that the catalog knows the file by. */
  readonly number: number;
  readonly segment: number;
  readonly bytes: number;
}

function findFiles(folder: string): FoundFile[] {
  const databases = readdirSync(join(folder, 'base')).map((name) => `base/${name}`);
  return [SHARED, ...databases].flatMap((part) =>
    readdirSync(join(folder, part)).flatMap((name) => {
      const parts = RELATION_FILE.exec(name);
      if (parts === null) return [];
      const stat = statSync(join(folder, part, name), { throwIfNoEntry: false });
      if (stat === undefined) return [];
      const [number, segment] = [Number(parts[1]), Number(parts[2] ?? 0)];
      return [{ path: `${part}/${name}`, folder: part, number, segment, bytes: stat.size }];
    }),
  );
}

function nameOf({ folder, number }: FoundFile, relations: readonly Relation[]): string | null {
  if (folder !== OWN && folder !== SHARED) return null;
  return relations.find(({ files }) => files.has(number))?.name ?? null;
}

function missing(found: readonly FoundFile[], relations: readonly Relation[]): DamagedFile[] {
  const present = new Set(
    found.filter(({ folder }) => folder === OWN || folder === SHARED).map(({ number }) => number),
  );
  return relations
    .filter(({ files, isCertain }) => isCertain && ![...files].some((file) => present.has(file)))
    .map(({ name, files }) => ({
      file: `${OWN}/${[...files].join(' or ')}`,
      relation: name,
      pages: [],
      problem: 'missing' as const,
    }));
}

function damagedMaps(folder: string): DamagedFile[] {
  return [OWN, SHARED]
    .filter((part) => readMap(join(folder, part)) === null)
    .map((part) => ({
      file: `${part}/${MAP}`,
      relation: null,
      pages: [],
      problem: 'unreadable' as const,
    }));
}

const CHUNK_PAGES = 64;

async function damagedPages(path: string, segment: number): Promise<number[]> {
  const file = await open(path, 'r');
  const damaged: number[] = [];
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_PAGES * PAGE_BYTES);
    for (let first = 0; ; first += CHUNK_PAGES) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, first * PAGE_BYTES);
      const pages = Math.ceil(bytesRead / PAGE_BYTES);
      for (let page = 0; page < pages && damaged.length < NAMED_PAGES; page += 1) {
        const bytes = chunk.subarray(
          page * PAGE_BYTES,
          Math.min(bytesRead, (page + 1) * PAGE_BYTES),
        );
        const number = segment * PAGES_OF_FILE + first + page;
        const isWhole = bytes.length === PAGE_BYTES && isIntact(bytes, number);
        if (!isWhole && !(await isIntactLater(file, first + page, number))) damaged.push(number);
      }
      if (bytesRead < chunk.length || damaged.length === NAMED_PAGES) return damaged;
    }
  } finally {
    await file.close();
  }
}

const REREADS = { tries: 5, pauseMs: 100 };

/** A page that the engine writes while it is read is whole soon; the file may also have become shorter. */
async function isIntactLater(file: FileHandle, page: number, number: number): Promise<boolean> {
  const bytes = Buffer.allocUnsafe(PAGE_BYTES);
  for (let tries = REREADS.tries; tries > 0; tries -= 1) {
    await pause(REREADS.pauseMs);
    const { bytesRead } = await file.read(bytes, 0, PAGE_BYTES, page * PAGE_BYTES);
    if (bytesRead === 0 || (bytesRead === PAGE_BYTES && isIntact(bytes, number))) return true;
  }
  return false;
}
