import type { ByteSource } from './byte-source.js';

/**
 * Records read errors of the source, which are not faults of the bundle, even if a caller catches them.
 * Refuses reads outside the source, which a hostile archive can request.
 */
export class GuardedSource implements ByteSource {
  readonly size: number;
  readonly #source: ByteSource;
  #failure: { readonly error: unknown } | null = null;

  constructor(source: ByteSource) {
    this.#source = source;
    this.size = source.size;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array();
    if (!(offset >= 0 && length > 0 && offset + length <= this.size)) {
      throw new Error('The archive refers to bytes outside of itself.');
    }
    this.rethrow();
    try {
      return await this.#source.read(offset, length);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** Throws the error of an earlier read, if any. */
  rethrow(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}

/** The reason why an archive cannot be read. `code` is that of the finding. */
export class ArchiveError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'ArchiveError';
    this.code = code;
  }
}
