import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import { instant } from '../../../../platform/instant.js';
import type { Scope } from '../../../../platform/scope.js';

export interface CandidateRow {
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  /** ms. */
  readonly timestamp: number;
  readonly says_it_failed: boolean;
  /** Packed. */
  readonly features: Buffer;
}

const MAX_SHARING = 150;
const MAX_NEAR = 50;

const COLUMNS = raw(
  `seq, decision_id, agent_id, action_type, "timestamp", says_it_failed, features`,
);

/**
 * At most 200 decisions of a time span (ms): the latest with one of the tokens, and the latest of all.
 * Of decisions with one timestamp, the later recorded comes first, so that a replay finds the same ones.
 * Decisions with a token are materialized first, because an order by time would bypass their index.
 */
export async function selectCandidates(
  db: Queryable,
  { ledgerId }: Scope,
  tokens: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<CandidateRow[]> {
  const { text, values } = sql`
    with holding as materialized (
      select ${COLUMNS} from decision_features
      where ledger_id = ${ledgerId} and tokens && ${tokens}::integer[]
    ), sharing as (
      select * from holding
      where "timestamp" between ${instant(from)}
        and ${instant(to)}
      order by "timestamp" desc, seq desc limit ${MAX_SHARING}
    ), near as (
      select ${COLUMNS} from decision_features
      where ledger_id = ${ledgerId} and "timestamp" between ${instant(from)}
        and ${instant(to)}
      order by decision_features."timestamp" desc, seq desc limit ${MAX_NEAR}
    )
    select distinct on (seq) decision_id, agent_id, action_type,
      (extract(epoch from "timestamp") * 1000)::bigint as "timestamp", says_it_failed, features
    from (select * from sharing union all select * from near) as found order by seq`;
  return db.query<CandidateRow>({ name: 'select-candidates', text, values });
}
