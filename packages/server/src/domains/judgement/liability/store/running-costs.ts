import type { ModelPrice } from '@decision-ledger/contract/model-price';
import sql from 'sql-template-tag';
import { textArray, timestampArray } from '../../../../platform/binary-array.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';
import { heldPrices } from '../rules/prices.js';
import { APPLIES, SCOPE, type SumScope } from './measures.js';

/** Whose running costs of a time are summed up: ms, the end is exclusive. */
export interface CostScope extends SumScope {
  readonly start: number;
  readonly end: number;
}

/** What the decisions of a scope and a day cost in a currency. */
export interface CostSum {
  readonly scope: number;
  /** Start of the day, ms; a day has one rate. */
  readonly at: number;
  /** Null for decisions that state tokens without a price. */
  readonly currency: string | null;
  /** Decimal text; null if nothing is priced. */
  readonly amount: string | null;
  readonly decisions: number;
}

/**
 * What decisions cost by their own times: as they state it, else their tokens at the price of their model on their day (UTC).
 * @param scopes the first start and the last end bound what is read; of several scopes, all begin and end with a day
 */
export async function sumRunningCosts(
  ledger: LedgerReader,
  scopes: readonly CostScope[],
  prices: readonly ModelPrice[],
): Promise<readonly CostSum[]> {
  if (scopes.length === 0) return [];
  const start = Math.min(...scopes.map((one) => one.start));
  const end = Math.max(...scopes.map((one) => one.end));
  const held = heldPrices(prices);
  const agents = scopes.flatMap(({ agentId }) => agentId ?? []);
  const isOfSome = agents.length === scopes.length;
  return ledger.query<CostSum>(sql`
    with prices as (
      select model, since::date, until::date, currency, input::numeric, cached::numeric, output::numeric
      from unnest(
        ${textArray(held, ({ model }) => model)}::text[],
        ${textArray(held, ({ from }) => from)}::text[],
        ${textArray(held, ({ until }) => until ?? 'infinity')}::text[],
        ${textArray(held, ({ currency }) => currency)}::text[],
        ${textArray(held, ({ input }) => input)}::text[],
        ${textArray(held, ({ input, cached_input }) => cached_input ?? input)}::text[],
        ${textArray(held, ({ output }) => output)}::text[]
      ) as p (model, since, until, currency, input, cached, output)
    )
    select ${SCOPE}, (extract(epoch from s.day) * 1000)::bigint as at, s.currency,
      trim_scale(sum(s.amount))::text as amount, sum(s.decisions)::integer as decisions
    from unnest(
      ${textArray(scopes, ({ agentId }) => agentId)}::text[],
      ${textArray(scopes, ({ actionType }) => actionType)}::text[],
      ${timestampArray(scopes, (one) => one.start)}::timestamptz[],
      ${timestampArray(scopes, (one) => one.end)}::timestamptz[]
    ) with ordinality as b (agent_id, action_type, start, until, place)
    join (
      select r.agent_id, r.action_type, date_trunc('day', r."timestamp") as day,
        coalesce(r.currency, p.currency) as currency, count(*) as decisions,
        sum(coalesce(r.amount, ((r.input_tokens - r.cached_tokens) * p.input
          + r.cached_tokens * p.cached + r.output_tokens * p.output) * 0.000001)) as amount
      from running_costs r
      left join prices p on r.amount is null and p.model = r.model
        and r."timestamp"::date >= p.since and r."timestamp"::date < p.until
      where r.ledger_id = ${ledger.ledgerId}
        and r."timestamp" >= ${instant(start)} and r."timestamp" < ${instant(end)}
        and (not ${isOfSome}::boolean or r.agent_id = any(${agents}::text[]))
      group by 1, 2, 3, 4 offset 0
    ) s on ${APPLIES} and s.day >= date_trunc('day', b.start) and s.day < b.until
    group by b.place, s.day, s.currency`);
}
