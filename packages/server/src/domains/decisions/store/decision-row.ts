import type { ErasableField } from '@decision-ledger/contract/erasure';
import { raw } from 'sql-template-tag';

/** A stored decision as the queries of this room read it: bytes in hexadecimal, times in ms. */
export interface DecisionRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly human_in_loop: boolean;
  readonly timestamp: number;
  readonly created_at: number;
  readonly hash: string;
  readonly prev_hash: string;
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly alternatives: string | null;
  readonly metadata: string | null;
}

export const DECISION_COLUMNS = raw(`seq, decision_id, agent_id, action_type, confidence,
  human_in_loop, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp",
  (extract(epoch from created_at) * 1000)::bigint as created_at,
  encode(hash, 'hex') as hash, encode(prev_hash, 'hex') as prev_hash,
  inputs, outputs, alternatives, metadata`);

/** A stored decision as it is answered. */
export interface DecisionViewRow extends DecisionRow {
  readonly erased: readonly ErasableField[];
}

/**
 * With the fields that were erased: they have a commitment and no value. Only as the name of a member
 * can such a text stand in an entry: within a value its quotes would be escaped.
 */
export const DECISION_VIEW_COLUMNS = raw(`${DECISION_COLUMNS.sql}, array_remove(array[
  case when inputs is null and position('"inputs":"' in entry) > 0 then 'inputs' end,
  case when outputs is null and position('"outputs":"' in entry) > 0 then 'outputs' end,
  case when alternatives is null and position('"alternatives":"' in entry) > 0
    then 'alternatives' end,
  case when metadata is null and position('"metadata":"' in entry) > 0 then 'metadata' end
  ], null) as erased`);
