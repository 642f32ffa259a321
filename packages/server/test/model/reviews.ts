import { type Activity, ActivityPage } from '@decision-ledger/contract/chain';
import { type GivenAnswer, GivenAnswerPage } from '@decision-ledger/contract/review';
import { Big } from 'big.js';
import { expect } from 'vitest';
import type { Client } from '../support/client.js';
import type { Ledger } from './ledger.js';
import { pagesOf } from './pages.js';

/** What the list of answers says is what people said, and what the chain of activity says of it. */
export async function expectAnswers(client: Client, ledger: Ledger): Promise<void> {
  const path = '/reviews/answers?start=2000-01-01&';
  const pages = await pagesOf(client, path, GivenAnswerPage, (page) => page.next_cursor);
  const answers = pages.flatMap((page) => page.answers);
  expectKnown(answers, ledger);
  expectDecided(answers, pages[0]?.decided.all, ledger);
  expectChained(answers, await reviewedIn(client));
}

/** Links of payments from Stripe move to the event that corrects theirs, and their answers end. */
const isKnown = ({ events }: Ledger, eventId: string) => events.has(eventId);

function expectKnown(answers: readonly GivenAnswer[], ledger: Ledger): void {
  const listed = answers
    .filter(({ financial_event_id }) => isKnown(ledger, financial_event_id))
    .map(({ financial_event_id, verdict, decision_id = null, links, actor, is_own }) => {
      const about = decision_id === null ? financial_event_id : links.join();
      return [about, financial_event_id, verdict, decision_id, actor, is_own].join(' ');
    });
  const known = [...ledger.answers]
    .filter(([, { eventId }]) => isKnown(ledger, eventId))
    .map(([about, { eventId, verdict, decisionId, actor }]) =>
      [about, eventId, verdict, decisionId, actor, actor === ledger.root.actor].join(' '),
    );
  expect(listed.sort(), `answers of ${ledger.name}`).toEqual(known.sort());
}

/** Every event that is not deleted counts once, however much was said of it. */
function expectDecided(
  answers: readonly GivenAnswer[],
  decided: GivenAnswerPage['decided']['all'] | undefined,
  { events, name }: Ledger,
): void {
  const isDecided = ({ verdict }: GivenAnswer) => verdict === 'cause' || verdict === 'none';
  const byEvent = new Map(
    answers.filter(isDecided).flatMap(({ financial_event_id: id, amount, currency }) => {
      return events.get(id)?.isDeleted === true ? [] : [[id, { amount, currency }] as const];
    }),
  );
  // Whether an event of Stripe is superseded is not known here.
  if ([...byEvent.keys()].some((id) => !events.has(id))) return;
  const sums = new Map<string, Big>();
  for (const { amount, currency } of byEvent.values()) {
    sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(new Big(amount).abs()));
  }
  const expected = [...sums].map(([currency, sum]) => `${sum.toString()} ${currency}`);
  const found = decided?.sums.map(({ currency, amount }) => `${new Big(amount)} ${currency}`);
  expect([decided?.events, found?.sort()], `decided in ${name}`).toEqual([
    byEvent.size,
    expected.sort(),
  ]);
}

/** The last records about events as wholes, by event. */
async function reviewedIn(client: Client): Promise<ReadonlyMap<string, Activity>> {
  const path = '/activity?type=financial_event.reviewed&';
  const pages = await pagesOf(client, path, ActivityPage, (page) => page.next_cursor);
  const newestFirst = pages.flatMap(({ activity }) => activity);
  return new Map(newestFirst.toReversed().map((record) => [record.subject, record]));
}

/** An answer about an event as a whole is its last record; one that was withdrawn is not listed. */
function expectChained(
  answers: readonly GivenAnswer[],
  reviewed: ReadonlyMap<string, Activity>,
): void {
  for (const { financial_event_id, verdict, decision_id, actor, answered_at } of answers) {
    if (decision_id !== undefined) continue;
    const record = reviewed.get(financial_event_id);
    expect(
      { verdict: record?.data?.verdict, actor: record?.actor, answered_at: record?.created_at },
      financial_event_id,
    ).toEqual({ verdict, actor, answered_at });
  }
}
