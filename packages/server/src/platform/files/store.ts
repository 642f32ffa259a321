import type { Readable } from 'node:stream';

export interface StoredFile {
  readonly name: string;
  /** In ms, by the clock of the store. */
  readonly modifiedAt: number;
  readonly bytes: number;
}

/**
 * A store of files that are written once. A name consists of segments of `a-z 0-9 _ . -` separated by
 * `/`, none of which begins with a dot; every method throws a FileStoreError with the problem `name`
 * for any other name.
 */
export interface FileStore {
  /**
   * Stores a local file atomically, replacing any file of that name.
   * @throws FileStoreError, or the file system's error if the local file cannot be read
   */
  put(name: string, path: string): Promise<void>;
  /** Returns null if there is no such file. The caller must read the stream to its end or destroy it. */
  read(name: string): Promise<{ readonly bytes: number; readonly stream: Readable } | null>;
  /** Deletes a file; a missing file is not an error. */
  delete(name: string): Promise<void>;
  /** The files whose names begin with `prefix`, in any order. */
  list(prefix: string): AsyncIterable<StoredFile>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** Machine-readable problems. */
export type FileStoreProblem =
  | 'name'
  | 'full'
  | 'credentials'
  | 'missing'
  | 'unreachable'
  | 'failed';

/** A failed operation of the store. The message is for the operator and contains no secret. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';

  constructor(
    readonly problem: FileStoreProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

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
