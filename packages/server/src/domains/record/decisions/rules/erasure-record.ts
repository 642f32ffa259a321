import { type ErasableField, ErasureRecord } from '@decision-ledger/contract/erasure';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import { Check } from 'typebox/value';

/**
 * The fields that a record `decision.field_erased` says are erased. Whoever may append to the chain of
 * activity may disclose there what cannot be read: such a record says nothing.
 * @param data disclosure, or whatever stands in its place
 */
export function erasedFieldsIn(data: string | null): readonly ErasableField[] {
  const value = legibleValue(data, 'data');
  return Check(ErasureRecord, value) ? value.fields : [];
}
