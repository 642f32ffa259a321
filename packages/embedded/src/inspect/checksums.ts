/** Bytes of a page of PostgreSQL. */
export const PAGE_BYTES = 8192;
/** Pages of one file; a larger relation continues in the next one. */
export const PAGES_OF_FILE = 131_072;

const CHECKSUM = 8;
const UPPER = 14;

/*
 * The checksum of src/include/storage/checksum_impl.h: 32 interleaved sums over the words of the page, each
 * started from its own constant, with the number of the page mixed in at the end.
 */
const SUMS = 32;
const WORDS = PAGE_BYTES / 4;
const PRIME = 16_777_619;
const STARTS = Int32Array.from([
  ...[0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2],
  ...[0x83e13d2c, 0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c],
  ...[0xf718902a, 0x0b1c9cdb, 0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979],
  ...[0xcca6c0b2, 0x304a0979, 0x85aa43d4, 0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e],
  ...[0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756],
]);

const sums = new Int32Array(SUMS);
const words = new Int32Array(WORDS);
const bytesOfWords = Buffer.from(words.buffer);

/** Whether the page is as PostgreSQL wrote it; an unused page is all zeros. */
export function isIntact(page: Buffer, number: number): boolean {
  if (page.readUInt16LE(UPPER) === 0) return page.every((byte) => byte === 0);
  return page.readUInt16LE(CHECKSUM) === checksumOf(page, number);
}

function checksumOf(page: Buffer, number: number): number {
  page.copy(bytesOfWords);
  bytesOfWords.writeUInt16LE(0, CHECKSUM);
  sums.set(STARTS);
  for (let at = 0; at < WORDS; at += 1) add(at % SUMS, words[at] ?? 0);
  for (let at = 0; at < 2 * SUMS; at += 1) add(at % SUMS, 0);
  const whole = sums.reduce((all, sum) => all ^ sum, number) >>> 0;
  return (whole % 65_535) + 1;
}

function add(at: number, word: number): void {
  const mixed = (sums[at] ?? 0) ^ word;
  sums[at] = Math.imul(mixed, PRIME) ^ (mixed >>> 17);
}

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
