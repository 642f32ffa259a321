import sql from 'sql-template-tag';
import { textArray, timestampArray } from '../../../../platform/binary-array.js';
import { instant } from '../../../../platform/instant.js';
import type { LedgerWriter } from '../../../../platform/ledger.js';

/** A decision that holds identifiers. */
export interface HoldingDecision {
  readonly seq: number;
  /** ms. */
  readonly timestamp: number;
  readonly tokens: readonly number[];
}

export async function insertDecisionTokens(
  tx: LedgerWriter,
  decisions: readonly HoldingDecision[],
): Promise<void> {
  const rows = decisions.flatMap(({ tokens, ...decision }) =>
    tokens.map((token) => ({ ...decision, token })),
  );
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into decision_tokens (ledger_id, token, "timestamp", seq)
    select ${tx.ledgerId}, token, occurred_at, seq::bigint
    from unnest(${rows.map(({ token }) => token)}::integer[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${textArray(rows, ({ seq }) => String(seq))}::text[]) as row (token, occurred_at, seq)
    on conflict do nothing`);
}

export async function deleteDecisionTokens(
  tx: LedgerWriter,
  { seq, timestamp, tokens }: HoldingDecision,
): Promise<void> {
  await tx.query(sql`
    delete from decision_tokens
    where ledger_id = ${tx.ledgerId} and token = any(${tokens}::integer[])
      and "timestamp" = ${instant(timestamp)}
      and seq = ${seq}`);
}
