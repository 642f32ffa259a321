import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import {
  type ExperimentAnalysis as Analysis,
  ExperimentAnalysis,
} from '@decision-ledger/contract/experiment';
import sql from 'sql-template-tag';
import { recalculate } from '#server/domains/judgement/liability/index';
import { idToUuid } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../../support/client.js';
import { scopeOf, type TestService } from '../../support/service.js';

/** 74 days before the time of the tests. */
export const DECIDED = '2026-02-01T10:00:00.000Z';
/** A day later. */
const PAID = '2026-02-02T10:00:00.000Z';

export interface Assigned {
  readonly arm: string;
  readonly customer: string | null;
  /** Amount of an event that the decision caused; null for none. */
  readonly amount: string | null;
  readonly propensity?: unknown;
  /** Other members of the decision. */
  readonly decision?: object;
  /** Time and currency of the event. */
  readonly at?: string;
  readonly currency?: string;
  readonly linkType?: 'revenue' | 'saving';
  /** A suggestion of this label, instead of a link that people made. */
  readonly suggested?: 'matched' | 'guessed';
}

/**
 * Records decisions of the experiment `pricing`, and all their events and links in one transaction,
 * which takes a tenth of the time of the API.
 * @returns the identifiers of the decisions
 */
export async function record(
  bed: TestService,
  client: Client,
  all: readonly Assigned[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < all.length; start += 100) {
    const decisions = all.slice(start, start + 100).map((one) =>
      decision({
        timestamp: DECIDED,
        metadata: {
          experiment: { id: 'pricing', arm: one.arm, propensity: one.propensity ?? 0.5 },
          ...(one.customer !== null && { customer_id: one.customer }),
        },
        ...one.decision,
      }),
    );
    const answer = await client.post('/decisions/batch', { decisions });
    const receipts = dataOf(answer, DecisionBatchReceipt, 201).decisions;
    ids.push(...receipts.map(({ decision_id }) => decision_id));
  }
  await pay(bed, await scopeOf(bed, client), all, ids);
  return ids;
}

async function pay(
  { service }: TestService,
  scope: Scope,
  all: readonly Assigned[],
  ids: readonly string[],
): Promise<void> {
  const events = all.flatMap(({ amount, ...one }, place) => {
    if (amount === null) return [];
    const decisionId = idToUuid('dec', ids[place] ?? '');
    return [
      { ...one, amount, decisionId, eventId: service.ids.uuid(), linkId: service.ids.uuid() },
    ];
  });
  if (events.length === 0) return;
  await service.db.ledger(scope).write(async (tx) => {
    await tx.query(sql`
      insert into financial_events (ledger_id, event_id, lead_id, source, event_type, amount,
        counted_amount, currency, "timestamp", created_at)
      select ${scope.ledgerId}, event_id, event_id, 'billing', 'payment', amount, amount, currency, at, now()
      from unnest(${events.map(({ eventId }) => eventId)}::uuid[],
        ${events.map(({ amount }) => amount)}::numeric[],
        ${events.map(({ currency = 'USD' }) => currency)}::text[],
        ${events.map(({ at = PAID }) => at)}::timestamptz[]) as e (event_id, amount, currency, at)`);
    await tx.query(sql`
      insert into links (ledger_id, link_id, decision_id, event_id, correlation_strength, link_type,
        attribution_method, status, label, created_by, created_at)
      select ${scope.ledgerId}, link_id, decision_id, event_id, 1, link_type, 'manual',
        case when label is null then 'CONFIRMED' else 'ML_SUGGESTED' end, label, 'test', now()
      from unnest(${events.map(({ linkId }) => linkId)}::uuid[],
        ${events.map(({ decisionId }) => decisionId)}::uuid[],
        ${events.map(({ eventId }) => eventId)}::uuid[],
        ${events.map(({ linkType = 'revenue' }) => linkType)}::text[],
        ${events.map(({ suggested = null }) => suggested)}::text[])
        as l (link_id, decision_id, event_id, link_type, label)`);
    await recalculate(
      tx,
      events.map(({ eventId }) => eventId),
    );
  });
}

/**
 * Twenty customers in each arm: half of them pay 10 and 20 in `control`, 30 and 50 in `bold`, so that
 * the means are 15 and 40, and the variances 500 ÷ 19 and 2000 ÷ 19.
 */
export function twoArms(): Assigned[] {
  return Array.from({ length: 40 }, (_, n): Assigned => {
    const isBold = n % 2 === 1;
    const isHigh = n % 4 > 1;
    const amount = isBold ? (isHigh ? '50.00' : '30.00') : isHigh ? '20.00' : '10.00';
    return { arm: isBold ? 'bold' : 'control', customer: `c${n}`, amount };
  });
}

export async function analyse(client: Client, query = '', id = 'pricing'): Promise<Analysis> {
  return dataOf(await client.get(`/analytics/experiments/${id}${query}`), ExperimentAnalysis);
}
