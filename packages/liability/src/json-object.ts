import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { JsonValue } from '@decision-ledger/proof/gate';

export type JsonObject = DecisionBody['outputs'];

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
