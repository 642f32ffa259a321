import { open } from 'node:fs/promises';
import type { ByteSource } from '../archive/byte-source.js';

export interface FileSource extends ByteSource {
  close(): Promise<void>;
}

/** Rejects with the error of the file system, or for what is no file. */
export async function openFile(path: string): Promise<FileSource> {
  const handle = await open(path, 'r');
  const stats = await handle.stat();
  if (!stats.isFile()) {
    await handle.close();
    throw new Error(`${path} is no file`);
  }
  const { size } = stats;
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
