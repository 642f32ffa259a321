import { FileStoreError } from './file-store-error.js';

const PARTS = '(?:[a-z0-9_-][a-z0-9_.-]*/)*';
const NAME = new RegExp(`^${PARTS}[a-z0-9_-][a-z0-9_.-]*$`);
const PREFIX = new RegExp(`^${PARTS}(?:[a-z0-9_-][a-z0-9_.-]*)?$`);

/** Less than file systems and S3 allow, to leave space for the folder or prefix. */
const MAX_CHARS = 200;

export function isFileName(name: string): boolean {
  return name.length <= MAX_CHARS && NAME.test(name);
}

/** @throws FileStoreError with the problem `name` */
export function checkName(name: string): void {
  if (!isFileName(name)) throw refused('name');
}

/** @throws FileStoreError with the problem `name` unless a valid name can begin with it */
export function checkPrefix(prefix: string): void {
  if (prefix.length > MAX_CHARS || !PREFIX.test(prefix)) throw refused('prefix');
}

function refused(what: string): FileStoreError {
  return new FileStoreError(
    'name',
    `the ${what} of a stored file must be segments of a-z, 0-9, "_", "." and "-" separated by "/", none ` +
      `of which begins with ".", and have at most ${MAX_CHARS} characters`,
  );
}
