import type { FilesAddress } from './address.js';
import { openFolder } from './folder.js';
import type { FileStore } from './store.js';

/** Opens without a look at what is there: a store that does not answer shows when it is used. */
export async function openFileStore(address: FilesAddress): Promise<FileStore> {
  if (address.kind === 'folder') return openFolder(address.path);
  // Only who keeps files there pays for loading the client, which takes a fifth of a second.
  const { openBucket } = await import('./bucket.js');
  return openBucket(address);
}
