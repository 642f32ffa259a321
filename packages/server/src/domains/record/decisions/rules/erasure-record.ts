import { type ErasableField, ErasureRecord } from '@decision-ledger/contract/erasure';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import { Check } from 'typebox/value';

/**
 * The erased fields that a `decision.field_erased` record names; none if its data are unreadable, as in
 * a forged record.
 * @param data disclosure, not yet verified
 */
export function erasedFieldsIn(data: string | null): readonly ErasableField[] {
  const value = legibleValue(data, 'data');
  return Check(ErasureRecord, value) ? value.fields : [];
}
