import { raw } from 'sql-template-tag';
import { uuidToId } from '../../../platform/ids.js';

/** Of the table d; bytes in hexadecimal, times in ms. */
export const SUMMARY_COLUMNS = raw(`d.seq, d.epoch, d.decision_id, d.agent_id, d.action_type,
  d.confidence, d.human_in_loop, (extract(epoch from d."timestamp") * 1000)::bigint as "timestamp",
  (extract(epoch from d.created_at) * 1000)::bigint as created_at,
  encode(d.hash, 'hex') as hash, encode(d.prev_hash, 'hex') as prev_hash, d.entry,
  d.inputs is not null as has_inputs, d.outputs is not null as has_outputs,
  d.alternatives is not null as has_alternatives, d.metadata`);

export function withPublicId<Row extends { readonly decision_id: string }>(row: Row): Row {
  return { ...row, decision_id: uuidToId('dec', row.decision_id) };
}
