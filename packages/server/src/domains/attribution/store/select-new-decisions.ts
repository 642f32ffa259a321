import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type PageRows, selectPageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';

/** A decision as far as it is compared. Payload columns are disclosures; null where too large. */
export interface DecisionRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  /** ms. */
  readonly timestamp: number;
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly metadata: string | null;
  /** How many of these three there are, the too large ones included. */
  readonly fields: number;
}

/** Characters of a payload field beyond which it is not looked into. */
const LONGEST = 65_536;

/** Decisions behind a place in the chain, in their order: as many as fit into a page. */
export async function selectNewDecisions(
  db: Queryable,
  { ledgerId }: Scope,
  afterSeq: number,
  limit: number,
): Promise<PageRows<DecisionRow>> {
  const rows = sql`
    select * from decisions where ledger_id = ${ledgerId} and seq > ${afterSeq}
    order by decisions.seq`;
  return selectPageRows<DecisionRow>(db, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('decisions'),
  columns: sql`seq, decision_id, agent_id, action_type,
    (extract(epoch from "timestamp") * 1000)::bigint as "timestamp",
    case when length(inputs) <= ${LONGEST} then inputs end as inputs,
    case when length(outputs) <= ${LONGEST} then outputs end as outputs,
    case when length(metadata) <= ${LONGEST} then metadata end as metadata,
    num_nonnulls(inputs, outputs, metadata) as fields`,
  order: raw('seq'),
  bytes: raw(`coalesce(octet_length(inputs), 0) + coalesce(octet_length(outputs), 0)
    + coalesce(octet_length(metadata), 0)`),
};
