import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatKey, makeSecret, parseKey } from '#server/domains/access/keys/rules/key';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const modes = fc.constantFrom('live' as const, 'test' as const);
const secrets = fc
  .array(fc.constantFrom(...BASE62), { minLength: 32, maxLength: 32 })
  .map((characters) => characters.join(''));

function checksumOf(text: string): string {
  let rest = BigInt(crc32(text));
  let digits = '';
  while (rest > 0n) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits.padStart(6, '0');
}

describe('Key text', () => {
  it('A key is its mode, its secret and the CRC-32 of both in base62', () => {
    fc.assert(
      fc.property(modes, secrets, (mode, secret) => {
        const key = formatKey(mode, secret);
        expect(key).toBe(`lg_${mode}_${secret}${checksumOf(`lg_${mode}_${secret}`)}`);
        expect(key).toMatch(/^[A-Za-z0-9_]{46}$/);
        expect(parseKey(key)).toEqual({ mode, text: key });
      }),
    );
  });

  it('The key format never changes', () => {
    expect(formatKey('live', 'A'.repeat(32))).toBe(
      'lg_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0B5dIE',
    );
    expect(formatKey('test', '0123456789ABCDEFGHIJKLMNOPQRSTUV')).toBe(
      'lg_test_0123456789ABCDEFGHIJKLMNOPQRSTUV1KRRdm',
    );
  });

  it('A key is refused after any change of one character', () => {
    fc.assert(
      fc.property(
        modes,
        secrets,
        fc.nat(45),
        fc.string({ unit: 'grapheme', maxLength: 1 }),
        (mode, secret, at, character) => {
          const key = formatKey(mode, secret);
          const changed = key.slice(0, at) + character + key.slice(at + 1);
          fc.pre(changed !== key);
          expect(parseKey(changed)).toBeNull();
        },
      ),
    );
  });

  it('A key is refused when two neighbouring characters are swapped', () => {
    fc.assert(
      fc.property(modes, secrets, fc.nat(44), (mode, secret, at) => {
        const key = formatKey(mode, secret);
        const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
        fc.pre(swapped !== key);
        expect(parseKey(swapped)).toBeNull();
      }),
    );
  });

  it('A key is refused with anything around it', () => {
    const key = formatKey('test', 'b'.repeat(32));
    for (const text of [` ${key}`, `${key} `, `${key}\n`, `${key}0`, key.toUpperCase(), '']) {
      expect(parseKey(text)).toBeNull();
    }
  });

  it.for(['', 'A'.repeat(31), 'A'.repeat(33), `${'A'.repeat(31)}_`, `${'A'.repeat(31)}é`])(
    'No key can be formatted from the secret %j',
    (secret) => expect(() => formatKey('live', secret)).toThrow(RangeError),
  );
});

describe('Secret generation', () => {
  it('A new secret has 32 base62 characters', () => {
    for (let n = 0; n < 100; n += 1) expect(makeSecret(randomBytes)).toMatch(/^[0-9A-Za-z]{32}$/);
  });

  it('Each base62 character is equally likely', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 248; byte += 1) {
      const [first = ''] = makeSecret((size) => new Uint8Array(size).fill(byte));
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join('')).toBe(BASE62);
    expect(new Set(counts.values())).toEqual(new Set([4]));
  });

  it('Bytes that would favour some characters are skipped', () => {
    const bytes = [248, 255, 0, 61, 62, 247];
    expect(
      makeSecret((size) => Uint8Array.from({ length: size }, (_, n) => bytes[n % 6] ?? 0)),
    ).toBe('0z0z'.repeat(8));
  });

  it.for([0, 255])('No key is made from a broken source that yields only %d', (byte) => {
    const source = (size: number): Uint8Array => new Uint8Array(byte === 0 ? 0 : size).fill(byte);
    expect(() => makeSecret(source)).toThrow('broken');
  });
});
