import { access, open, rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { CommandError } from './output.js';

/** An output file that appears only when it is complete. */
export interface Output {
  /** @returns SHA-256 of the written bytes, hexadecimal */
  write(stream: Readable): Promise<string>;
  /** Renames the complete file to its final name. */
  keep(): Promise<void>;
  /** Removes the file unless it was kept. */
  discard(): Promise<void>;
}

/**
 * @param path of a new file
 * @throws CommandError if it exists or cannot be written
 */
export async function openOutput(path: string): Promise<Output> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandError(`the file ${path} already exists: choose another name`);
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
