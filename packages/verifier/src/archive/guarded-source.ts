import type { ByteSource } from './byte-source.js';

/**
 * A source that remembers that it could not be read, whoever catches what it throws: that says
 * nothing about the bundle. It is never asked for what lies outside of it, whatever an archive says.
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
      throw new Error('The archive points outside of itself.');
    }
    this.rethrow();
    try {
      return await this.#source.read(offset, length);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** Throws what reading threw, if it ever did. */
  rethrow(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
