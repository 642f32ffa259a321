import { FileStoreError } from './file-store-error.js';

const PARTS = '(?:[a-z0-9_-][a-z0-9_.-]*/)*';
const NAME = new RegExp(`^${PARTS}[a-z0-9_-][a-z0-9_.-]*$`);
const PREFIX = new RegExp(`^${PARTS}(?:[a-z0-9_-][a-z0-9_.-]*)?$`);

/** Below what file systems and S3 allow, with room for the folder or prefix in front. */
const MAX_CHARS = 200;

export function isFileName(name: string): boolean {
  return name.length <= MAX_CHARS && NAME.test(name);
}

/** @throws FileStoreError of kind `name` */
export function checkName(name: string): void {
  if (!isFileName(name)) throw refused('name');
}

/** @throws FileStoreError of kind `name` unless some name could begin with it */
export function checkPrefix(prefix: string): void {
  if (prefix.length > MAX_CHARS || !PREFIX.test(prefix)) throw refused('prefix');
}

function refused(what: string): FileStoreError {
  return new FileStoreError(
    'name',
    `the ${what} of a stored file has other characters than a-z, 0-9, "_", "." and "-" in parts ` +
      `with "/" between them, a part that begins with ".", or more than ${MAX_CHARS} characters`,
  );
}
