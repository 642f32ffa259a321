/** Bytes with random access, such as a file. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** @returns exactly `length` bytes from `offset`; callers stay within `size` */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file chosen in a browser. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    async read(offset, length) {
      return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    },
  };
}

/** Bytes in memory. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}
