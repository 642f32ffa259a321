import { type FileHandle, open } from 'node:fs/promises';
import { CHAINS } from '@decision-ledger/watch/source';
import { type LogStatement, NoStatement, statementsIn } from '@decision-ledger/watch/statements';
import { TextWriter, ZipReader } from '@zip.js/zip.js';
import { FileSource } from '../platform/zip-source.js';

/** A checkpoint has a few hundred bytes. */
const MAX_NOTE_BYTES = 64 * 1024;
/** Far more than any bundle has. */
const MAX_ENTRIES = 64;

/**
 * The checkpoints of both logs in the archive of a bundle. Nothing else of the archive is read or verified.
 * @param path of a file
 * @throws NoStatement if the file is no archive, or holds no checkpoints
 */
export async function statementsInBundle(path: string): Promise<LogStatement[]> {
  const handle = await open(path);
  try {
    const notes = await readNotes(new ZipReader(new FileSource(handle), OPTIONS));
    return CHAINS.flatMap((chain) => {
      const note = notes.get(`${chain}.checkpoint`);
      if (note !== undefined) return statementsIn(note);
      throw new NoStatement(`the archive has no ${chain}.checkpoint, which bundles have since v2`);
    });
  } catch (error) {
    if (error instanceof NoStatement || isOfSystem(error)) throw error;
    throw new NoStatement('the file is not a ZIP archive of a bundle', { cause: error });
  } finally {
    await handle.close();
  }
}

const OPTIONS = { useWebWorkers: false };

/** Whether the file could not be opened or read. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

async function readNotes(reader: ZipReader<FileHandle>): Promise<ReadonlyMap<string, string>> {
  const notes = new Map<string, string>();
  const names = new Set(CHAINS.map((chain) => `${chain}.checkpoint`));
  let entries = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    entries += 1;
    if (entries > MAX_ENTRIES) throw new NoStatement('the archive has more entries than a bundle');
    if (entry.directory || !names.has(entry.filename)) continue;
    if (entry.uncompressedSize > MAX_NOTE_BYTES || notes.has(entry.filename)) {
      throw new NoStatement(`${entry.filename} in the archive is not a checkpoint`);
    }
    notes.set(entry.filename, await entry.getData(new TextWriter(), { checkSignature: true }));
  }
  return notes;
}
