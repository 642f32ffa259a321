import { JsonObject } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import type { Transaction } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { firstEstimate } from './first-estimates.js';
import { readRisk } from './rules/risk.js';
import { insertEstimates, type WhichDecisions } from './store/estimates.js';
import { type RecordedRow, selectUnestimated } from './store/subjects.js';
import type { Model } from './stored-snapshot.js';

const checkObject = checker(JsonObject, 'payload');

/**
 * Gives a first estimate to those decisions that an earlier release recorded, which made none, as of
 * the time when they were recorded.
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
  const { agent_id, action_type, confidence, human_in_loop, timestamp } = row;
  const decision = {
    ...{ decisionId: row.decision_id, agentId: agent_id, actionType: action_type, confidence },
    risk: readRisk({
      human_in_loop,
      metadata: readObject('metadata', row.metadata),
      outputs: readObject('outputs', row.outputs),
    }),
  };
  return firstEstimate(model, decision, row.seq, timestamp, row.created_at);
}

/** The value of a disclosure that is still there. */
function readObject(name: string, disclosure: string | null) {
  if (disclosure === null) return undefined;
  return checkObject(disclosedValue(disclosure, name));
}
