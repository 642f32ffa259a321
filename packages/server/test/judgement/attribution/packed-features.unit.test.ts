import { extractFeatures } from '@decision-ledger/attribution/extraction';
import { hashFeatures } from '@decision-ledger/attribution/hashed-features';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  packFeatures,
  unpackFeatures,
} from '#server/domains/judgement/attribution/rules/packed-features';

const payload = fc.record({
  metadata: fc.dictionary(fc.string(), fc.jsonValue()),
  outputs: fc.jsonValue(),
});
const some = payload.map(({ metadata, outputs }) =>
  hashFeatures('a', extractFeatures(JSON.parse(JSON.stringify({ metadata, outputs })))),
);

it('Hashed features survive their binary form', () => {
  fc.assert(
    fc.property(some, (features) => {
      expect(unpackFeatures(packFeatures(features))).toEqual(features);
    }),
  );
});

it('Amounts keep their signs in the binary form', () => {
  const outputs = { payments: [{ amount: 49.9 }, { amount: -49.9 }] };
  const { amounts } = hashFeatures('a', extractFeatures({ outputs }));
  expect(amounts.map(({ isNegative }) => isNegative)).toEqual([false, true]);
  expect(unpackFeatures(packFeatures({ mentions: [], amounts })).amounts).toEqual(amounts);
});

it('Hashed features of another version are refused', () => {
  const bytes = packFeatures({ mentions: [], amounts: [] });
  bytes.writeUInt16LE(1, 0);
  expect(() => unpackFeatures(bytes)).toThrow('features have version 1, not 2');
  expect(() => unpackFeatures(Buffer.alloc(0))).toThrow(RangeError);
});
