import { commitmentOf } from '@decision-ledger/proof/commitment';
import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import type { DecisionEntry } from '@decision-ledger/proof/entry';
import { GateError, type JsonValue } from '@decision-ledger/proof/gate';
import {
  PRESENTED_FIELDS,
  type Presentation,
  type PresentedField,
} from '@decision-ledger/proof/presentation/format';
import type { Fail } from './check-leaf.js';

/** The disclosed values that the entry commits to. */
export function checkValues(
  { disclosures }: Presentation,
  { commitments }: DecisionEntry,
  fail: Fail,
): { [field in PresentedField]?: JsonValue } {
  const values: { [field in PresentedField]?: JsonValue } = {};
  for (const field of PRESENTED_FIELDS) {
    const disclosure = disclosures[field];
    if (disclosure === undefined) continue;
    const commitment = commitments[field];
    if (commitment === undefined) {
      fail('value_unknown', `${field} is disclosed, but the decision was recorded without it.`);
    } else if (commitmentOf(disclosure) !== commitment) {
      fail('value_differs', `${field} is not the value that the entry commits to.`);
    } else {
      const value = disclosed(disclosure, field, fail);
      if (value !== undefined) values[field] = value;
    }
  }
  return values;
}

function disclosed(disclosure: string, field: PresentedField, fail: Fail): JsonValue | undefined {
  try {
    return disclosedValue(disclosure, field);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof GateError)) throw error;
    fail('value_differs', `${field} has no readable value: ${error.message}`);
    return undefined;
  }
}
