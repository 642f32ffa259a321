import { isObject } from '@decision-ledger/liability/json-object';
import { type PayloadRisk, type RiskPayload, versionLabel } from '@decision-ledger/liability/risk';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { RecordedRow } from './store/subjects.js';
import type { EstimationModel } from './stored-snapshot.js';

/** Reads the facts that a recorded decision states, as far as they were not erased. */
export function riskOf({ risk }: EstimationModel, row: RecordedRow): PayloadRisk {
  return risk.read(new RecordedPayload(row));
}

/** Parses a field when it is asked for: most amounts are found without the inputs. */
class RecordedPayload implements RiskPayload {
  readonly action_type: string;
  readonly human_in_loop: boolean;
  readonly metadata: RiskPayload['metadata'];
  readonly outputs: RiskPayload['outputs'];
  readonly #row: RecordedRow;
  #inputs: RiskPayload['inputs'] | null = null;

  constructor(row: RecordedRow) {
    this.action_type = row.action_type;
    this.human_in_loop = row.human_in_loop;
    this.metadata = readObject('metadata', row.metadata);
    this.outputs = readObject('outputs', row.outputs);
    this.#row = row;
  }

  get inputs(): RiskPayload['inputs'] {
    if (this.#inputs === null) this.#inputs = readObject('inputs', this.#row.inputs);
    return this.#inputs;
  }
}

/** The version that a recorded decision names; null if it names none. */
export function versionOf({ settings }: EstimationModel, row: RecordedRow): string | null {
  const label = versionLabel(readObject('metadata', row.metadata), settings.version_keys);
  return label === '' ? null : label;
}

/**
 * The object in a disclosure; undefined if the field was erased or never recorded, or if it cannot be read:
 * verification reports that, and it keeps nobody from the estimates of other decisions. What was recorded was
 * accepted as faithful before, so it is not scanned again.
 */
function readObject(name: string, disclosure: string | null) {
  if (disclosure === null) return undefined;
  try {
    const value: JsonValue = JSON.parse(parseDisclosure(disclosure, name).value);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
