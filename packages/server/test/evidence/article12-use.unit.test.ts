import { canonicalJson } from '@decision-ledger/proof/canonical';
import { disclosureText } from '@decision-ledger/proof/commitment';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { useOf } from '@decision-ledger/verifier/checks/use';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUse } from '#server/domains/evidence/exports/rules/article12';

const SALT = 'AAAAAAAAAAAAAAAAAAAAAA';

/** What the ledger writes into a record, under the names that the verifier uses. */
function written(metadata: JsonValue) {
  const disclosure = disclosureText(SALT, 'metadata', canonicalJson(metadata));
  const { start, end, reviewer_id, verifiers, reference_database, matched_input } = readUse({
    metadata: disclosure,
  });
  return {
    'period_of_use.start': start,
    'period_of_use.end': end,
    'verifier.reviewer_id': reviewer_id,
    'verifier.verifiers': verifiers,
    'biometric_search.reference_database': reference_database,
    'biometric_search.matched_input': matched_input,
  };
}

describe('Metadata of a use, read by the ledger and by the verifier', () => {
  test.each([
    '2026-01-05T08:00:00Z',
    '2026-01-05t08:00:00.1234567z',
    '2026-01-05T08:00:00+02:00',
    '2026-01-05T08:00:00-23:59',
    '2026-01-05T08:00:00-24:00',
    '2026-01-05T08:00:00+00:60',
    '2026-01-05T24:00:00Z',
    '2026-01-05T23:60:00Z',
    '2026-01-05T23:59:60Z',
    '2026-02-29T00:00:00Z',
    '2024-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59.999999Z',
    '9999-12-31T23:59:59-00:01',
    '2026-01-05',
    '2026-01-05 08:00:00Z',
    '2026-01-05T08:00:00',
    '2026-01-05T08:00:00Z\n',
    '2026-01-05T08:00:00.Z',
    'yesterday',
    '',
  ])('The ledger and the verifier read the time %j alike', (use_start) => {
    expect(useOf({ use_start })).toEqual(written({ use_start }));
  });

  const value: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.constantFrom<JsonValue>(null, '', ' ', '\u00a0\ufeff', 'rev-7', 0, false, [], {}, [
      null,
      ' ',
    ]),
    fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(null), fc.integer())),
    fc.record({ name: fc.string({ unit: 'grapheme' }) }),
  );
  const metadata = fc.record(
    {
      use_start: value,
      use_end: value,
      reference_database: value,
      matched_input: value,
      verifiers: value,
      reviewer_id: value,
      toString: value,
    },
    { requiredKeys: [] },
  );

  test('The ledger and the verifier read arbitrary metadata alike', () => {
    fc.assert(
      fc.property(fc.oneof(metadata, value), (told) => {
        fc.pre(told !== null);
        expect(useOf(told)).toEqual(written(told));
      }),
      { numRuns: 2000, seed: 7 },
    );
  });

  test('The ledger and the verifier read nothing from a decision without metadata', () => {
    expect(Object.values(useOf(null))).toEqual([null, null, null, null, null, null]);
    expect(Object.values(readUse({ metadata: null }))).toEqual(Object.values(useOf(null)));
  });
});
