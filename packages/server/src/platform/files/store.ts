import type { Readable } from 'node:stream';

export interface StoredFile {
  readonly name: string;
  /** ms, by the clock of the store. */
  readonly modifiedAt: number;
  readonly bytes: number;
}

/**
 * Where files are kept that are made once and read as they are. A name is parts of `a-z 0-9 _ . -`
 * with `/` between them, none beginning with a point; every method throws a FileStoreError of kind
 * `name` for any other.
 */
export interface FileStore {
  /**
   * Puts a local file under a name, whole or not at all; one of that name is replaced.
   * @throws FileStoreError, or the file system's error where the local file cannot be read
   */
  put(name: string, path: string): Promise<void>;
  /** Null where there is none. Whoever takes the stream reads it to its end or destroys it. */
  read(name: string): Promise<{ readonly bytes: number; readonly stream: Readable } | null>;
  /** Takes a file away. That it is gone already is no error. */
  delete(name: string): Promise<void>;
  /** The files whose names begin with `prefix`, in no order. */
  list(prefix: string): AsyncIterable<StoredFile>;
  /** Lets go of connections. */
  close(): Promise<void>;
}
