import type { JsonValue } from '@decision-ledger/proof/gate';
import fc from 'fast-check';
import { character } from './characters.js';

/** Text that the gate accepts: whole characters, no U+0000; with critical keys and escapes. */
export const text: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ maxLength: 8 }),
    fc.string({ unit: character, maxLength: 8 }),
    fc.constantFrom('', '10', '9', '-1', 'é', '\uff61', '😀', '\\ud800', '"', '\\', '\n', 'toJSON'),
  )
  .filter((s) => !s.includes('\u0000') && s !== '__proto__');

export const number: fc.Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ min: -9007199254740991, max: 9007199254740991, noNaN: true }),
  fc.constantFrom(0, -0, 0.1, 1e-7, 5e-324, 0.30000000000000004, 9007199254740991),
);

/** Any value that the gate accepts, with keys in any order. */
export const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    number,
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
})).value;
