import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32c, isIntact, PAGE_BYTES } from './checksums.js';

/** The folder of the one database that the engine uses, and that of what all databases share. */
export const OWN = 'base/5';
export const SHARED = 'global';

/** Where the catalog of relations is when its own row cannot say it: the numbers of a new database. */
const PG_CLASS = 1259;

/** A table, an index or another relation that has a file. */
export interface Relation {
  readonly name: string;
  /** Numbers of the files that rows of the catalog name, former ones included. */
  readonly files: ReadonlySet<number>;
  /** Whether a row of the catalog that is in force names its file. */
  readonly isCertain: boolean;
}

/**
 * Reads the catalog of relations from its file, as the engine must not be started on what may be damaged.
 * Damaged pages of it are left out.
 *
 * @param folder of the database cluster
 * @example
 * ```ts
 * import { readRelations } from '@decision-ledger/embedded/inspect/relations';
 *
 * for (const { name, files } of readRelations('./ledger-data/pg')) console.log(name, ...files);
 * ```
 */
export function readRelations(folder: string): Relation[] {
  const mapped = readMap(join(folder, OWN)) ?? new Map<number, number>();
  const file = join(folder, OWN, String(mapped.get(PG_CLASS) ?? PG_CLASS));
  const rows = rowsOf(file);
  const names = new Map(rows.map(({ oid, name }) => [oid, name]));
  const ownerOf = new Map(rows.map(({ toast, name }) => [toast, name]));
  const byOid = new Map<number, CatalogRow[]>();
  for (const row of rows) byOid.set(row.oid, [...(byOid.get(row.oid) ?? []), row]);
  const shared = readMap(join(folder, SHARED)) ?? new Map<number, number>();
  return [...byOid].flatMap(([oid, versions]) => {
    const [first] = versions;
    if (first === undefined) return [];
    const numbers = versions.map((row) => row.file || (mapped.get(oid) ?? shared.get(oid) ?? 0));
    const files = new Set(numbers.filter((number) => number !== 0));
    if (files.size === 0) return [];
    const name = ownerOf.has(oid) ? `long values of ${ownerOf.get(oid)}` : names.get(oid);
    return [{ name: name ?? first.name, files, isCertain: versions.some((row) => row.isCurrent) }];
  });
}

/**
 * Adds the name of the table or index to a place, if the catalog can be read and knows it.
 *
 * @param folder of the database cluster
 * @example
 * ```ts
 * import { withTable } from '@decision-ledger/embedded/inspect/relations';
 *
 * withTable('./no-such-folder', 'page 7 of base/5/16466'); // => 'page 7 of base/5/16466'
 * ```
 */
export function withTable(folder: string, place: string): string {
  const number = /(?:base\/5|global)\/(\d+)/.exec(place)?.[1];
  if (number === undefined) return place;
  try {
    const relation = readRelations(folder).find(({ files }) => files.has(Number(number)));
    return relation === undefined ? place : `${place} (${relation.name})`;
  } catch {
    // The catalog itself cannot be read.
    return place;
  }
}

interface CatalogRow {
  readonly oid: number;
  readonly name: string;
  readonly file: number;
  readonly toast: number;
  readonly isCurrent: boolean;
}

/*
 * Offsets in a page (storage/bufpage.h), in the header of a row (access/htup_details.h) and in a row of
 * pg_class, whose first columns have fixed lengths (catalog/pg_class.h, PostgreSQL 18).
 */
const POINTERS = 24;
const POINTERS_END = 12;
const NORMAL = 1;
const REPLACED_BY = 4;
const FLAGS = 20;
const [CREATOR_COMMITTED, REPLACER_INVALID] = [0x0100, 0x0800];
const DATA_AT = 22;
const NAME = { at: 4, bytes: 64 };
const [FILE, TOAST, KIND] = [88, 112, 119];
/** Views, composite types and partitioned tables and indexes have no file. */
const WITHOUT_FILE = new Set('vcpIf');

function rowsOf(file: string): CatalogRow[] {
  const bytes = readFileSync(file);
  const rows: CatalogRow[] = [];
  for (let at = 0; at + PAGE_BYTES <= bytes.length; at += PAGE_BYTES) {
    const page = bytes.subarray(at, at + PAGE_BYTES);
    if (isIntact(page, at / PAGE_BYTES)) rows.push(...rowsOfPage(page));
  }
  return rows.filter(({ oid }) => oid !== 0);
}

function rowsOfPage(page: Buffer): CatalogRow[] {
  const rows: CatalogRow[] = [];
  const end = page.readUInt16LE(POINTERS_END);
  for (let at = POINTERS; at < end; at += 4) {
    const pointer = page.readUInt32LE(at);
    if (((pointer >>> 15) & 3) !== NORMAL) continue;
    const start = pointer & 0x7fff;
    const row = page.subarray(start, start + (pointer >>> 17));
    const data = row.subarray(row[DATA_AT]);
    if (WITHOUT_FILE.has(data.toString('latin1', KIND, KIND + 1))) continue;
    const flags = row.readUInt16LE(FLAGS);
    const isReplaced = row.readUInt32LE(REPLACED_BY) !== 0 && (flags & REPLACER_INVALID) === 0;
    rows.push({
      oid: data.readUInt32LE(0),
      name: data.toString('utf8', NAME.at, NAME.at + NAME.bytes).replace(/\0.*$/s, ''),
      file: data.readUInt32LE(FILE),
      toast: data.readUInt32LE(TOAST),
      isCurrent: !isReplaced && (flags & CREATOR_COMMITTED) !== 0,
    });
  }
  return rows;
}

/** The file that says where the catalogs themselves are (utils/cache/relmapper.c). */
export const MAP = 'pg_filenode.map';
const MAP_MAGIC = 0x59_27_17;
const MAP_CHECKSUM = 520;

/**
 * The files of the relations that the map names, by their number in the catalog.
 *
 * @param folder `base/5` or `global` of a database cluster
 * @returns null if the map is missing or damaged
 * @example
 * ```ts
 * import { readMap } from '@decision-ledger/embedded/inspect/relations';
 *
 * readMap('./no-such-folder'); // => null
 * ```
 */
export function readMap(folder: string): Map<number, number> | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(folder, MAP));
  } catch {
    return null;
  }
  if (bytes.length < MAP_CHECKSUM + 4 || bytes.readUInt32LE(0) !== MAP_MAGIC) return null;
  if (bytes.readUInt32LE(MAP_CHECKSUM) !== crc32c(bytes.subarray(0, MAP_CHECKSUM))) return null;
  const count = bytes.readUInt32LE(4);
  return new Map(
    Array.from({ length: count }, (_, index) => [
      bytes.readUInt32LE(8 + index * 8),
      bytes.readUInt32LE(12 + index * 8),
    ]),
  );
}
