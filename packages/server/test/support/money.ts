import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { Link } from '@decision-ledger/contract/link';
import sql from 'sql-template-tag';
import { Stripe } from 'stripe';
import { writeSuggestions } from '#server/domains/record/links/index';
import { idToUuid, uuidToId } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from './client.js';
import { SCORE } from './link-score.js';
import type { Instance } from './service.js';
import { withOwner } from './stored-jobs.js';

type Fields = Readonly<Record<string, unknown>>;

/** A valid body of POST /financial-events. */
export function event(fields: Fields = {}) {
  return {
    source: 'billing',
    event_type: 'payment',
    amount: '1250.00',
    currency: 'USD',
    timestamp: '2026-04-16T09:00:00.000Z',
    ...fields,
  };
}

/** A valid body of POST /links. */
export function link(decision_id: string, financial_event_id: string, fields: Fields = {}) {
  return {
    ...{ decision_id, financial_event_id },
    correlation_strength: 0.5,
    link_type: 'revenue',
    attribution_method: 'manual',
    ...fields,
  };
}

export async function recordEvent(client: Client, fields: Fields = {}): Promise<FinancialEvent> {
  return dataOf(await client.post('/financial-events', event(fields)), FinancialEvent, 201);
}

/** @returns the id of a new decision */
export async function recordDecision(client: Client): Promise<string> {
  return dataOf(await client.post('/decisions', decision()), DecisionReceipt, 201).decision_id;
}

/** A new decision and a new event, linked. */
export async function recordLink(client: Client, fields: Fields = {}): Promise<Link> {
  const body = link(await recordDecision(client), (await recordEvent(client)).id, fields);
  return dataOf(await client.post('/links', body), Link, 201);
}

export interface Pair {
  readonly decision_id: string;
  readonly financial_event_id: string;
}

export async function recordPair(client: Client): Promise<Pair> {
  const { id } = await recordEvent(client);
  return { decision_id: await recordDecision(client), financial_event_id: id };
}

/** A link as the engine would suggest it, written by the owner of the tables, so no activity records it. */
export async function suggest(bed: Instance, scope: Scope, pair: Pair): Promise<string> {
  const uuid = bed.service.ids.uuid();
  await withOwner(bed, (client) =>
    client.query(
      `insert into links (ledger_id, link_id, decision_id, event_id, correlation_strength,
        link_type, attribution_method, status, score, review_priority, created_by, created_at)
      values ($1, $2, $3, $4, 0.75, 'saving', 'probabilistic', 'ML_SUGGESTED', $5, 0.75, 'engine',
        to_timestamp($6::bigint / 1000.0))`,
      [
        ...[scope.ledgerId, uuid, idToUuid('dec', pair.decision_id)],
        ...[
          idToUuid('evt', pair.financial_event_id),
          JSON.stringify(SCORE),
          bed.service.clock.now(),
        ],
      ],
    ),
  );
  return uuidToId('lnk', uuid);
}

/** A link as the engine suggests it. */
export async function suggestByEngine(
  { service }: Instance,
  scope: Scope,
  pair: Pair,
): Promise<string> {
  const eventId = idToUuid('evt', pair.financial_event_id) ?? '';
  const decisionId = idToUuid('dec', pair.decision_id) ?? '';
  const suggestion = {
    ...{ decisionId, strength: 0.75, reviewPriority: 0.75, score: { ...SCORE } },
    ...({ linkType: 'saving', reversal: false, label: 'guessed' } as const),
  };
  return service.db.ledger(scope).write(async (tx) => {
    await writeSuggestions(tx, service.hooks, [{ eventId, suggested: [suggestion] }]);
    const [row] = await tx.query<{ link_id: string }>(sql`
      select link_id from links where ledger_id = ${scope.ledgerId} and event_id = ${eventId}
        and status = 'ML_SUGGESTED' and deleted_at is null`);
    return uuidToId('lnk', row?.link_id ?? '');
  });
}

/** The header `Stripe-Signature` of a body, as Stripe would send it now. */
export function signatureOf(body: string, secret: string, now: number): string {
  const timestamp = Math.floor(now / 1000);
  return Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
}
