import { open, stat } from 'node:fs/promises';
import type { ByteSource } from '../archive/byte-source.js';

export interface FileSource extends ByteSource {
  close(): Promise<void>;
}

/** Rejects with the file system's error, or if the path is not a file. */
export async function openFile(path: string): Promise<FileSource> {
  // Checked before opening, because opening a pipe blocks until it is written to.
  if (!(await stat(path)).isFile()) {
    throw new Error(`${path} is not a file: folders, pipes and devices cannot be checked`);
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
        if (bytesRead === 0) throw new Error(`${path} was truncated while it was read`);
        filled += bytesRead;
      }
      return bytes;
    },
    close: () => handle.close(),
  };
}
