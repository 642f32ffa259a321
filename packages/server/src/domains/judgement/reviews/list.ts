import { minorUnits } from '@decision-ledger/contract/currency';
import type {
  Decided,
  GivenAnswer,
  GivenAnswerPage,
  Review,
  ReviewPage,
  ReviewQuery,
} from '@decision-ledger/contract/review';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows, type Place, type Slice } from '../../../platform/page.js';
import type { Actor } from '../../../platform/principal.js';
import { readSettings } from '../../access/settings/index.js';
import { describeEvent, readEvents } from '../../record/financial-events/index.js';
import {
  type AnswerRange,
  type AnswerRow,
  listReviewQueue,
  type Person,
  type QueuedCandidate,
  type QueuedEvent,
  selectAnsweredEvents,
  selectAnswers,
  summariseReviewQueue,
} from '../attribution/index.js';

export interface ListedReview {
  readonly review: Review;
  readonly place: Place;
}

/** The events to review: audits first, then those whose review would teach most. */
export async function listReviews(
  ledger: LedgerReader,
  query: ReviewQuery,
  slice: Slice<Place>,
): Promise<PageRows<ListedReview>> {
  const filter = {
    kind: query.kind,
    currency: query.currency,
    source: query.source,
    minAmount: query.min_amount,
    hasSuggestion: query.has_suggestion,
  };
  const page = await listReviewQueue(ledger, filter, slice);
  const events = await readEvents(
    ledger,
    page.rows.map(({ eventId }) => eventId),
  );
  return mapPage(page, (queued) => {
    const event = events.get(queued.eventId);
    if (event === undefined) throw new Error('a queued event does not exist');
    return {
      review: { financial_event: describeEvent(event), ...describeQueued(queued) },
      place: queued.place,
    };
  });
}

/** An audit shows neither scores nor ranks. */
function describeQueued({
  isAudit,
  noneShare,
  priority,
  candidates,
}: QueuedEvent): Omit<Review, 'financial_event'> {
  if (isAudit) {
    return { kind: 'audit', priority: null, candidates: candidates.map(describeBlindly) };
  }
  return {
    kind: 'queue',
    none_share: noneShare,
    priority,
    candidates: candidates.map((candidate) => ({
      ...describeBlindly(candidate),
      ...(candidate.share !== undefined && { share: candidate.share }),
      ...(candidate.label !== undefined && { label: candidate.label }),
      ...(candidate.linkId !== null && { link_id: uuidToId('lnk', candidate.linkId) }),
      evidence: { ...candidate.evidence },
    })),
  };
}

function describeBlindly({ decision_id, agent_id, action_type, timestamp }: QueuedCandidate) {
  return {
    decision_id: uuidToId('dec', decision_id),
    agent_id,
    action_type,
    timestamp: formatTimestamp(timestamp ?? 0),
  };
}

/** What waits for a review, whatever the filter. */
export async function summariseReviews(ledger: LedgerReader): Promise<ReviewPage['open']> {
  const { base_currency: currency } = await readSettings(ledger);
  const summary = await summariseReviewQueue(ledger);
  const amount = new Big(summary.amount).toFixed(minorUnits(currency), Big.roundHalfEven);
  return { ...summary, amount, currency };
}

interface ListedAnswer {
  readonly seq: number;
  readonly answer: GivenAnswer;
}

/** The answers of a range that stand, newest first. */
export async function listGivenAnswers(
  ledger: LedgerReader,
  { ...caller }: Actor,
  { isOwn, ...range }: AnswerRange & { readonly isOwn: boolean },
  slice: Slice<number>,
): Promise<PageRows<ListedAnswer>> {
  const person = personOf(caller);
  const asked = { ...range, ...(isOwn && { person }) };
  const { rows, hasMore } = await selectAnswers(ledger, asked, slice);
  const ids = rows.map(({ event_id }) => event_id);
  const events = await readEvents(ledger, [...new Set(ids)]);
  const listed = rows.map((row) => {
    const event = events.get(row.event_id);
    if (event === undefined) throw new Error('an answered event does not exist');
    return { seq: row.seq, answer: describe(row, describeEvent(event), isBy(row, person)) };
  });
  return { rows: listed, hasMore };
}

/** What was decided in a range, by the caller and by everybody. */
export async function sumDecisions(
  ledger: LedgerReader,
  { ...caller }: Actor,
  range: AnswerRange,
): Promise<GivenAnswerPage['decided']> {
  const sum = async (answers: AnswerRange): Promise<Decided> => {
    const rows = await selectAnsweredEvents(ledger, answers);
    return {
      events: rows.reduce((all, { events }) => all + events, 0),
      sums: rows.map(({ currency, amount }) => ({ currency, amount: new Big(amount).toFixed() })),
    };
  };
  return { own: await sum({ ...range, person: personOf(caller) }), all: await sum(range) };
}

/** A person has one name in all sessions. A key stands for anyone who has it. */
function personOf({ actor, session }: Omit<Actor, 'scope'>): Person {
  return session === undefined ? { key: actor } : { name: session.name };
}

function isBy({ answered_by, name }: AnswerRow, person: Person): boolean {
  return 'key' in person ? answered_by === person.key : name === person.name;
}

const VERDICTS = {
  cause: 'cause',
  not_cause: 'rejected',
  none: 'none',
  skipped: 'skipped',
} as const;

function describe(
  { verdict, decision_id, links, answered_by, created_at }: AnswerRow,
  { id, event_type, amount, currency }: ReturnType<typeof describeEvent>,
  is_own: boolean,
): GivenAnswer {
  return {
    ...{ financial_event_id: id, event_type, amount, currency, verdict: VERDICTS[verdict] },
    ...(decision_id !== null && { decision_id: uuidToId('dec', decision_id) }),
    links: links.map((link) => uuidToId('lnk', link)),
    ...{ actor: answered_by, is_own, answered_at: formatTimestamp(created_at) },
  };
}
