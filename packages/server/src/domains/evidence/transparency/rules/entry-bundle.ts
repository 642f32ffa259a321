const LENGTH_BYTES = 2;

/**
 * Entries in the form of C2SP tlog-tiles: the length of each in two bytes, big-endian, then its bytes.
 * @throws RangeError if an entry has more than 65,535 bytes
 */
export function entryBundle(entries: readonly string[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const bytes = Buffer.from(entry, 'utf8');
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(bytes.length);
      return [length, bytes];
    }),
  );
}
