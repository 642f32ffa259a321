import { createHash } from 'node:crypto';
import {
  leafHash,
  sha256Base64url,
  sha256Hex,
  sha256OfBase64url,
  sha256Stream,
} from '@decision-ledger/proof/hash';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { character } from './support/characters.js';
import { leafOracle } from './support/oracle.js';

const anyText = fc.string({ unit: character, maxLength: 200 });

test('A leaf hash is SHA-256 over a zero byte and the UTF-8 bytes', () => {
  expect(leafHash('')).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
  fc.assert(
    fc.property(anyText, (text) => {
      expect(leafHash(text)).toBe(leafOracle(text));
    }),
  );
});

test('A digest is SHA-256 over the UTF-8 bytes, in hexadecimal and in base64url', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const digest = createHash('sha256').update(Buffer.from(text, 'utf8')).digest();
      expect(sha256Hex(text)).toBe(digest.toString('hex'));
      expect(sha256Base64url(text)).toBe(digest.toString('base64url'));
    }),
  );
});

test('A commitment is the digest of the base64url form, for a text of any length', () => {
  for (const text of ['', 'ä€😀', 'x'.repeat(20_000), '€'.repeat(20_000)]) {
    const encoded = Buffer.from(text, 'utf8').toString('base64url');
    expect(sha256OfBase64url(text)).toBe(sha256Base64url(encoded));
  }
});

test('The digest of a stream equals the digest of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (pieces) => {
      const stream = sha256Stream();
      for (const piece of pieces) stream.update(piece);
      expect(stream.hex()).toBe(createHash('sha256').update(Buffer.concat(pieces)).digest('hex'));
    }),
  );
});

test.each([leafHash, sha256Hex, sha256Base64url, sha256OfBase64url])(
  'The hash function %o refuses a lone surrogate, which would hash like its replacement',
  (hash) => {
    expect(() => hash('\ud800')).toThrow(TypeError);
    expect(() => hash('a\udfffb')).toThrow(TypeError);
  },
);
