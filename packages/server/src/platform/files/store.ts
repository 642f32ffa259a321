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
