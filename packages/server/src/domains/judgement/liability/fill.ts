import { JsonObject } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import type { Transaction } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { firstEstimate } from './first-estimates.js';
import { type PayloadRisk, versionLabel } from './rules/risk.js';
import { insertEstimates, type WhichDecisions } from './store/estimates.js';
import { type RecordedRow, selectUnestimated } from './store/subjects.js';
import type { Model } from './stored-snapshot.js';

const checkObject = checker(JsonObject, 'payload');

/**
 * Adds first estimates for decisions that were recorded by a release without estimates, as of the time
 * they were recorded.
 */
export async function fillEstimates(
  tx: Transaction,
  scope: Scope,
  model: Model,
  which: WhichDecisions,
): Promise<void> {
  const rows = await selectUnestimated(tx, scope, which);
  if (rows.length === 0) return;
  await insertEstimates(
    tx,
    scope,
    rows.map((row) => estimateRecorded(model, row)),
  );
}

function estimateRecorded(model: Model, row: RecordedRow) {
  const decision = {
    decisionId: row.decision_id,
    agentId: row.agent_id,
    actionType: row.action_type,
    confidence: row.confidence,
    risk: riskOf(model, row),
  };
  return firstEstimate(model, decision, row.seq, row.timestamp, row.created_at);
}

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
