import type { Link } from '@decision-ledger/contract/link';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestService, type TestService } from '../../support/service.js';
import { books, type Ledger, openLedger } from './support/accounting.js';
import { answering, answerOf, type Entry, transactionsOf } from './support/journal-answer.js';

let test: TestService;
beforeAll(async () => {
  test = await openTestService('embedded');
});
afterAll(() => test.close());

/** A posting as the bookkeeper knows it, whatever it says at the moment. */
interface Posting extends Entry {
  readonly isGone: boolean;
}

const TEXTS = ['Acme Ltd', 'Bravo GmbH', 'Charlie & Sons', 'Acme Ltd March'];
const postings = fc.record({
  day: fc.constantFrom('2026-01-05', '2026-01-06', '2026-02-05'),
  account: fc.constantFrom('revenues:a', 'revenues:b'),
  cents: fc.constantFrom(1000, 1990, 2500),
  text: fc.constantFrom(...TEXTS),
  code: fc.constantFrom('', '', 'A', 'B'),
  isGone: fc.constant(false),
});

/** What happens to the books between two polls. */
const edits = fc.oneof(
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('return' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('add' as const), posting: postings }),
  fc.record({ kind: fc.constant('confirm' as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant('edit' as const),
    at: fc.nat(),
    change: fc.oneof(
      fc.record({ text: fc.constantFrom('Acme Ltd.', 'Bravo GmbH & Co', 'Delta') }),
      fc.record({ cents: fc.constantFrom(1990, 2000) }),
      fc.record({ day: fc.constantFrom('2026-01-06', '2026-02-07') }),
      fc.record({ account: fc.constantFrom('revenues:b', 'revenues:c') }),
      fc.record({ code: fc.constantFrom('', 'C') }),
      fc.record({ commodity: fc.constantFrom('USD', 'shells') }),
    ),
  }),
);
const rounds = fc.record({
  edits: fc.array(edits, { maxLength: 3 }),
  answer: fc.constantFrom('whole', 'whole', 'whole', 'empty', 'broken'),
});

const contents = (entries: readonly Entry[]) =>
  entries.map(({ day, cents, text, code = '' }) => `${day} ${cents / 100} ${text} ${code}`).sort();

/** The events that count, and those with a confirmed link that stands. */
async function stateOf(ledger: Ledger) {
  const events = (await ledger.events()).filter(({ deleted_at }) => deleted_at === null);
  const links = (await ledger.links()).filter(({ deleted_at }) => deleted_at === null);
  const alive = events.map(({ timestamp, amount, description, external_id }) =>
    [timestamp.slice(0, 10), Number(amount), description, external_id ?? ''].join(' '),
  );
  return { events, links, alive: alive.sort() };
}

const keepsLinks = (links: readonly Link[], made: ReadonlySet<string>, alive: Set<string>) => {
  expect(new Set(links.map(({ decision_id }) => decision_id))).toEqual(made);
  for (const link of links) expect(alive).toContain(link.financial_event_id);
};

it('No history of the books loses a confirmed link unasked, or leaves events that differ from them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(postings, { minLength: 1, maxLength: 8 }),
      fc.array(rounds, { minLength: 1, maxLength: 6 }),
      async (first, history) => {
        const ledger = await openLedger(test);
        await ledger.connect(books('http://127.0.0.1:9', { accounts: ['revenues'] }));
        let answer = '[]';
        const outbound = answering(() => answer);
        const poll = () => ledger.poll('books', { outbound });
        let all: readonly Posting[] = first;
        const made = new Set<string>();
        const present = () => all.filter(({ isGone }) => !isGone);
        const readable = () => present().filter(({ commodity }) => commodity !== 'shells');
        answer = answerOf(present());
        await poll();
        for (const round of history) {
          for (const edit of round.edits) {
            if (edit.kind === 'add') all = [...all, edit.posting];
            else if (edit.kind === 'confirm') {
              const { events, links } = await stateOf(ledger);
              const event = events[edit.at % Math.max(1, events.length)];
              const isLinked = links.some((one) => one.financial_event_id === event?.id);
              if (event === undefined || isLinked) continue;
              made.add((await ledger.link(event.id)).decision_id);
            } else {
              const at = edit.at % all.length;
              const posting = all[at];
              if (posting === undefined) continue;
              const changed =
                edit.kind === 'edit' ? edit.change : { isGone: edit.kind === 'remove' };
              all = all.with(at, { ...posting, ...changed });
            }
          }
          const whole = answerOf(present());
          const broken = JSON.stringify([...transactionsOf(present()), { tcode: 7 }]);
          if (round.answer === 'whole') answer = whole;
          else answer = round.answer === 'empty' || present().length === 0 ? '[]' : broken;
          await poll();
          const { events, links } = await stateOf(ledger);
          keepsLinks(links, made, new Set(events.map(({ id }) => id)));
        }
        // At the end, whatever is right is released. What cannot be read is corrected.
        all = readable();
        answer = answerOf(all);
        await poll();
        const { events, links, alive } = await stateOf(ledger);
        keepsLinks(links, made, new Set(events.map(({ id }) => id)));
        const withheld = await ledger.withheld();
        if (withheld === null) expect(alive).toEqual(contents(all));
        else expect(await ledger.release(withheld.plan)).toBe(202);
        await poll();
        expect(await ledger.withheld()).toBeNull();
        expect((await stateOf(ledger)).alive).toEqual(contents(all));
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);
