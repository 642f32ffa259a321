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

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#handle.read(
      new Uint8Array(length),
      0,
      length,
      offset,
    );
    return buffer.subarray(0, bytesRead);
  }
}
