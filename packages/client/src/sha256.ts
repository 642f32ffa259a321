/** The fractional parts of the cube roots of the first 64 primes (FIPS 180-4). */
const ROUND_CONSTANTS = Uint32Array.from([
  ...[
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  ],
  ...[
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  ],
  ...[
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  ],
  ...[
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  ],
  ...[
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  ],
  ...[
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  ],
  ...[
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  ],
  ...[
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ],
]);
const START = [
  ...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a],
  ...[0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
];
const BLOCK = 64;

/** SHA-256 in hexadecimal, where the platform has none that answers at once. */
export function sha256Hex(bytes: Uint8Array): string {
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  const whole = bytes.length - (bytes.length % BLOCK);
  addBlocks(state, words, bytes.subarray(0, whole));
  addBlocks(state, words, padded(bytes.subarray(whole), bytes.length));
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** The end of the message: a bit, zeros, and its length in bits. */
function padded(rest: Uint8Array, length: number): Uint8Array {
  const end = new Uint8Array(rest.length + 9 > BLOCK ? 2 * BLOCK : BLOCK);
  end.set(rest);
  end[rest.length] = 0x80;
  new DataView(end.buffer).setBigUint64(end.length - 8, BigInt(length) * 8n);
  return end;
}

function addBlocks(state: Uint32Array, words: Uint32Array, blocks: Uint8Array): void {
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength);
  for (let at = 0; at < blocks.length; at += BLOCK) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + 4 * index);
    addBlock(state, words);
  }
}

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

function addBlock(state: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < 64; at += 1) {
    const [early = 0, late = 0] = [words[at - 15], words[at - 2]];
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16] ?? 0) + first + (words[at - 7] ?? 0) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const chosen = (e & f) ^ (~e & g);
    const turned = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + turned + chosen + (ROUND_CONSTANTS[at] ?? 0) + (words[at] ?? 0)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const other = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word;
}
