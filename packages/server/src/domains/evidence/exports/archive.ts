import { createWriteStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ListedFile } from '@decision-ledger/proof/bundle/manifest';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { ZipFile } from 'yazl';

const BUFFER_BYTES = 256 * 1024;

/** Writes a small file of a bundle. */
export async function writeText(
  folder: string,
  name: string,
  text: string | Buffer,
): Promise<void> {
  await writeFile(join(folder, name), text, { mode: 0o600 });
}

/** The entry of a file in the manifest. */
export async function describeFile(folder: string, name: string): Promise<ListedFile> {
  const digest = sha256Stream();
  // One buffer for all reads keeps garbage low for large files.
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let bytes = 0;
  const file = await open(join(folder, name), 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) break;
      digest.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
  return { name, sha256: digest.hex(), bytes };
}

/**
 * Packs files of a folder into an archive in the same folder, without compression: each byte of the
 * archive belongs to a file or follows from names, sizes and CRCs.
 * @param mtime of all files in the archive
 */
export async function packArchive(
  folder: string,
  names: readonly string[],
  archive: string,
  mtime: Date,
): Promise<ListedFile> {
  const zip = new ZipFile();
  const failed = new Promise<never>((_resolve, reject) => zip.on('error', reject));
  const options = { mtime, mode: 0o100644, compress: false, forceDosTimestamp: true };
  for (const name of names) zip.addFile(join(folder, name), name, options);
  zip.end();
  const digest = sha256Stream();
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const target = createWriteStream(join(folder, archive), { mode: 0o600 });
  await Promise.race([pipeline(zip.outputStream, count, target), failed]);
  return { name: archive, sha256: digest.hex(), bytes };
}
