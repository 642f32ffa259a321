import sql from 'sql-template-tag';
import { textArray, timestampArray } from '../../../../platform/binary-array.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';

/** Whose decisions are summed up. Null: those of all. */
export interface SumScope {
  readonly agentId: string | null;
  readonly actionType: string | null;
}

/** A sum for one of the scopes that were asked for. */
interface ScopedSum {
  /** Its place, from 0. */
  readonly scope: number;
  /** Decimal text. */
  readonly amount: string;
}

export interface OpenSum extends ScopedSum {
  /** Amounts that no rate converts. */
  readonly unconverted: number;
}

/** The place of a scope among those that were asked for: they are numbered from 1. */
export const SCOPE = sql`(b.place - 1)::integer as scope`;

export const APPLIES = sql`(b.agent_id is null or b.agent_id = s.agent_id)
  and (b.action_type is null or b.action_type = s.action_type)`;

/** What may still be lost of the stored estimates, for each scope; null while they are not all in a currency. */
export async function sumOpenExposure(
  ledger: LedgerReader,
  currency: string,
  scopes: readonly SumScope[],
): Promise<readonly OpenSum[] | null> {
  if (scopes.length === 0) return [];
  const rows = await ledger.query<OpenSum>(sql`
    select ${SCOPE}, trim_scale(coalesce(sum(s.open), 0))::text as amount,
      coalesce(sum(s.unconverted), 0)::integer as unconverted
    from unnest(
      ${textArray(scopes, ({ agentId }) => agentId)}::text[],
      ${textArray(scopes, ({ actionType }) => actionType)}::text[]
    ) with ordinality as b (agent_id, action_type, place)
    left join (
      select c.agent_id, c.action_type, sum(c.exposure - c.realised) as open,
        sum(c.unconverted) as unconverted
      from exposure_cells c where c.ledger_id = ${ledger.ledgerId}
      group by c.agent_id, c.action_type offset 0
    ) s on ${APPLIES}
    where not exists (
      select from liability_states l
      where l.ledger_id = ${ledger.ledgerId} and l.currency is distinct from ${currency})
    group by b.place`);
  return rows.length === 0 ? null : rows;
}

/** What links of a type moved in a time: ms, the end is exclusive. */
export interface MovedMoney extends SumScope {
  readonly linkType: 'loss' | 'refund';
  readonly start: number;
  readonly end: number;
}

export interface MovedSum extends ScopedSum {
  readonly currency: string;
  /** Start of the day, ms; a day has one rate. */
  readonly at: number;
}

/**
 * What was lost or refunded, net of what was reversed, by the times of the events: a row for each day and currency of what
 * links that count have moved.
 * @param wanted the first start and the last end bound what is read
 */
export async function sumMovedMoney(
  ledger: LedgerReader,
  wanted: readonly MovedMoney[],
): Promise<readonly MovedSum[]> {
  if (wanted.length === 0) return [];
  const start = Math.min(...wanted.map((one) => one.start));
  const end = Math.max(...wanted.map((one) => one.end));
  return ledger.query<MovedSum>(sql`
    select ${SCOPE}, s.currency, (extract(epoch from s.day) * 1000)::bigint as at,
      trim_scale(-sum(s.amount))::text as amount
    from unnest(
      ${textArray(wanted, ({ agentId }) => agentId)}::text[],
      ${textArray(wanted, ({ actionType }) => actionType)}::text[],
      ${textArray(wanted, ({ linkType }) => linkType)}::text[],
      ${timestampArray(wanted, (one) => one.start)}::timestamptz[],
      ${timestampArray(wanted, (one) => one.end)}::timestamptz[]
    ) with ordinality as b (agent_id, action_type, link_type, start, until, place)
    join (
      select a.agent_id, a.action_type, a.link_type, a.currency,
        date_trunc('day', a."timestamp") as day, sum(a.amount) as amount
      from link_allocations a
      where a.ledger_id = ${ledger.ledgerId} and a.label <> 'guessed'
        and a.link_type in ('loss', 'refund')
        and a."timestamp" >= ${instant(start)} and a."timestamp" < ${instant(end)}
      group by 1, 2, 3, 4, 5 offset 0
    ) s on ${APPLIES} and s.link_type = b.link_type and s.day >= b.start and s.day < b.until
    group by b.place, s.currency, s.day`);
}
