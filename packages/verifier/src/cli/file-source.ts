import { open, stat } from 'node:fs/promises';
import type { ByteSource } from '../archive/byte-source.js';

export interface FileSource extends ByteSource {
  close(): Promise<void>;
}

/** Rejects with the error of the file system, or for what is no file. */
export async function openFile(path: string): Promise<FileSource> {
  // Looked at before it is opened: opening a pipe waits for whoever writes into it.
  if (!(await stat(path)).isFile()) {
    throw new Error(`${path} is no file: a folder, a pipe or a device cannot be checked`);
  }
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    size,
    async read(offset, length) {
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
        if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
        filled += bytesRead;
      }
      return bytes;
    },
    close: () => handle.close(),
  };
}
