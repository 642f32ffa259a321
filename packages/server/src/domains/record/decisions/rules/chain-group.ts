import type { DecisionReceipt } from '@decision-ledger/contract/decision';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { decisionEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import type { PreparedDecision } from './prepare.js';

/** A decision with its place in the chain. */
export interface ChainedDecision {
  readonly decision: PreparedDecision;
  /** ms. */
  readonly timestamp: number;
  readonly entry: string;
  readonly hash: string;
  readonly prevHash: string;
  readonly receipt: DecisionReceipt;
}

export interface ChainPlace {
  /** Public identifier of the ledger. */
  readonly ledger: string;
  readonly epoch: number;
  /** Seq of the record before the first one. */
  readonly seq: number;
  readonly hash: string;
  /** created_at of every decision of the group, ms. */
  readonly createdAt: number;
  readonly decisionIdText: (uuid: string) => string;
}

/** Appends decisions to the chain in the order given. */
export function chainGroup(
  decisions: Iterable<PreparedDecision>,
  place: ChainPlace,
): ChainedDecision[] {
  const createdAt = formatTimestamp(place.createdAt);
  const chained: ChainedDecision[] = [];
  let { seq, hash: prevHash } = place;
  for (const decision of decisions) {
    seq += 1;
    const decisionId = place.decisionIdText(decision.decisionId);
    const timestamp = decision.timestamp ?? place.createdAt;
    const timestampText = decision.timestamp === null ? createdAt : formatTimestamp(timestamp);
    // Each member is named: spreading objects costs more here than hashing them.
    const entry = decisionEntry({
      ledger: place.ledger,
      epoch: place.epoch,
      seq,
      prev_hash: prevHash,
      decision_id: decisionId,
      agent_id: decision.agentId,
      action_type: decision.actionType,
      confidence: decision.confidence,
      human_in_loop: decision.humanInLoop,
      timestamp: timestampText,
      created_at: createdAt,
      commitments: decision.commitments,
    });
    const hash = leafHash(entry);
    const receipt = {
      decision_id: decisionId,
      seq,
      timestamp: timestampText,
      created_at: createdAt,
      hash,
      prev_hash: prevHash,
    };
    chained.push({ decision, timestamp, entry, hash, prevHash, receipt });
    prevHash = hash;
  }
  return chained;
}
