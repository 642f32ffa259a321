import { MAX_UPLOAD_FILES } from '@decision-ledger/proof/bundle/format';
import type { ByteSource } from './byte-source.js';
import { ArchiveError } from './guarded-source.js';
import { serverAnswer } from './server-answer.js';

/** Far more than any bundle has beside uploads; archives beyond it are hostile or broken. */
export const MAX_ENTRIES = MAX_UPLOAD_FILES + 64;
const MAX_DIRECTORY_BYTES = 1024 * 1024;

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const ZIP64_END_BYTES = 56;
const END_SIGNATURE = 0x06054b50;
const LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_END_SIGNATURE = 0x06064b50;
const IN_ZIP64_32 = 0xffffffff;
const IN_ZIP64_16 = 0xffff;

interface Directory {
  readonly entries: number;
  readonly bytes: number;
  readonly offset: number;
  /** The offset at which the directory must end. */
  readonly end: number;
}

/**
 * Checks the end of an archive (APPNOTE 4.3.14 to 4.3.16) before anything else is read, so that no value
 * in it can cause searching, guessing or large allocations.
 * @throws ArchiveError
 */
export async function checkEndRecord(source: ByteSource): Promise<void> {
  if (source.size < END_BYTES) {
    throw (
      (await serverAnswer(source)) ??
      new ArchiveError('archive_unreadable', 'The file is too short to be a ZIP archive.')
    );
  }
  const at = source.size - END_BYTES;
  const end = viewOf(await source.read(at, END_BYTES));
  if (end.getUint32(0, true) !== END_SIGNATURE || end.getUint16(20, true) !== 0) {
    throw (
      (await serverAnswer(source)) ??
      new ArchiveError(
        'archive_unreadable',
        'The file does not end like the ZIP archive of a bundle: it is not a ZIP archive, is incomplete, or has data or a comment at its end.',
      )
    );
  }
  if (end.getUint16(4, true) !== 0 || end.getUint16(6, true) !== 0) {
    throw new ArchiveError('archive_split', 'The archive is one part of several.');
  }
  const directory = (await zip64Directory(source, at, end)) ?? plainDirectory(at, end);
  if (directory.entries > MAX_ENTRIES) {
    throw new ArchiveError(
      'archive_too_many_entries',
      `The archive says that it has ${directory.entries} entries; no bundle has more than ${MAX_ENTRIES}.`,
    );
  }
  const fits = directory.offset + directory.bytes === directory.end;
  if (!fits || directory.bytes > MAX_DIRECTORY_BYTES || directory.entries === 0) {
    throw new ArchiveError(
      'archive_unreadable',
      'The directory of the archive is not where the end of the archive says.',
    );
  }
}

function plainDirectory(at: number, end: DataView): Directory {
  return {
    entries: end.getUint16(10, true),
    bytes: end.getUint32(12, true),
    offset: end.getUint32(16, true),
    end: at,
  };
}

async function zip64Directory(
  source: ByteSource,
  at: number,
  end: DataView,
): Promise<Directory | null> {
  const isZip64 =
    end.getUint16(10, true) === IN_ZIP64_16 ||
    end.getUint32(12, true) === IN_ZIP64_32 ||
    end.getUint32(16, true) === IN_ZIP64_32;
  const start = at - LOCATOR_BYTES - ZIP64_END_BYTES;
  if (!isZip64 || start < 0) return null;
  const locator = viewOf(await source.read(at - LOCATOR_BYTES, LOCATOR_BYTES));
  const record = viewOf(await source.read(start, ZIP64_END_BYTES));
  const isWhole =
    locator.getUint32(0, true) === LOCATOR_SIGNATURE &&
    locator.getUint32(4, true) === 0 &&
    number64(locator, 8) === start &&
    record.getUint32(0, true) === ZIP64_END_SIGNATURE &&
    number64(record, 4) === ZIP64_END_BYTES - 12;
  if (!isWhole) {
    throw new ArchiveError('archive_unreadable', 'The ZIP64 end of the archive is incomplete.');
  }
  return {
    entries: number64(record, 32),
    bytes: number64(record, 40),
    offset: number64(record, 48),
    end: start,
  };
}

function number64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
