import { JsonObject } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import { type PayloadRisk, versionLabel } from './rules/risk.js';
import type { RecordedRow } from './store/subjects.js';
import type { Model } from './stored-snapshot.js';

const checkObject = checker(JsonObject, 'payload');

/** Reads the facts that a recorded decision states, as far as they were not erased. */
export function riskOf({ risk }: Model, row: RecordedRow): PayloadRisk {
  return risk.read({
    action_type: row.action_type,
    human_in_loop: row.human_in_loop,
    metadata: readObject('metadata', row.metadata),
    inputs: readObject('inputs', row.inputs),
    outputs: readObject('outputs', row.outputs),
  });
}

/** The version that a recorded decision names; null if it names none. */
export function versionOf({ settings }: Model, row: RecordedRow): string | null {
  const label = versionLabel(readObject('metadata', row.metadata), settings.version_keys);
  return label === '' ? null : label;
}

/** The object in a disclosure; undefined if the field was erased or never recorded. */
function readObject(name: string, disclosure: string | null) {
  if (disclosure === null) return undefined;
  return checkObject(disclosedValue(disclosure, name));
}
