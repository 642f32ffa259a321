import { type PayloadRisk, versionLabel } from '@decision-ledger/liability/risk';
import { isObject } from '@decision-ledger/liability/stated-amounts';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import type { RecordedRow } from './store/subjects.js';
import type { Model } from './stored-snapshot.js';

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

/**
 * The object in a disclosure; undefined if the field was erased or never recorded, or if it cannot be read:
 * verification reports that, and it keeps nobody from the estimates of other decisions.
 */
function readObject(name: string, disclosure: string | null) {
  const value = legibleValue(disclosure, name);
  return isObject(value) ? value : undefined;
}
