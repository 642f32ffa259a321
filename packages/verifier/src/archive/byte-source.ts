/** Bytes that can be read anywhere, such as a file. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** @returns `length` bytes from `offset` on; never asked for more than there are */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file that was chosen in a browser. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    async read(offset, length) {
      return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    },
  };
}

/** Bytes that are in memory already. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}
