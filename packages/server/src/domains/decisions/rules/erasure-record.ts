import { type ErasableField, ErasureRecord } from '@decision-ledger/contract/erasure';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { Check } from 'typebox/value';

/**
 * The fields that a record `decision.field_erased` says are erased. Whoever may append to the chain of
 * activity may disclose there what cannot be read: such a record says nothing.
 * @param data disclosure, or whatever stands in its place
 */
export function erasedFieldsIn(data: string | null): readonly ErasableField[] {
  const value = data === null ? null : readData(data);
  return Check(ErasureRecord, value) ? value.fields : [];
}

function readData(disclosure: string): JsonValue {
  try {
    return parseJson(parseDisclosure(disclosure, 'data').value);
  } catch {
    return null;
  }
}
