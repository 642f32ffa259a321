import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Reader } from '@zip.js/zip.js';

/** A file that a ZIP reader reads piece by piece. */
export class FileSource extends Reader<FileHandle> {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    super(handle);
    this.#handle = handle;
  }

  override async init(): Promise<void> {
    await super.init?.();
    this.size = (await this.#handle.stat()).size;
  }

  // Most reads are of a header, for which another thread takes longer than the file.
  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(this.#handle.fd, bytes, 0, length, offset));
  }
}
