import {
  type Activity,
  ActivityPage,
  DecisionChainVerification,
} from '@decision-ledger/contract/chain';
import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { type ErasableField, Erasure } from '@decision-ledger/contract/erasure';
import sql from 'sql-template-tag';
import type { Static } from 'typebox';
import type { Scope } from '#server/platform/principal';
import { type Answer, type Client, dataOf } from './client.js';
import { decide } from './estimates.js';
import type { Instance } from './service.js';

export const REASON = 'the customer asked for it';

/** A decision with every erasable field, each with its own text. */
export const FULL = {
  inputs: { text: 'secret-inputs', customer_id: 'CUST-1001' },
  outputs: { text: 'secret-outputs', amount: '731.25', currency: 'USD' },
  alternatives: [{ text: 'secret-alternatives' }],
  metadata: { text: 'secret-metadata', order_id: 'ORD-2002' },
};

export async function decideFull(client: Client, fields = {}): Promise<string> {
  return (await decide(client, { ...FULL, ...fields })).decision_id;
}

export function postErasure(
  client: Client,
  decisionId: string,
  fields: readonly ErasableField[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return client.post(`/decisions/${decisionId}/erase`, { fields, reason: REASON }, headers);
}

export async function erase(
  client: Client,
  decisionId: string,
  ...fields: ErasableField[]
): Promise<Erasure> {
  return dataOf(await postErasure(client, decisionId, fields), Erasure);
}

export async function read(client: Client, decisionId: string): Promise<DecisionInDetail> {
  return dataOf(await client.get(`/decisions/${decisionId}`), DecisionInDetail);
}

/** The activity records of erasures, oldest first. */
export async function erasuresOf(client: Client): Promise<Activity[]> {
  const answer = await client.get('/activity?type=decision.field_erased&limit=500');
  return dataOf(answer, ActivityPage).activity.reverse();
}

export async function verify(
  client: Client,
  query = '',
): Promise<Static<typeof DecisionChainVerification>> {
  return dataOf(await client.get(`/decisions/chain/verify${query}`), DecisionChainVerification);
}

/** Every row of a ledger that an erasure may touch, as one text. */
export async function rowsOf({ service }: Instance, { ledgerId }: Scope): Promise<string> {
  const [row] = await service.db.query<{ all: string }>(sql`
    select json_build_array(
      (select json_agg(d order by seq) from decisions d where ledger_id = ${ledgerId}),
      (select json_agg(a order by seq) from activity a where ledger_id = ${ledgerId}),
      (select json_agg(h order by chain) from chain_heads h where ledger_id = ${ledgerId}),
      (select json_agg(f order by seq) from decision_features f where ledger_id = ${ledgerId}),
      (select json_agg(e order by seq) from experiment_assignments e where ledger_id = ${ledgerId}),
      (select json_agg(c order by seq) from running_costs c where ledger_id = ${ledgerId}),
      (select json_agg(t order by token) from token_frequencies t where ledger_id = ${ledgerId}),
      (select json_agg(t order by token, seq) from decision_tokens t
        where ledger_id = ${ledgerId}),
      (select json_agg(s order by event_id) from event_scores s where ledger_id = ${ledgerId}),
      (select json_agg(e order by seq) from liability_estimates e where ledger_id = ${ledgerId}),
      (select json_agg(h order by seq, revision) from liability_history h
        where ledger_id = ${ledgerId}),
      (select json_agg(c order by c) from (select * from exposure_cells
        where ledger_id = ${ledgerId}) c),
      (select json_agg(a order by seq) from announcements a where ledger_id = ${ledgerId}),
      (select json_agg(k order by key_mac) from idempotency_keys k where ledger_id = ${ledgerId})
    )::text as all`);
  return row?.all ?? '';
}
