import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { Link } from '@decision-ledger/contract/link';
import fc from 'fast-check';
import { expect } from 'vitest';
import { recalculate } from '#server/domains/judgement/liability/index';
import { recordEvent } from '#server/domains/record/financial-events/index';
import { carryLinks } from '#server/domains/record/links/index';
import { idToUuid, uuidToId } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../../support/client.js';
import { SCORE } from '../../support/link-score.js';
import { scopeOf, type TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';

/**
 * Money movements: events in several currencies, deleted or corrected, refunds, disputes and their
 * reversals, and links made by people or suggested and reviewed.
 */

const TYPES = ['revenue', 'cost', 'loss', 'refund', 'saving'] as const;

/** Event types of a source without signs, by the sign that the default settings give them. */
export const UNSIGNED = { payment: 1, refund: -1, dispute_won: 1, unheard_of: 0 } as const;

/** Made by hand; suggested; suggested and then confirmed or rejected; made and deleted. */
const FATES = ['stands', 'stands', 'matched', 'guessed', 'confirmed', 'rejected', 'deleted'];

const DECISIONS = 4;

/** The settings of a plan: amounts of one source have no sign. */
export const SETTINGS = { attribution: { unsigned_sources: ['unsigned'] } };

const amount = fc
  .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.nat({ max: 999 }))
  .map(([head, tail]) => `${head}.${String(tail).padStart(3, '0')}`);

export const plan = fc.array(
  fc.record({
    amount,
    currency: fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'CHF'),
    source: fc.constantFrom('billing', 'unsigned'),
    eventType: fc.constantFrom('payment', 'refund', 'dispute_won', 'unheard_of'),
    month: fc.constantFrom('01', '03', '04'),
    customer: fc.constantFrom('acme', 'Zoë', 7, null, { id: 1 }),
    day: fc.integer({ min: 1, max: 20 }),
    fate: fc.constantFrom('stands', 'stands', 'stands', 'deleted', 'corrected'),
    corrected: amount,
    links: fc.uniqueArray(
      fc.record({
        decision: fc.nat({ max: DECISIONS - 1 }),
        type: fc.constantFrom(...TYPES),
        reversal: fc.boolean(),
        strength: fc.integer({ min: 0, max: 100 }),
        fate: fc.constantFrom(...FATES),
      }),
      { maxLength: 4, selector: ({ decision: at, type }) => `${at} ${type}` },
    ),
  }),
  { minLength: 1, maxLength: 6 },
);
export type PlannedEvent = typeof plan extends fc.Arbitrary<(infer One)[]> ? One : never;
export type PlannedLink = PlannedEvent['links'][number];

/**
 * Agents `agent-0` and `agent-1` alternate decisions; action types are `action-0` and so on. What the
 * service refuses, such as a link that contradicts another, does not happen.
 */
export async function carryOut(
  bed: TestService,
  client: Client,
  events: readonly PlannedEvent[],
): Promise<void> {
  const scope = await scopeOf(bed, client);
  const decisions: string[] = [];
  for (let index = 0; index < DECISIONS; index += 1) {
    const body = decision({
      ...{ agent_id: `agent-${index % 2}`, action_type: `action-${index}` },
      ...(index < 2 && { metadata: { customer_id: `of ${index}` } }),
    });
    decisions.push(dataOf(await client.post('/decisions', body), DecisionReceipt, 201).decision_id);
  }
  for (const event of events) {
    const body = bodyOf(event, event.amount);
    const { id } = dataOf(await client.post('/financial-events', body), FinancialEvent, 201);
    for (const link of event.links) {
      await makeLink(bed, client, scope, decisions[link.decision] ?? '', id, link);
    }
    if (event.fate === 'deleted') await client.delete(`/financial-events/${id}`);
    if (event.fate === 'corrected') await correct(bed, scope, id, event);
  }
}

function bodyOf(
  { currency, source, eventType, month, day, customer }: PlannedEvent,
  value: string,
) {
  const plain = value.replace(/^-0\.000$/, '0.000');
  const date = `2026-${month}-${String(day).padStart(2, '0')}`;
  return {
    ...{ source, event_type: eventType, amount: plain, currency },
    timestamp: `${date}T23:59:59.999Z`,
    ...(customer !== null && { metadata: { customer_id: customer } }),
  };
}

async function makeLink(
  bed: TestService,
  client: Client,
  scope: Scope,
  decisionId: string,
  eventId: string,
  { type, reversal, strength, fate }: PlannedLink,
): Promise<void> {
  const isReversal = reversal && type !== 'revenue' && type !== 'saving';
  if (fate === 'stands' || fate === 'deleted') {
    const answer = await client.post('/links', {
      ...{ decision_id: decisionId, financial_event_id: eventId, link_type: type },
      ...{ correlation_strength: strength / 100, attribution_method: 'manual' },
      reversal: isReversal,
    });
    if (answer.status === 409) return;
    const { id } = dataOf(answer, Link, 201);
    if (fate === 'deleted') await client.delete(`/links/${id}`);
    return;
  }
  const label = fate === 'guessed' ? 'guessed' : 'matched';
  const id = await suggestLink(bed, scope, { decisionId, eventId, type, strength, label });
  if (fate === 'confirmed')
    expect([200, 409]).toContain((await client.post(`/links/${id}/confirm`, '')).status);
  if (fate === 'rejected') dataOf(await client.post(`/links/${id}/reject`, ''), Link);
}

export interface Suggestion {
  readonly decisionId: string;
  readonly eventId: string;
  readonly type: string;
  /** Hundredths. */
  readonly strength: number;
  readonly label?: 'matched' | 'guessed';
}

/** What the engine would have written, with a given strength. */
export async function suggestLink(
  bed: TestService,
  scope: Scope,
  { decisionId, eventId, type, strength, label = 'matched' }: Suggestion,
): Promise<string> {
  const uuid = bed.service.ids.uuid();
  const event = idToUuid('evt', eventId) ?? '';
  await withOwner(bed, (owner) =>
    owner.query(
      `insert into links (ledger_id, link_id, decision_id, event_id, correlation_strength,
        link_type, attribution_method, status, score, review_priority, created_by, created_at, label)
      values ($1, $2, $3, $4, $5, $6, 'probabilistic', 'ML_SUGGESTED', $7, 0.5, 'engine',
        to_timestamp($8::bigint / 1000.0), $9)`,
      [
        ...[scope.ledgerId, uuid, idToUuid('dec', decisionId), event, strength / 100, type],
        ...[JSON.stringify(SCORE), bed.service.clock.now(), label],
      ],
    ),
  );
  await bed.service.db.ledger(scope).write((tx) => recalculate(tx, [event]));
  return uuidToId('lnk', uuid);
}

/** The source corrects the event: links made by people are carried over, suggestions are not. */
async function correct(
  { service }: TestService,
  scope: Scope,
  eventId: string,
  event: PlannedEvent,
): Promise<void> {
  const actor = { scope, actor: 'test' };
  const before = idToUuid('evt', eventId) ?? '';
  await service.db.ledger(actor.scope).write(async (tx) => {
    const body = bodyOf(event, event.corrected);
    const { event_id } = await recordEvent(tx, service.hooks, actor, body, { supersedes: before });
    await carryLinks(tx, service.hooks, actor, before, event_id);
  });
}
