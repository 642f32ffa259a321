/** Bytes with random access, such as a file. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** @returns exactly `length` bytes from `offset`; callers stay within `size` */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/**
 * A file chosen in a browser.
 *
 * @example
 * ```ts
 * import { blobSource } from '@decision-ledger/verifier/archive/byte-source';
 * import { verifyBundle } from '@decision-ledger/verifier/verify';
 *
 * const verify = (chosen: Blob) => verifyBundle(blobSource(chosen));
 * ```
 */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    async read(offset, length) {
      return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    },
  };
}

/**
 * Bytes in memory.
 *
 * @example
 * ```ts
 * import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
 *
 * const source = memorySource(new Uint8Array([80, 75, 5, 6]));
 * source.size; // => 4
 * [...(await source.read(1, 2))]; // => [75, 5]
 * ```
 */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}
