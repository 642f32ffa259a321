import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

/**
 * Any character: the same as `unit: 'binary'` of `fc.string`, which takes a second to list all of them in each process.
 */
export const character: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map(
    (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
    (value) => {
      const code = typeof value === 'string' ? (value.codePointAt(0) ?? -1) : -1;
      if (code === -1 || value !== String.fromCodePoint(code)) throw new Error('no character');
      return code < SURROGATES.first ? code : code - SURROGATES.count;
    },
  );
