import { formatTimestamp } from '@decision-ledger/contract/time';
import sql from 'sql-template-tag';
import { float8Array, textArray, timestampArray } from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { SeqRange } from '../../../../platform/projections/projection.js';
import type { RunningCost } from '../rules/running-cost.js';

/** A running cost with its decision. */
export interface NewRunningCost extends RunningCost {
  readonly seq: number;
  readonly agentId: string;
  readonly actionType: string;
  /** ms. */
  readonly timestamp: number;
}

export async function insertRunningCosts(
  tx: LedgerWriter,
  rows: readonly NewRunningCost[],
): Promise<void> {
  const count = (of: (row: NewRunningCost) => number | undefined) =>
    float8Array(rows, (row) => of(row) ?? Number.NaN);
  const { text, values } = sql`
    insert into running_costs (ledger_id, seq, agent_id, action_type, "timestamp", amount, currency,
      model, input_tokens, cached_tokens, output_tokens)
    select own.ledger_id, seq::bigint, agent_id, action_type, occurred_at, amount::numeric, currency,
      model, nullif(input_tokens, 'NaN')::bigint, nullif(cached_tokens, 'NaN')::bigint,
      nullif(output_tokens, 'NaN')::bigint
    from ${ownRow(tx.ledgerId)} as own, unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${textArray(rows, ({ agentId }) => agentId)}::text[],
      ${textArray(rows, ({ actionType }) => actionType)}::text[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${textArray(rows, ({ stated }) => stated?.amount ?? null)}::text[],
      ${textArray(rows, ({ stated }) => stated?.currency ?? null)}::text[],
      ${textArray(rows, ({ tokens }) => tokens?.model ?? null)}::text[],
      ${count(({ tokens }) => tokens?.input)}::float8[],
      ${count(({ tokens }) => tokens?.cached)}::float8[],
      ${count(({ tokens }) => tokens?.output)}::float8[]
    ) as row (seq, agent_id, action_type, occurred_at, amount, currency, model, input_tokens,
      cached_tokens, output_tokens)`;
  await tx.query({ name: 'insert-running-costs', text, values });
}

/** A decision whose metadata may say what it cost. */
export interface CostedRow {
  readonly seq: number;
  readonly agent_id: string;
  readonly action_type: string;
  /** ms. */
  readonly timestamp: number;
  /** A disclosure. */
  readonly metadata: string;
}

export async function selectCosted(
  ledger: LedgerReader,
  { after, until }: SeqRange,
): Promise<CostedRow[]> {
  return ledger.query<CostedRow>(sql`
    select seq, agent_id, action_type, metadata,
      (extract(epoch from "timestamp") * 1000)::bigint as "timestamp"
    from decisions
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
      and metadata like any (array['%"cost":%', '%"usage":%'])
    order by decisions.seq`);
}

export const RUNNING_COSTS = new DerivedRows('running_costs', {
  key: ['seq'],
  values: [
    ...['agent_id', 'action_type', 'timestamp', 'amount', 'currency', 'model'],
    ...['input_tokens', 'cached_tokens', 'output_tokens'],
  ],
});

/** Compares the stored costs of a part of the chain with those that there should be. */
export async function compareRunningCosts(
  ledger: LedgerReader,
  { after, until }: SeqRange,
  expected: readonly NewRunningCost[],
): Promise<RowComparison> {
  const rows = expected.map(({ seq, agentId, actionType, timestamp, stated, tokens }) => ({
    ...{ seq, agent_id: agentId, action_type: actionType },
    timestamp: formatTimestamp(timestamp),
    ...{ amount: stated?.amount ?? null, currency: stated?.currency ?? null },
    ...{ model: tokens?.model ?? null, input_tokens: tokens?.input ?? null },
    ...{ cached_tokens: tokens?.cached ?? null, output_tokens: tokens?.output ?? null },
  }));
  const stored = sql`seq > ${after} and seq <= ${until}`;
  return RUNNING_COSTS.compare(ledger, RUNNING_COSTS.made(rows), stored);
}
