import { access, open, rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { CommandError } from './output.js';

/** A file that is there when it is whole, and not before. */
export interface Output {
  /** @returns SHA-256 of what was written, hexadecimal */
  write(stream: Readable): Promise<string>;
  /** Gives the file its name. */
  keep(): Promise<void>;
  /** Removes what was not kept. */
  discard(): Promise<void>;
}

/**
 * @param path of a file that is not there yet
 * @throws CommandError where it is there, or cannot be written
 */
export async function openOutput(path: string): Promise<Output> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandError(`there is a file ${path} already: choose another name`);
  const draft = `${path}.part`;
  const file = await open(draft, 'w', 0o600).catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new CommandError(`${path} cannot be written (${reason})`);
  });
  return {
    async write(stream) {
      const digest = sha256Stream();
      for await (const chunk of stream) {
        digest.update(chunk);
        await file.writeFile(chunk);
      }
      await file.sync();
      return digest.hex();
    },
    keep: () => rename(draft, path),
    async discard() {
      await file.close();
      await rm(draft, { force: true });
    },
  };
}
