import { fstatSync, writeFileSync } from 'node:fs';
import process from 'node:process';

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
