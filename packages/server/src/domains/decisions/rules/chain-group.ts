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
  /** Of the record before the first one. */
  readonly seq: number;
  readonly hash: string;
  /** created_at of every decision of the group, ms. */
  readonly createdAt: number;
  readonly decisionIdText: (uuid: string) => string;
}

/** Chains decisions one behind the other, in the order given. */
export function chainGroup(
  decisions: Iterable<PreparedDecision>,
  place: ChainPlace,
): ChainedDecision[] {
  const createdAt = formatTimestamp(place.createdAt);
  const chained: ChainedDecision[] = [];
  let { seq, hash: prevHash } = place;
  for (const decision of decisions) {
    seq += 1;
    const timestamp = decision.timestamp ?? place.createdAt;
    const receipt = {
      decision_id: place.decisionIdText(decision.decisionId),
      seq,
      timestamp: decision.timestamp === null ? createdAt : formatTimestamp(timestamp),
      created_at: createdAt,
      prev_hash: prevHash,
    };
    const entry = decisionEntry({
      ...receipt,
      ledger: place.ledger,
      epoch: place.epoch,
      agent_id: decision.agentId,
      action_type: decision.actionType,
      confidence: decision.confidence,
      human_in_loop: decision.humanInLoop,
      commitments: decision.commitments,
    });
    const hash = leafHash(entry);
    chained.push({ decision, timestamp, entry, hash, prevHash, receipt: { ...receipt, hash } });
    prevHash = hash;
  }
  return chained;
}
