import { fstatSync, writeFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import process from 'node:process';
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

/**
 * Prints a result. A pipe that its reader has closed is not an error. Rejects if the result cannot be
 * written for any other reason.
 */
export async function print(text: string): Promise<void> {
  try {
    await write(process.stdout, text);
  } catch (error) {
    if (isClosedPipe(error)) return;
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`the output cannot be written: ${message}`);
  }
}

/** Prints an error; a failure to do so is ignored. */
export async function printError(text: string): Promise<void> {
  await write(process.stderr, text).catch(() => undefined);
}

type Output = typeof process.stdout | typeof process.stderr;

async function write(stream: Output, text: string): Promise<void> {
  // On a full disk the stream would not report a partial write.
  if (fstatSync(stream.fd).isFile()) {
    writeFileSync(stream.fd, text);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    // Without a listener the error would end the process, although the callback gets it too.
    stream.once('error', reject);
    stream.write(text, (error) => {
      if (error != null) {
        reject(error);
        return;
      }
      stream.off('error', reject);
      resolve();
    });
  });
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

const CELLS = 30;

export interface ProgressBar {
  update(done: number, total: number): void;
  stop(): void;
}

/** A progress bar on standard error; nothing if it is not a terminal. */
export function progressBar(label: string): ProgressBar {
  const { stderr } = process;
  if (!stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  let shown = -1;
  return {
    update(done, total) {
      const percent = Math.min(100, Math.floor((done / Math.max(total, 1)) * 100));
      if (percent === shown) return;
      shown = percent;
      const full = Math.round((percent / 100) * CELLS);
      const bar = '█'.repeat(full) + '░'.repeat(CELLS - full);
      stderr.write(`\r${label} ${bar} ${percent}%`);
    },
    stop() {
      if (shown >= 0) stderr.write('\r\u001b[K');
    },
  };
}
