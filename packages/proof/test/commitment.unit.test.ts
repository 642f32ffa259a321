import { canonicalJson } from '@decision-ledger/proof/canonical';
import { commitmentOf, disclosureText, parseDisclosure } from '@decision-ledger/proof/commitment';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { json, text } from './support/arbitraries.js';
import { character } from './support/characters.js';
import { canonicalize, commitmentOracle } from './support/oracle.js';
import { type DisclosureVectors, readVectors } from './support/vectors.js';

const vectors = readVectors<DisclosureVectors>('disclosures.json');
const salt = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'));

describe('Disclosure and commitment vectors', () => {
  test.each(vectors.whole)(
    'The disclosure and commitment of the vector $name are the pinned ones',
    (vector) => {
      const disclosure = disclosureText(vector.salt, vector.field, vector.value);
      expect(disclosure).toBe(vector.disclosure);
      expect(commitmentOf(disclosure)).toBe(vector.commitment);
      expect(parseDisclosure(disclosure, vector.field)).toEqual({
        salt: vector.salt,
        value: vector.value,
      });
    },
  );

  test.each(vectors.commitments)(
    'The commitment of the vector $name is the pinned one',
    ({ disclosure, commitment }) => {
      expect(commitmentOf(disclosure)).toBe(commitment);
    },
  );

  test.each(vectors.refused)(
    'The disclosure of the vector $name is refused',
    ({ field, disclosure }) => {
      expect(() => parseDisclosure(disclosure, field)).toThrow(TypeError);
    },
  );
});

describe('Disclosures', () => {
  test('A disclosure is the canonical array of salt, name and value, and can be parsed again', () => {
    fc.assert(
      fc.property(salt, text, json, (salt, name, value) => {
        const disclosure = disclosureText(salt, name, canonicalJson(value));
        expect(disclosure).toBe(canonicalize([salt, name, value]));
        expect(parseDisclosure(disclosure, name)).toEqual({ salt, value: canonicalJson(value) });
      }),
    );
  });

  test('A disclosure is not made with a salt of another shape', () => {
    for (const wrong of [
      '',
      'A'.repeat(21),
      'A'.repeat(23),
      `${'A'.repeat(21)}=`,
      `${'A'.repeat(21)}"`,
    ]) {
      expect(() => disclosureText(wrong, 'inputs', '1')).toThrow(TypeError);
    }
  });
});

describe('Commitments', () => {
  test('A commitment is the SHA-256 of the base64url text of the disclosure', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (disclosure) => {
        expect(commitmentOf(disclosure)).toBe(commitmentOracle(disclosure));
      }),
    );
  });

  test.each([10_900, 10_922, 10_923, 11_000, 300_000])(
    'A commitment is correct for a disclosure of length %i',
    (length) => {
      for (const unit of ['a', 'é', '世', '😀']) {
        const disclosure = unit.repeat(length / unit.length);
        expect(commitmentOf(disclosure)).toBe(commitmentOracle(disclosure));
      }
    },
  );

  test('A text that has no UTF-8 form is refused rather than replaced', () => {
    expect(() => commitmentOf('a\ud800')).toThrow(TypeError);
    expect(() => commitmentOf(`\udc00${'a'.repeat(50_000)}`)).toThrow(TypeError);
  });
});
