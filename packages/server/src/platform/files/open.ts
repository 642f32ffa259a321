import type { FilesAddress } from './address.js';
import { openFolder } from './folder.js';
import { type FileStore, FileStoreError } from './store.js';

/** What a bucket needs besides this package: optional peer dependencies of it. */
const BUCKET_PACKAGES = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'];

/**
 * Opens a store without accessing it: errors of access appear on first use.
 * @throws FileStoreError if a package that the store needs is not installed
 */
export async function openFileStore(address: FilesAddress): Promise<FileStore> {
  if (address.kind === 'folder') return openFolder(address.path);
  // Loaded on demand, because loading the client takes a fifth of a second.
  const { openBucket } = await import('./bucket.js').catch(explainMissingPackage);
  return openBucket(address);
}

function explainMissingPackage(error: unknown): never {
  const isMissing =
    error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  if (!isMissing || !BUCKET_PACKAGES.some((name) => error.message.includes(`'${name}'`)))
    throw error;
  const packages = BUCKET_PACKAGES.join(' ');
  throw new FileStoreError(
    'missing',
    `LEDGER_FILES_URL names a bucket, and the packages for buckets are not installed: run \`npm install ${packages}\` where decision-ledger is installed`,
    { cause: error },
  );
}
