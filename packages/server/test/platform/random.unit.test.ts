import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandomPool } from '#server/platform/random';

/** Fills with 0, 1, 2 …, so that bytes show their position. */
function countingFill(): (buffer: Buffer) => void {
  let next = 0;
  return (buffer) => {
    for (let at = 0; at < buffer.length; at += 1) {
      buffer[at] = next % 251;
      next += 1;
    }
  };
}

describe('Random pool', () => {
  it('16 bytes are 22 characters of base64url', () => {
    expect(createRandomPool().base64url(16)).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  it('Each byte is used once, in order, in either form', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 64 }),
        fc.array(fc.tuple(fc.boolean(), fc.nat(20)), { maxLength: 60 }),
        (size, requests) => {
          const pool = createRandomPool(size, countingFill());
          let last = -1;
          for (const [asText, n] of requests) {
            const bytes = asText ? Buffer.from(pool.base64url(n), 'base64url') : pool.bytes(n);
            expect(bytes).toHaveLength(n);
            for (const [at, byte] of bytes.entries()) {
              if (at > 0) expect(byte).toBe((last + 1) % 251);
              last = byte;
            }
          }
        },
      ),
    );
  });

  it('A remainder too short at the end is skipped, so that fillings are not mixed', () => {
    const pool = createRandomPool(10, countingFill());
    expect([...pool.bytes(6)]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...pool.bytes(6)]).toEqual([10, 11, 12, 13, 14, 15]);
  });

  it('Returned bytes do not change later', () => {
    const pool = createRandomPool(4, countingFill());
    const first = pool.bytes(4);
    pool.bytes(4);
    expect([...first]).toEqual([0, 1, 2, 3]);
  });

  it('Requests may be larger than the pool', () => {
    const pool = createRandomPool(4, countingFill());
    expect(pool.bytes(100)).toHaveLength(100);
    expect(pool.base64url(99)).toHaveLength(132);
  });

  it('Salts never repeat', () => {
    const pool = createRandomPool();
    const salts = Array.from({ length: 20_000 }, () => pool.base64url(16));
    expect(new Set(salts).size).toBe(20_000);
  });

  it.for([-1, 1.5, Number.NaN])('A request for %d bytes is refused', (n) => {
    const pool = createRandomPool();
    expect(() => pool.bytes(n)).toThrow(RangeError);
    expect(() => pool.base64url(n)).toThrow(RangeError);
  });

  it('A pool cannot be empty', () => expect(() => createRandomPool(0)).toThrow(RangeError));
});
