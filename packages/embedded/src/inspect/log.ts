import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../engine-error.js';
import { crc32c, PAGE_BYTES } from './checksums.js';
import type { Control } from './control-file.js';

const SEGMENT_BYTES = 16 << 20;
const SEGMENT = BigInt(SEGMENT_BYTES);

/** The header of a page (src/include/access/xlog_internal.h), longer at the start of a file. */
const PAGE = { magic: 0, flags: 2, address: 8, rest: 16, header: 24, longHeader: 40 };
const CONTINUES = 1;

/** The header of a record (src/include/access/xlogrecord.h). */
const RECORD = { length: 0, previous: 8, info: 16, manager: 17, checksum: 20, header: 24 };
/** Records start at multiples of this. */
const ALIGNMENT = 8;

const [XLOG, XACT] = [0, 1];
const SWITCH = 0x40;
const [COMMIT, XACT_KIND] = [0x00, 0x70];

interface LogRecord {
  readonly at: bigint;
  readonly previous: bigint;
  readonly next: bigint;
  readonly isCommit: boolean;
}

/** What was found in the write-ahead log. */
export interface LogState {
  /** Why the log cannot be used, or lacks what was written to disk; null if nothing of that kind was found. */
  readonly damage: string | null;
  /** Records from the last checkpoint's start on. */
  readonly records: number;
}

/**
 * Reads the log as a recovery would, from the last checkpoint on. PostgreSQL takes the first record that it
 * cannot read for the end, as it is after a power cut. It is damage if later a transaction was committed
 * and another record follows: a commit waits until the log up to it is on disk.
 *
 * @param folder of the database cluster
 * @example
 * ```ts
 * import { readControl } from '@decision-ledger/embedded/inspect/control-file';
 * import { checkLog } from '@decision-ledger/embedded/inspect/log';
 *
 * const control = readControl('./ledger-data/pg');
 * if (control !== null) console.log(checkLog('./ledger-data/pg', control).damage);
 * ```
 */
export function checkLog(
  folder: string,
  { checkpoint, redo, timeline }: Control,
  onRecord: () => void = () => undefined,
): LogState {
  const log = new LogReader(folder, timeline);
  if (log.record(checkpoint) === null) {
    return { damage: `the record of the last checkpoint (${shown(checkpoint)})`, records: 0 };
  }
  let [at, records] = [redo, 0];
  for (let found = log.record(at); found !== null; found = log.record(at)) {
    at = found.next;
    records += 1;
    onRecord();
  }
  if (at <= checkpoint) return { damage: `the record at ${shown(at)}`, records };
  const later = findFlushed(log, at);
  const damage =
    later === null
      ? null
      : `the record at ${shown(at)}: transactions after it were committed, up to ${shown(later)} at least`;
  return { damage, records };
}

/** Such as 0/1C8C280, as PostgreSQL writes a position in the log. */
function shown(at: bigint): string {
  const hex = (part: bigint) => part.toString(16).toUpperCase();
  return `${hex(at >> 32n)}/${hex(at & 0xffff_ffffn)}`;
}

/** The position of a commit after `from` that was on disk, as another record follows it. */
function findFlushed(log: LogReader, from: bigint): bigint | null {
  const size = BigInt(PAGE_BYTES);
  let page = from - (from % size) + size;
  while (log.hasFile(page)) {
    let commit: bigint | null = null;
    let at = log.firstRecord(page) ?? page;
    for (let found = log.record(at); found !== null; found = log.record(at)) {
      if (commit !== null && found.previous === commit) return commit;
      if (found.isCommit) commit = found.at;
      at = found.next;
    }
    page = at - (at % size) + size;
  }
  return null;
}

class LogReader {
  #name = '';
  #bytes: Buffer | null = null;
  #magic: number | null = null;

  constructor(
    private readonly folder: string,
    private readonly timeline: number,
  ) {}

  hasFile(at: bigint): boolean {
    return this.#file(at) !== null;
  }

  /** The position of the first record that starts on a page; null if the page is of an earlier use or damaged. */
  firstRecord(page: bigint): bigint | null {
    const bytes = this.#page(page);
    if (bytes === null) return null;
    const isContinued = (bytes.readUInt16LE(PAGE.flags) & CONTINUES) !== 0;
    const rest = isContinued ? bytes.readUInt32LE(PAGE.rest) : 0;
    const start = headerOf(page) + align(rest);
    return start < PAGE_BYTES ? page + BigInt(start) : null;
  }

  /** The record at a position; null if there is none, or not as it was written. */
  record(position: bigint): LogRecord | null {
    const inPage = Number(position % BigInt(PAGE_BYTES));
    const at = inPage === 0 ? position + BigInt(headerOf(position)) : position;
    const page = this.#page(at);
    if (page === null) return null;
    const length = page.readUInt32LE(Number(at % BigInt(PAGE_BYTES)));
    const read = length < RECORD.header ? null : this.#read(at, length);
    if (read === null) return null;
    const { bytes, end } = read;
    const sum = crc32c(bytes.subarray(RECORD.header), bytes.subarray(0, RECORD.checksum));
    if (sum !== bytes.readUInt32LE(RECORD.checksum)) return null;
    const [manager, info] = [bytes[RECORD.manager], bytes[RECORD.info] ?? 0];
    const isSwitch = manager === XLOG && (info & 0xf0) === SWITCH;
    return {
      at,
      previous: bytes.readBigUInt64LE(RECORD.previous),
      next: isSwitch ? end - (end % SEGMENT) + SEGMENT : end,
      isCommit: manager === XACT && (info & XACT_KIND) === COMMIT,
    };
  }

  /** The bytes of a record, which may continue on later pages, and where the next one starts. */
  #read(from: bigint, length: number): { bytes: Buffer; end: bigint } | null {
    const parts: Buffer[] = [];
    let [at, left] = [from, length];
    for (;;) {
      const page = this.#page(at);
      if (page === null) return null;
      const start = at === from ? Number(at % BigInt(PAGE_BYTES)) : headerOf(at);
      if (at !== from && !continues(page, left)) return null;
      const part = page.subarray(start, start + left);
      parts.push(part);
      left -= part.length;
      const base = at - (at % BigInt(PAGE_BYTES));
      if (left === 0)
        return { bytes: Buffer.concat(parts), end: base + BigInt(align(start + part.length)) };
      at = base + BigInt(PAGE_BYTES);
    }
  }

  /** The page that holds a position; null if it is missing or of an earlier use of the file. */
  #page(at: bigint): Buffer | null {
    const file = this.#file(at);
    if (file === null) return null;
    const base = at - (at % BigInt(PAGE_BYTES));
    const start = Number(base % SEGMENT);
    const page = file.subarray(start, start + PAGE_BYTES);
    if (page.length < PAGE_BYTES || page.readBigUInt64LE(PAGE.address) !== base) return null;
    const magic = page.readUInt16LE(PAGE.magic);
    this.#magic ??= magic;
    return magic === this.#magic ? page : null;
  }

  #file(at: bigint): Buffer | null {
    const name = nameOf(this.timeline, at / SEGMENT);
    if (name !== this.#name) {
      this.#name = name;
      this.#bytes = readIfPresent(join(this.folder, 'pg_wal', name));
    }
    return this.#bytes;
  }
}

function continues(page: Buffer, left: number): boolean {
  const isContinued = (page.readUInt16LE(PAGE.flags) & CONTINUES) !== 0;
  return isContinued && page.readUInt32LE(PAGE.rest) === left;
}

function headerOf(at: bigint): number {
  return at % SEGMENT < BigInt(PAGE_BYTES) ? PAGE.longHeader : PAGE.header;
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function nameOf(timeline: number, segment: bigint): string {
  const perFile = 0x1_0000_0000n / SEGMENT;
  const parts = [BigInt(timeline), segment / perFile, segment % perFile];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
}

function readIfPresent(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
