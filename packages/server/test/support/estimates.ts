import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import {
  type Liability,
  LiabilityHistory,
  LiabilityUpdate,
} from '@decision-ledger/contract/liability';
import { parseJson } from '@decision-ledger/proof/gate';
import sql from 'sql-template-tag';
import { Parse } from 'typebox/value';
import { runNightly } from '#server/domains/judgement/liability/nightly-run';
import type { Database } from '#server/platform/database';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from './client.js';
import type { Instance } from './service.js';

type Fields = Readonly<Record<string, unknown>>;

/** The actions of tests of estimates on one ledger. */
export async function decide(client: Client, fields: Fields = {}): Promise<DecisionReceipt> {
  return dataOf(await client.post('/decisions', decision(fields)), DecisionReceipt, 201);
}

export async function liabilityOf(client: Client, decisionId: string): Promise<Liability> {
  const { liability } = dataOf(await client.get(`/decisions/${decisionId}`), DecisionInDetail);
  if (liability === null) throw new Error(`${decisionId} has no estimate`);
  return liability;
}

/** Every estimate of a decision, newest first. */
export async function historyOf(client: Client, decisionId: string): Promise<Liability[]> {
  const estimates: Liability[] = [];
  let cursor = '';
  for (;;) {
    const path = `/decisions/${decisionId}/liability?limit=2${cursor}`;
    const page = dataOf(await client.get(path), LiabilityHistory);
    estimates.push(...page.estimates);
    if (page.next_cursor === null) return estimates;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

export interface Told {
  readonly seq: number;
  readonly type: string;
  readonly update: LiabilityUpdate;
}

/** The log of announcements of a ledger. */
export async function announcementsOf({ service }: Instance, { ledgerId }: Scope): Promise<Told[]> {
  const rows = await service.db.query<{ seq: number; type: string; data: string }>(sql`
    select seq, type, data from announcements where ledger_id = ${ledgerId} order by seq`);
  return rows.map(({ seq, type, data }) => ({
    ...{ seq, type },
    update: Parse(LiabilityUpdate, parseJson(data)),
  }));
}

/** The due nightly run, on a database that may fail during it. */
export function nightly(
  { service }: Instance,
  scope: Scope,
  db: Database = service.db,
): Promise<void> {
  return runNightly(db.ledger(scope), service, new AbortController().signal);
}

/** Everything in the tables of estimates except times. */
export async function estimatesOf({ service }: Instance, { ledgerId }: Scope): Promise<string> {
  const [row] = await service.db.query<{ all: string }>(sql`
    select json_build_array(
      (select json_agg(e order by e.seq) from (select seq, revision, snapshot_id, exposure, low,
        high, amount_at_risk, amount_basis, stake, realised, unconverted, open_share
        from liability_estimates where ledger_id = ${ledgerId}) e),
      (select json_agg(h order by h.seq, h.revision) from (select seq, revision, snapshot_id,
        exposure, low, high, amount_at_risk, realised, open_share
        from liability_history where ledger_id = ${ledgerId}) h),
      (select json_agg(a order by a.seq) from (select seq, type, subject, data
        from announcements where ledger_id = ${ledgerId}) a),
      (select json_agg(l order by l.link_id) from (select link_id, decision_seq, share, amount
        from link_allocations where ledger_id = ${ledgerId}) l),
      (select json_agg(d order by d.agent_id, d.action_type) from (select agent_id, action_type,
        day, decisions, exposure, realised from exposure_days where ledger_id = ${ledgerId}) d)
    )::text as all`);
  return row?.all ?? '';
}

/** Sums over the estimates themselves, and over their precomputed cells. */
export async function sumsOf({ service }: Instance, { ledgerId }: Scope) {
  const sums = sql`trim_scale(sum(exposure))::text as exposure,
    trim_scale(sum(realised))::text as realised, trim_scale(sum(stake))::text as stake`;
  const plain = await service.db.query<object>(sql`
    select agent_id, action_type, count(*) as decisions, ${sums},
      trim_scale(sum((exposure - realised) * (exposure - realised))) as squares
    from liability_estimates where ledger_id = ${ledgerId} group by 1, 2 order by 1, 2`);
  const cells = await service.db.query<object>(sql`
    select agent_id, action_type, sum(decisions) as decisions, ${sums}, trim_scale(sum(squares)) as squares
    from exposure_cells where ledger_id = ${ledgerId} group by 1, 2 order by 1, 2`);
  return { plain, cells };
}
