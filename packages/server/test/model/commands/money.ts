import {
  FinancialEvent,
  FinancialEventPage,
  Movement,
  type ReportedEvent,
} from '@decision-ledger/contract/financial-event';
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
    // A payment, and what takes it back.
    ...(call.chance(0.3) && { external_id: `P-${call.below(8)}` }),
    ...(call.chance(0.2) && { metadata: { reverses: `P-${call.below(8)}` } }),
    ...(call.chance(0.3) && { description: `of ${ticket}` }),
    // What several sources may report.
    ...(call.chance(0.3) && {
      ...{ amount: '19.90', currency: 'EUR', event_type: 'payment' },
      source: call.choose('billing', 'shop', 'accounting/books'),
      timestamp: new Date(call.world.bed.clock.now() - call.below(9 * DAY)).toISOString(),
    }),
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

/** The events of the ledger that are not deleted, those of Stripe too, by a list that its own key may read. */
async function liveEvents({ world, ledger }: Call): Promise<ReadonlyMap<string, ReportedEvent>> {
  const client = world.client(ledger);
  const page = dataOf(await client.get('/financial-events?limit=100'), FinancialEventPage);
  return new Map(page.financial_events.map((event) => [event.id, event]));
}

/** Rules pair besides what people do, so only what was said now is known. */
export async function pairReports(call: Call): Promise<void> {
  const live = await liveEvents(call);
  const any = () => (call.chance(0.5) && call.pick(live.keys())) || eventId(call);
  const reports = [any(), any(), ...(call.chance(0.3) ? [any()] : [])];
  const answer = await tryOut(call, (query) =>
    call.send('pairReports', 'review', { body: { reports }, query }),
  );
  if (answer === null || !call.may('review')) return;
  const refusal = refusalOf(call, live, reports);
  if (refusal !== undefined) expect(answer.status, answer.text).toBe(refusal);
  else if (new Set(reports).size < reports.length) {
    expect(answer.status, answer.text).toBe(422);
  } else if (answer.status !== 409) {
    expect(dataOf(answer, Movement).reports).toEqual(expect.arrayContaining(reports));
  }
}

/** 404 for an event that is unknown, 409 for one that is deleted; the first that is. */
function refusalOf(
  { ledger }: Call,
  live: Awaited<ReturnType<typeof liveEvents>>,
  reports: readonly string[],
): number | undefined {
  const [refusal] = reports.flatMap((id) => {
    if (live.has(id)) return [];
    const known = ledger.events.get(id);
    if (known === undefined) return [404];
    return known.isDeleted ? [409] : [];
  });
  return refusal;
}

/** Most often what can be parted. */
export async function partReport(call: Call): Promise<void> {
  const live = await liveEvents(call);
  const witnessed = [...live].filter(([, { movement }]) => movement.reports.length > 1);
  const [report] = (call.chance(0.8) && call.pick(witnessed)) || [eventId(call)];
  const from = call.chance(0.5) ? eventId(call) : undefined;
  const body = { report, ...(from !== undefined && { from }) };
  const answer = await call.send('partReport', 'review', { body });
  if (!call.may('review')) return;
  const other = from === undefined ? undefined : refusalOf(call, live, [from]);
  const isKnown = call.ledger.events.has(report) || live.has(report);
  if (!isKnown) expect(answer.status, answer.text).toBe(404);
  else if (other !== undefined) expect(answer.status, answer.text).toBe(other);
  else if (from === report) expect(answer.status, answer.text).toBe(422);
  else if (answer.status !== 409) {
    const { reports } = dataOf(answer, Movement);
    // What rules are certain of then stays, or is paired.
    expect(reports).toContain(report);
    expect(reports).not.toContain(from);
  }
}

/** Takes back what was said of events, if anything was. */
export async function withdrawSameMoney(call: Call): Promise<void> {
  const live = await liveEvents(call);
  const reports = [eventId(call), eventId(call), ...(call.chance(0.3) ? [eventId(call)] : [])];
  const answer = await call.send('withdrawSameMoney', 'review', { body: { reports } });
  if (!call.may('review')) return;
  const refusal = refusalOf(call, live, reports);
  if (refusal !== undefined) expect(answer.status, answer.text).toBe(refusal);
  else if (answer.status !== 409) expect(dataOf(answer, Movement).reports).toContain(reports[0]);
}

function knownOf({ financial_event_id, status, deleted_at }: Link): KnownLink {
  if (status === 'ML_SUGGESTED' || status === 'INHERITED') {
    throw new Error('a link of people is no suggestion');
  }
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

/** A report that another one leads, if there is one. Stripe's may be superseded, and take their links along. */
async function witnessId(call: Call): Promise<string> {
  const events = [...(await liveEvents(call)).values()];
  const witnesses = events.filter(
    ({ id, movement }) => movement.lead !== id && call.ledger.events.has(id),
  );
  return call.pick(witnesses)?.id ?? eventId(call);
}

export async function createLink(call: Call): Promise<void> {
  const body = {
    decision_id: call.pickId(({ decisions }) => decisions.keys(), 'dec'),
    financial_event_id: call.chance(0.3) ? await witnessId(call) : eventId(call),
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
