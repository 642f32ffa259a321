import {
  MAX_HOLDERS,
  MAX_NEAREST,
  MAX_STATING,
} from '@decision-ledger/attribution/candidate-search';
import sql, { raw } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';

export interface CandidateRow {
  readonly seq: number;
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

/** Where candidates are looked for; times in ms. */
export interface CandidateSearch {
  /** Tokens of identifiers, the rarest first. */
  readonly ids: readonly number[];
  readonly idsFrom: number;
  readonly idsTo: number;
  /** Tokens of other values. */
  readonly values: readonly number[];
  /** Tokens of the amount of the event, as decisions may state it. */
  readonly amounts: readonly number[];
  readonly valuesFrom: number;
  readonly to: number;
  /** Position of a decision that is always found; null for none. */
  readonly alsoSeq: number | null;
}

const COLUMNS = raw('seq, "timestamp"');

/** Where decisions with a link are looked for; times in ms. */
export interface LinkSearch {
  /** Tokens of identifiers. */
  readonly links: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** A link that more decisions hold is not one case. */
const MAX_OF_LINK = 16;

/** The decisions that hold a link, the newest of each, in the order of recording. */
export async function selectLinkedCandidates(
  ledger: LedgerReader,
  { links, from, to }: LinkSearch,
): Promise<CandidateRow[]> {
  const { text, values } = sql`
    select f.seq, f.decision_id, f.agent_id, f.action_type,
      (extract(epoch from f."timestamp") * 1000)::bigint as "timestamp", f.says_it_failed, f.features
    from (
      select distinct held.seq from unnest(${links}::integer[]) as link (token), lateral (
        select ${COLUMNS} from decision_tokens
        where ledger_id = ${ledger.ledgerId} and token = link.token
          and "timestamp" between ${instant(from)} and ${instant(to)}
        order by decision_tokens."timestamp" desc, decision_tokens.seq desc limit ${MAX_OF_LINK}
      ) as held
    ) as found
    join decision_features f on f.ledger_id = ${ledger.ledgerId} and f.seq = found.seq
    order by f.seq`;
  return ledger.query<CandidateRow>({ name: 'select-linked', text, values });
}

/**
 * The newest decisions with one of the tokens of values or amounts. They are materialized first, because an order
 * by time would bypass their index.
 */
const newestWith = (
  ledgerId: string,
  tokens: readonly number[],
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
) => sql`with held as materialized (
        select ${COLUMNS} from decision_features
        where ledger_id = ${ledgerId} and tokens && ${tokens}::integer[]
      )
      select seq from held
      where "timestamp" between ${instant(from)} and ${instant(to)}
      order by held."timestamp" desc, held.seq desc limit ${limit}`;

/**
 * At most 420 decisions: 200 that hold an identifier, those of the rarest first, 150 with one of the values, 20
 * that state the amount, and the nearest 50. Of decisions with one timestamp, the later recorded comes first, so
 * that a replay finds the same ones. For each identifier only its latest holders are read, so the cost does not
 * grow with the ledger.
 */
export async function selectCandidates(
  ledger: LedgerReader,
  { ids, idsFrom, idsTo, values: tokens, amounts, valuesFrom, to, alsoSeq }: CandidateSearch,
): Promise<CandidateRow[]> {
  const { text, values } = sql`
    with named as (
      select held.seq, min(id.place) as place, max(held."timestamp") as "timestamp"
      from unnest(${ids}::integer[]) with ordinality as id (token, place), lateral (
        select ${COLUMNS} from decision_tokens
        where ledger_id = ${ledger.ledgerId} and token = id.token
          and "timestamp" between ${instant(idsFrom)} and ${instant(idsTo)}
        order by decision_tokens."timestamp" desc, decision_tokens.seq desc limit ${MAX_HOLDERS}
      ) as held
      group by held.seq
    ), holding as (
      select seq from named order by named.place, named."timestamp" desc, named.seq desc
      limit ${MAX_HOLDERS}
    ), sharing as (
      ${newestWith(ledger.ledgerId, tokens, { from: valuesFrom, to, limit: MAX_SHARING })}
    ), stating as (
      ${newestWith(ledger.ledgerId, amounts, { from: valuesFrom, to, limit: MAX_STATING })}
    ), near as (
      select seq from decision_features
      where ledger_id = ${ledger.ledgerId}
        and "timestamp" between ${instant(valuesFrom)} and ${instant(to)}
      order by decision_features."timestamp" desc, decision_features.seq desc limit ${MAX_NEAREST}
    )
    select f.seq, f.decision_id, f.agent_id, f.action_type,
      (extract(epoch from f."timestamp") * 1000)::bigint as "timestamp", f.says_it_failed, f.features
    from (
      select seq from holding union select seq from sharing
      union select seq from stating union select seq from near
      union select ${alsoSeq}::bigint
    ) as found
    join decision_features f on f.ledger_id = ${ledger.ledgerId} and f.seq = found.seq
    order by f.seq`;
  return ledger.query<CandidateRow>({ name: 'select-candidates', text, values });
}
