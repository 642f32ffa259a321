import type { FilesAddress } from './address.js';
import { openFolder } from './folder.js';
import type { FileStore } from './store.js';

/** Opens a store without accessing it: errors appear on first use. */
export async function openFileStore(address: FilesAddress): Promise<FileStore> {
  if (address.kind === 'folder') return openFolder(address.path);
  // Loaded on demand, because loading the client takes a fifth of a second.
  const { openBucket } = await import('./bucket.js');
  return openBucket(address);
}
