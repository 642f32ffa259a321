import { LedgerError } from '@decision-ledger/contract/errors';
import { checker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

const check = checker(
  Type.Object({ amount: Type.String() }, { additionalProperties: false }),
  'body',
);

function fieldsOf(value: unknown): Record<string, readonly string[]> {
  try {
    check(value);
  } catch (error) {
    if (error instanceof LedgerError && error.details !== undefined) {
      return { ...error.details.fields };
    }
    throw error;
  }
  return {};
}

const unknownFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`field ${n}`, n]));

describe('Unknown fields', () => {
  it.each([1, 8, 9, 20])('Unknown fields are all named if there are up to twenty: %i', (count) => {
    const fields = fieldsOf({ amount: '1.00', ...unknownFields(count) });
    expect(Object.keys(fields)).toEqual(Object.keys(unknownFields(count)));
    expect(fields['field 0']).toEqual(['is not a known field: remove it']);
  });

  it.each([250, 5000])('Unknown fields are cut to twenty names if there are more: %i', (count) => {
    expect(Object.keys(fieldsOf({ amount: '1.00', ...unknownFields(count) }))).toHaveLength(20);
  });

  it('Unknown fields hide no other problem', () => {
    const fields = fieldsOf(unknownFields(50));
    expect(fields.amount).toEqual(['is required']);
    expect(Object.keys(fields)).toHaveLength(20);
  });
});
