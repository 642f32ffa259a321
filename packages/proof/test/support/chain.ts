import type { DecisionColumns, StoredRecord } from '@decision-ledger/proof/chain';
import { canonicalize, commitmentOracle, leafOracle } from './oracle.js';

export const FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'];

export const start = { ledger: 'led_1', epoch: 1, seq: 0, hash: leafOracle('genesis') };

export type DecisionRecord = StoredRecord<DecisionColumns>;

/** The content of one decision of a test chain: its columns vary with `choice`. */
export interface Plan {
  choice: number;
  payload: Record<string, unknown>;
}

/** A chain of decisions, built without the code under test. */
export function chainOf(plans: Plan[]): DecisionRecord[] {
  const records: DecisionRecord[] = [];
  let prevHash = start.hash;
  for (const [index, plan] of plans.entries()) {
    const record = decision(index + 1, prevHash, plan);
    prevHash = record.hash;
    records.push(record);
  }
  return records;
}

function decision(seq: number, prevHash: string, { choice, payload }: Plan): DecisionRecord {
  const moment = new Date(1_700_000_000_000 + choice).toISOString();
  const columns: DecisionColumns = {
    decision_id: `dec_${seq}_${choice}`,
    agent_id: `agent "${choice % 3}"`,
    action_type: `act/${choice % 5}`,
    confidence: choice / 1001,
    human_in_loop: choice % 2 === 0,
    timestamp: moment,
    created_at: new Date(1_700_000_000_000 + seq).toISOString(),
  };
  const disclosures: Record<string, string | null> = {};
  const commitments: Record<string, string> = {};
  for (const field of FIELDS) {
    const salt = Buffer.alloc(16, seq + field.length).toString('base64url');
    const isSent = field in payload;
    const disclosure = isSent ? (canonicalize([salt, field, payload[field]]) ?? '') : null;
    disclosures[field] = disclosure;
    if (disclosure !== null) {
      commitments[field] = commitmentOracle(disclosure);
    }
  }
  const { ledger, epoch } = start;
  const entry = canonicalize({
    _type: 'decision-ledger/decision/v1',
    ledger,
    epoch,
    seq,
    prev_hash: prevHash,
    ...columns,
    commitments,
  });
  return sealed({ seq, prevHash, hash: '', entry: entry ?? '', columns, disclosures });
}

/** The record with the hash of its entry. */
export function sealed(record: DecisionRecord): DecisionRecord {
  return { ...record, hash: leafOracle(record.entry) };
}
