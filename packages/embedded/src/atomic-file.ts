import { open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The beginning of the name of a file that is being written. */
export const DRAFT = '.draft-';

/** Writes a file that is there whole or not at all, whenever the process or the machine stops. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `${DRAFT}${basename(path)}`);
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
