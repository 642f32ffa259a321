import type { FileName } from '@decision-ledger/proof/bundle/format';
import type { ListedFile } from '@decision-ledger/proof/bundle/manifest';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { ArchiveError } from '../archive/guarded-source.js';
import { type LineReader, Lines } from '../archive/lines.js';
import { type Archive, type ArchiveFile, reason } from '../archive/open.js';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';

/** Called with the number of bytes checked so far, and the total. */
export type Progress = (done: number, total: number) => void;

/** Maximum size of a file that is read as one text. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/**
 * The files listed in the manifest. Each is read once, while its hash, size and CRC are checked. The
 * contents of a file that differs are checked nevertheless.
 */
export class Files {
  /** Whether every file read so far matches the manifest. */
  areAsListed = true;
  readonly #archive: Archive;
  readonly #listed: ReadonlyMap<string, ListedFile>;
  readonly #findings: Findings;
  readonly #progress: Progress;
  readonly #wasRead = new Set<string>();
  readonly #total: number;
  #done = 0;

  constructor(
    archive: Archive,
    listed: ReadonlyMap<string, ListedFile>,
    findings: Findings,
    progress: Progress,
  ) {
    this.#archive = archive;
    this.#listed = listed;
    this.#findings = findings;
    this.#progress = progress;
    this.#total = [...listed.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Reads a file line by line; a missing file has no lines. */
  async lines(name: FileName, reader: LineReader): Promise<void> {
    const lines = new Lines(reader);
    await this.#read(name, (chunk) => lines.push(chunk));
    lines.end();
  }

  /** Reads a file as one text; null if it is missing or unreadable. */
  async text(name: FileName): Promise<string | null> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const exists = await this.#read(name, (chunk) => {
      bytes += chunk.length;
      if (bytes <= MAX_TEXT_BYTES) chunks.push(chunk.slice());
    });
    if (!exists) return null;
    if (bytes > MAX_TEXT_BYTES) {
      const message = `${name} has more than ${MAX_TEXT_BYTES} bytes, far more than in any bundle: its contents are not checked.`;
      this.#findings.fail('integrity', { code: 'file_size', file: name, message });
      return null;
    }
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      return (
        chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
      );
    } catch {
      this.#fail('line_unreadable', name, `${name} is not UTF-8.`);
      return null;
    }
  }

  /** Reads the files that were not read yet. */
  async rest(): Promise<void> {
    for (const name of this.#listed.keys()) {
      if (!this.#wasRead.has(name)) await this.#read(name, () => undefined);
    }
  }

  /** @returns whether the file exists */
  async #read(name: string, give: (chunk: Uint8Array) => void): Promise<boolean> {
    this.#wasRead.add(name);
    const listed = this.#listed.get(name);
    const file = this.#archive.files.get(name);
    if (file === undefined || listed === undefined) {
      this.areAsListed = false;
      return false;
    }
    const hash = sha256Stream();
    let crc = 0;
    try {
      const bytes = await pour(file, listed.bytes, (chunk) => {
        hash.update(chunk);
        crc = crc32(chunk, crc);
        this.#done += chunk.length;
        this.#progress(this.#done, this.#total);
        give(chunk);
      });
      this.#compare(file, listed, { bytes, sha256: hash.hex(), crc });
    } catch (error) {
      const message = `${name} cannot be extracted from the archive: ${reason(error)}.`;
      this.#fail('file_unreadable', name, message);
    }
    return true;
  }

  #compare(
    { name, crc32: crcOfArchive }: ArchiveFile,
    listed: { readonly sha256: string; readonly bytes: number },
    found: { readonly bytes: number; readonly sha256: string; readonly crc: number },
  ): void {
    if (found.bytes > listed.bytes) {
      const message = `${name} has more than the ${listed.bytes} bytes that the manifest says.`;
      this.#fail('file_size', name, message);
      return;
    }
    if (found.bytes < listed.bytes) {
      const message = `${name} has ${found.bytes} bytes; the manifest says ${listed.bytes}.`;
      this.#fail('file_size', name, message);
    }
    if (found.sha256 !== listed.sha256) {
      const message = `${name} has the SHA-256 ${found.sha256}; the manifest says ${listed.sha256}.`;
      this.#fail('file_hash', name, message);
    }
    if (found.crc !== crcOfArchive) {
      this.#fail('file_crc', name, `${name} has a CRC-32 other than the archive says.`);
    }
  }

  #fail(code: FindingCode, file: string, message: string): void {
    this.areAsListed = false;
    this.#findings.fail('integrity', { code, file, message });
  }
}

/**
 * Passes the bytes of a file on in chunks, and stops after `limit`.
 * @returns number of bytes read; above `limit` if the file has more
 */
async function pour(
  file: ArchiveFile,
  limit: number,
  onChunk: (chunk: Uint8Array) => void,
): Promise<number> {
  const reader = file.read().getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes += value.length;
    if (bytes > limit) {
      await reader.cancel();
      return bytes;
    }
    onChunk(value);
  }
}

/**
 * @throws ArchiveError if the file has more than `limit` bytes or its bytes differ from the archive's
 *   CRC; errors of the archive reader
 */
export async function readWhole(
  file: ArchiveFile,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > limit) throw tooLarge(file, limit);
  const bytes = new Uint8Array(file.size);
  let at = 0;
  const poured = await pour(file, file.size, (chunk) => {
    bytes.set(chunk, at);
    at += chunk.length;
  });
  if (poured > file.size) throw tooLarge(file, file.size);
  const whole = bytes.subarray(0, at);
  if (crc32(whole) !== file.crc32) {
    throw new ArchiveError('file_crc', `${file.name} has a CRC-32 other than the archive says.`);
  }
  return whole;
}

function tooLarge({ name }: ArchiveFile, limit: number): ArchiveError {
  return new ArchiveError('file_size', `${name} has more than ${limit} bytes.`);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/**
 * The CRC-32 of ZIP archives.
 * @param before CRC-32 of the preceding bytes; 0 at the start
 */
function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}
