/** Reflected polynomial of CRC-32C (Castagnoli; RFC 3720, appendix B.4). */
const POLYNOMIAL = 0x82f6_3b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
  return crc;
});

/** CRC-32C of the parts, one after the other: PostgreSQL's checksum of the log and of its control files. */
export function crc32c(...parts: readonly Uint8Array[]): number {
  let crc = 0xffff_ffff;
  for (const part of parts) {
    for (const byte of part) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
