import { fstatSync, writeFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Prints a result. A reader that has closed the pipe wants no more of it, and that is no error.
 * Rejects where it cannot be written for any other reason.
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

/** Tells of a problem. Where that cannot be written either, nobody is left to tell. */
export async function complain(text: string): Promise<void> {
  await write(process.stderr, text).catch(() => undefined);
}

type Output = typeof process.stdout | typeof process.stderr;

async function write(stream: Output, text: string): Promise<void> {
  // Of a disk that becomes full, the stream would keep to itself that only a part was written.
  if (fstatSync(stream.fd).isFile()) {
    writeFileSync(stream.fd, text);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    // An error that nobody listens for ends the process, although the callback is told of it.
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
