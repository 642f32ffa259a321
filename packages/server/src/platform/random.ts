import { randomFillSync } from 'node:crypto';

/** Cryptographic randomness from a buffered pool; no byte is returned twice. */
export interface RandomPool {
  /** `n` random bytes in a new buffer. */
  bytes(n: number): Buffer;
  /** `nBytes` random bytes as unpadded base64url (RFC 4648, 5): 16 bytes give 22 characters. */
  base64url(nBytes: number): string;
}

const DEFAULT_POOL_BYTES = 8192;

/**
 * Creates a pool that requests `size` bytes at a time from the operating system, because each call is
 * expensive. A request larger than the pool gets its own buffer. `fill` overwrites the buffer with
 * random bytes.
 */
export function createRandomPool(
  size: number = DEFAULT_POOL_BYTES,
  fill: (buffer: Buffer) => void = randomFillSync,
): RandomPool {
  if (!Number.isInteger(size) || size < 1) throw new RangeError('pool size must be at least 1');
  const pool = Buffer.alloc(size);
  let used = size;

  function reserve(n: number): number {
    if (used + n > size) {
      fill(pool);
      used = 0;
    }
    const start = used;
    used += n;
    return start;
  }

  function fresh(n: number): Buffer {
    if (!Number.isInteger(n) || n < 0) throw new RangeError('byte count must be 0 or more');
    const buffer = Buffer.alloc(n);
    if (n > size) {
      fill(buffer);
    } else {
      const start = reserve(n);
      // A copy, because the pool is refilled in place.
      pool.copy(buffer, 0, start, start + n);
    }
    return buffer;
  }

  return {
    bytes: fresh,
    base64url(nBytes) {
      if (!Number.isInteger(nBytes) || nBytes < 0 || nBytes > size) {
        return fresh(nBytes).toString('base64url');
      }
      const start = reserve(nBytes);
      return pool.toString('base64url', start, start + nBytes);
    },
  };
}
