import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage, ReviewedLink } from '@decision-ledger/contract/link';
import { ReviewAnswer } from '@decision-ledger/contract/review';
import { expect } from 'vitest';
import { type Answer, dataOf } from '../../support/client.js';
import type { Call } from '../call.js';
import type { Caller, KnownLink } from '../ledger.js';

const DAY = 86_400_000;

export async function recordFinancialEvent(call: Call): Promise<void> {
  const sign = call.chance(0.3) ? '-' : '';
  const ticket = `T-${call.below(20)}`;
  const valid = {
    source: call.choose('billing', 'shop'),
    event_type: call.choose('payment', 'refund issued', 'chargeback', 'fee', 'loss'),
    amount: `${sign}${1 + call.below(1000)}.${10 + call.below(90)}`,
    currency: call.choose('USD', 'EUR', 'CHF'),
    timestamp: new Date(call.world.bed.clock.now() - call.below(100 * DAY)).toISOString(),
    ...(call.chance(0.5) && { metadata: { ticket, customer_id: `C-${call.below(4)}` } }),
    ...(call.chance(0.3) && { description: `of ${ticket}` }),
  };
  const isValid = call.chance(0.9);
  const body = isValid
    ? valid
    : { ...valid, ...call.choose({ amount: '1,5' }, { currency: 'us' }) };
  const answer = await call.once('recordFinancialEvent', 'ingest', { body });
  if (answer === null || !call.may('ingest')) return;
  if (!isValid) expect(answer.status, answer.text).toBe(422);
  else {
    const { id, amount, currency } = dataOf(answer, FinancialEvent, 201);
    call.ledger.events.set(id, { amount, currency, isDeleted: false });
  }
}

const eventId = (call: Call) => call.pickId(({ events }) => events.keys(), 'evt');

export async function deleteFinancialEvent(call: Call): Promise<void> {
  const id = eventId(call);
  const answer = await call.send('deleteFinancialEvent', 'manage', { path: { id } });
  if (!call.may('manage')) return;
  const known = call.ledger.events.get(id);
  expect(answer.status, answer.text).toBe(known === undefined ? 404 : 200);
  if (known !== undefined) known.isDeleted = true;
}

function knownOf({ financial_event_id, status, deleted_at }: Link): KnownLink {
  if (status === 'ML_SUGGESTED') throw new Error('a link of people is no suggestion');
  return { eventId: financial_event_id, status, isDeleted: deleted_at !== null };
}

/** @param isAnswer whether a person said it, who was asked or is named by a session */
function keepLink({ ledger, caller }: Call, link: Link, isAnswer = true): void {
  ledger.links.set(link.id, knownOf(link));
  if (!isAnswer) return;
  ledger.answers.set(link.id, {
    ...{ eventId: link.financial_event_id, decisionId: link.decision_id, actor: caller.actor },
    verdict: link.status === 'REJECTED' ? 'rejected' : 'cause',
  });
}

/** A link that a system makes is no answer of a person. */
const isSession = ({ parent }: Caller) => parent !== null;

export async function createLink(call: Call): Promise<void> {
  const body = {
    decision_id: call.pickId(({ decisions }) => decisions.keys(), 'dec'),
    financial_event_id: eventId(call),
    correlation_strength: call.below(101) / 100,
    link_type: call.choose('revenue', 'cost', 'refund', 'loss', 'saving'),
    attribution_method: call.choose('manual', 'direct'),
    ...(call.chance(0.2) && { notes: 'by hand' }),
  };
  const answer = await tryOut(call, (query) =>
    query === ''
      ? call.once('createLink', 'ingest', { body })
      : call.send('createLink', 'ingest', { body, query }),
  );
  if (answer === null || !call.may('ingest')) return;
  const { decisions, events } = call.ledger;
  const isKnown = decisions.has(body.decision_id) && events.has(body.financial_event_id);
  if (!isKnown) expect(answer.status, answer.text).toBe(404);
  else if (answer.status === 201) keepLink(call, dataOf(answer, Link, 201), isSession(call.caller));
  else expect(answer.status, answer.text).toBe(409);
}

export async function deleteLink(call: Call): Promise<void> {
  const id = call.chance(0.5)
    ? call.pickId(({ links }) => links.keys(), 'lnk')
    : await suggestion(call);
  const answer = await call.send('deleteLink', 'review', { path: { id } });
  if (!call.may('review') || answer.status !== 200) return;
  expect(dataOf(answer, Link).deleted_at).not.toBe(null);
  call.ledger.answers.delete(id);
  const known = call.ledger.links.get(id);
  if (known !== undefined) known.isDeleted = true;
}

/** A suggestion that waits for a review, by a list that the ledger's own key may read. */
async function suggestion(call: Call): Promise<string> {
  const client = call.world.client(call.ledger);
  const { links } = dataOf(await client.get('/links?status=ML_SUGGESTED&limit=100'), LinkPage);
  return call.pickId((ledger) => (ledger === call.ledger ? links.map(({ id }) => id) : []), 'lnk');
}

/** Tries a change out now and then: that changes nothing. @returns null if it was tried out, or a repeat */
async function tryOut(
  call: Call,
  send: (query: string) => Promise<Answer | null>,
): Promise<Answer | null> {
  if (!call.chance(0.2)) return send('');
  const before = await call.world.heads();
  await send('?dry_run=true');
  expect(await call.world.heads(), 'a dry run changed a ledger').toEqual(before);
  return null;
}

const review = (verb: 'confirmLink' | 'rejectLink') => async (call: Call) => {
  const isFresh = call.chance(0.8);
  const id = isFresh ? await suggestion(call) : call.pickId(({ links }) => links.keys(), 'lnk');
  const body = verb === 'confirmLink' && call.chance(0.3) ? { strength: 0.5 } : {};
  const answer = await tryOut(call, (query) =>
    call.send(verb, 'review', { path: { id }, query, body }),
  );
  if (answer?.status === 200) keepLink(call, dataOf(answer, ReviewedLink));
};
export const confirmLink = review('confirmLink');
export const rejectLink = review('rejectLink');

export async function answerReview(call: Call): Promise<void> {
  const id = eventId(call);
  const decision_id = call.pickId(({ decisions }) => decisions.keys(), 'dec');
  const body = call.choose<object>({ none: true }, { skip: true }, { decision_id }, {});
  const answer = await tryOut(call, (query) =>
    call.send('answerReview', 'review', { path: { id }, query, body }),
  );
  if (answer === null || !call.may('review')) return;
  const known = call.ledger.events.get(id);
  if (answer.status !== 200) {
    const isSkip = 'skip' in body && known?.isDeleted === false;
    expect(isSkip, answer.text).toBe(false);
    return;
  }
  const { verdict, link } = dataOf(answer, ReviewAnswer);
  const { answers } = call.ledger;
  answers.delete(id);
  if (link !== undefined) keepLink(call, link);
  if (verdict === 'none' || verdict === 'skipped') {
    answers.set(id, { eventId: id, decisionId: null, verdict, actor: call.caller.actor });
  }
}

export async function withdrawReview(call: Call): Promise<void> {
  const id = eventId(call);
  const known = call.ledger.events.get(id);
  const answer = await call.send('withdrawReview', 'review', { path: { id } });
  if (!call.may('review')) return;
  if (known === undefined) expect(answer.status, answer.text).toBe(404);
  else expect(answer.status, answer.text).toBe(call.ledger.answers.delete(id) ? 200 : 409);
}
