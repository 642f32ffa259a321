import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { check, codes } from './support/check.js';
import { draftAt } from './support/draft.js';
import { withhold } from './support/edit.js';
import { signRound, startLogs } from './support/logs.js';
import { type Json, Story } from './support/story.js';

const SALE = { event_type: 'sale', amount: '100.00', currency: 'USD' };
const DECEMBER = '2025-12-20T00:00:00.000Z';
const EARLY = '2026-01-20T00:00:00.000Z';
const LATE = '2026-02-03T00:00:00.000Z';
const JANUARY = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
const ALL = { start: '2025-01-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' };
const DAY = 24 * 60;

async function found(draft: Draft) {
  const report = await check(await pack(draft));
  return { integrity: codes(report, 'integrity'), completeness: codes(report, 'completeness') };
}

describe('What a reversal takes from its payment', () => {
  /** A payment of December, and its refund of January, which takes a half of one decision. */
  function refunded(extra: Json = {}, reverses: Json = { reverses: 'P-1' }) {
    const story = new Story();
    const decision = String(story.decide().decision_id);
    const other = String(story.decide().decision_id);
    const shop = { ...SALE, source: 'shop' };
    const paid = story.recordEvent({ ...shop, external_id: 'P-1', timestamp: DECEMBER });
    const repaid = story.recordEvent({
      ...{ ...shop, amount: '-9.00', timestamp: EARLY, metadata: reverses },
    });
    const given = story.createLink(decision, paid);
    story.inheritLink(decision, repaid, { inherited_from: paid, ...extra });
    const draft = () => {
      startLogs(story);
      return draftAt(story, signRound(story), { range: JANUARY });
    };
    return { story, decision, other, paid, repaid, given, draft };
  }

  test('A link with the share of the payment passes, and one with another share, label or payment does not', async () => {
    const honest = await found(refunded().draft());
    expect(honest.completeness).not.toContain('inheritance_differs');
    expect(honest.completeness).not.toContain('event_outside');
    for (const lie of [
      { correlation_strength: 0.25 },
      { label: 'matched' },
      { inherited_from: 'evt_0000000000000000000000zzzz' },
    ]) {
      expect((await found(refunded(lie).draft())).completeness).toContain('inheritance_differs');
    }
  });

  test('A payment that is withheld is named, and so is one of its links', async () => {
    const { draft, paid, given } = refunded();
    const gone = await found(withhold(draft(), [paid]));
    expect(gone.completeness).toContain('inheritance_differs');
    const { draft: again, given: link } = refunded();
    expect((await found(withhold(again(), [link]))).completeness).toEqual(
      expect.arrayContaining(['inheritance_differs', 'withheld_in_range']),
    );
    expect(given).not.toBe('');
  });

  const codesOf = async (draft: Draft) => (await found(draft)).completeness;

  test('It takes nothing of a payment that its reports do not name', async () => {
    for (const metadata of [{}, { reverses: ['P-1', 'P-2'] }, { part_of: 'P-1' }]) {
      expect(await codesOf(refunded({}, metadata).draft())).toContain('inheritance_differs');
    }
    // The charge is that of another source.
    const { story, draft } = refunded({}, { reverses: 'P-2' });
    story.recordEvent({ ...SALE, source: 'bank', external_id: 'P-2', timestamp: EARLY });
    story.recordEvent({ ...SALE, source: 'shop', external_id: 'P-2', timestamp: EARLY });
    expect(await codesOf(draft())).toContain('inheritance_differs');
  });

  test('What it names may be a reversal that the bundle does not show, unless it shows all events', async () => {
    const all = refunded({}, { reverses: 'R-1' });
    expect(await codesOf(all.draft())).toEqual(['inheritance_differs']);
    const { story, draft } = refunded({}, { reverses: 'R-1' });
    story.recordEvent({ ...SALE, source: 'bank', timestamp: LATE });
    expect(await codesOf(draft())).toEqual(['inheritance_unproven']);
  });

  /** A charge, a refund of it and the reversal of that, which takes what the charge has. */
  function reversedTwice(charge: string, charged: string) {
    const story = new Story();
    const decision = String(story.decide().decision_id);
    const stripe = { ...SALE, source: 'stripe', timestamp: EARLY };
    const paid = story.recordEvent({ ...stripe, event_type: 'charge', external_id: 'ch_1' });
    story.recordEvent({ ...stripe, event_type: 'charge', external_id: 'ch_2' });
    const metadata = { stripe_charge: charge };
    const refund = { ...stripe, external_id: 're_1', metadata };
    story.recordEvent({ ...refund, event_type: 'refund' });
    const failed = story.recordEvent({ ...refund, event_type: charged, metadata: {} });
    story.createLink(decision, paid);
    story.inheritLink(decision, failed, { inherited_from: paid });
    startLogs(story);
    return draftAt(story, signRound(story), { range: JANUARY });
  }

  test('A failed refund takes the links of the charge that the refund names', async () => {
    const failed = 'refund_reversal';
    expect(await codesOf(reversedTwice('ch_1', failed))).not.toContain('inheritance_differs');
    expect(await codesOf(reversedTwice('ch_2', failed))).toContain('inheritance_differs');
    expect(await codesOf(reversedTwice('ch_1', 'fee'))).toContain('inheritance_differs');
  });

  test('A rejected decision is not taken, and nothing beside a link of a person', async () => {
    const refused = refunded();
    const rejected = refused.story.suggestLink(refused.decision, refused.repaid, 0.5);
    refused.story.reviewLink(rejected, 'rejected');
    expect((await found(refused.draft())).completeness).toContain('inheritance_differs');
    const owned = refunded();
    owned.story.createLink(owned.other, owned.repaid);
    expect((await found(owned.draft())).completeness).toContain('inheritance_differs');
  });
});

describe('What a reversal has not taken from its payment', () => {
  /** A payment of December and its refund of January, which takes nothing. */
  function untaken(metadata: Json | null = { reverses: 'P-1' }) {
    const story = new Story();
    const [decision = '', other = ''] = [story.decide(), story.decide()].map(({ decision_id }) =>
      String(decision_id),
    );
    const shop = { ...SALE, source: 'shop' };
    const paid = story.recordEvent({ ...shop, external_id: 'P-1', timestamp: DECEMBER });
    const fields = { ...shop, amount: '-9.00', timestamp: EARLY };
    const repaid = story.recordEvent({ ...fields, ...(metadata !== null && { metadata }) });
    const link = (strength = 0.5) =>
      story.createLink(decision, paid, { correlation_strength: strength });
    const review = (event: string, verdict: string) => {
      const { seq } = story.act('financial_event.reviewed', event, { verdict });
      Object.assign(story.events.get(event) ?? {}, { activity_seq: seq });
    };
    return { story, decision, other, shop, paid, repaid, link, review };
  }
  type Untaken = ReturnType<typeof untaken>;

  /** The codes of a bundle that is made so many minutes after the last change. */
  async function codesAfter(
    { story }: Untaken,
    minutes = 2 * DAY,
    range = JANUARY,
  ): Promise<string[]> {
    story.wait(minutes);
    startLogs(story);
    return (await found(draftAt(story, signRound(story), { range }))).completeness;
  }

  test('A refund without the links of its payment is named', async () => {
    const told = untaken();
    told.link();
    expect(await codesAfter(told)).toEqual(['inheritance_differs']);
  });

  test('So it is with a guess beside it, and if the payment itself has only a guess', async () => {
    const beside = untaken();
    beside.link();
    beside.story.suggestLink(beside.other, beside.repaid, 0.3, undefined, { label: 'guessed' });
    expect(await codesAfter(beside)).toEqual(['inheritance_differs']);
    const guessed = untaken();
    guessed.story.suggestLink(guessed.decision, guessed.paid, 0.5, undefined, { label: 'guessed' });
    expect(await codesAfter(guessed)).toEqual(['inheritance_differs']);
  });

  test('Shortly after a change, it may follow soon: nothing is accused', async () => {
    const told = untaken();
    told.link();
    expect(await codesAfter(told, 60)).toEqual(['inheritance_unproven']);
  });

  test.each<[string, (told: Untaken) => void]>([
    ['the payment has no link', () => undefined],
    ['the only link of the payment was deleted', ({ story, link }) => story.deleteLink(link())],
    [
      'a person linked it',
      ({ story, other, repaid, link }) => {
        link();
        story.createLink(other, repaid);
      },
    ],
    [
      'a suggestion names a cause of its own',
      ({ story, other, repaid, link }) => {
        link();
        story.suggestLink(other, repaid, 0.9, undefined, { label: 'matched' });
      },
    ],
    [
      'a person said that no decision caused it',
      ({ repaid, link, review }) => {
        link();
        review(repaid, 'none');
      },
    ],
    [
      'a person rejected the decision',
      ({ story, decision, repaid, link }) => {
        link();
        story.reviewLink(story.suggestLink(decision, repaid, 0.5), 'rejected');
      },
    ],
    [
      'the payment was deleted',
      ({ story, paid, link }) => {
        link();
        story.deleteEvent(paid);
      },
    ],
    [
      'the refund was deleted',
      ({ story, repaid, link }) => {
        link();
        story.deleteEvent(repaid);
      },
    ],
    [
      'two payments have the reference that it names',
      ({ story, shop, link }) => {
        link();
        story.recordEvent({ ...shop, external_id: 'P-1', timestamp: LATE });
      },
    ],
  ])('Nothing is missing where %s', async (_about, tell) => {
    const told = untaken();
    tell(told);
    expect(await codesAfter(told)).toEqual([]);
  });

  test('An answer that was withdrawn, and a deleted payment of the same reference, do not count', async () => {
    const told = untaken();
    told.link();
    told.review(told.repaid, 'none');
    told.review(told.repaid, 'withdrawn');
    const second = told.story.recordEvent({ ...told.shop, external_id: 'P-1', timestamp: LATE });
    told.story.deleteEvent(second);
    expect(await codesAfter(told)).toEqual(['inheritance_differs']);
  });

  test('Metadata that are too large say nothing', async () => {
    const told = untaken({ reverses: 'P-1', text: 'x'.repeat(65_536) });
    told.link();
    expect(await codesAfter(told, 2 * DAY, ALL)).toEqual([]);
    const small = untaken({ reverses: 'P-1', text: 'x'.repeat(60_000) });
    small.link();
    expect(await codesAfter(small, 2 * DAY, ALL)).toEqual(['inheritance_differs']);
  });

  test('The payment counts as the movement that reports of other sources make', async () => {
    const told = untaken();
    const { story, paid, decision } = told;
    const booking = story.recordEvent({ ...SALE, source: 'accounting/main', timestamp: LATE });
    story.move('movement.paired', { lead: paid, reports: [paid, booking] });
    story.createLink(decision, booking);
    expect(await codesAfter(told)).toEqual(['inheritance_differs']);
  });

  test('What it names may be outside of the bundle, unless the bundle shows all events', async () => {
    const alone = untaken({ reverses: 'P-9' });
    expect(await codesAfter(alone)).toEqual(['inheritance_unproven']);
    expect(await codesAfter(untaken({ reverses: 'P-9' }), 2 * DAY, ALL)).toEqual([]);
  });

  test('A payment outside of the range is shown with its links', async () => {
    const told = untaken();
    const { story, other, paid, repaid } = told;
    story.createLink(other, repaid);
    const late = String(story.decide({ timestamp: LATE }).decision_id);
    const own = story.createLink(late, paid);
    startLogs(story);
    const draft = draftAt(story, signRound(story), { range: JANUARY });
    expect(String(draft.files.get('events.json'))).toContain(paid);
    expect((await found(draft)).completeness).toEqual([]);
    expect((await found(withhold(draft, [own]))).completeness).toEqual(['withheld_in_range']);
  });

  test('A failed refund takes the links of the refund if that has a cause of its own', async () => {
    const from = async (source: 'refund' | 'charge') => {
      const story = new Story();
      const [a = '', b = ''] = [story.decide(), story.decide()].map((row) =>
        String(row.decision_id),
      );
      const stripe = { ...SALE, source: 'stripe', timestamp: EARLY };
      const paid = story.recordEvent({ ...stripe, event_type: 'charge', external_id: 'ch_1' });
      const refund = { ...stripe, external_id: 're_1' };
      const metadata = { stripe_charge: 'ch_1' };
      const repaid = story.recordEvent({ ...refund, event_type: 'refund', metadata });
      const failed = story.recordEvent({ ...refund, event_type: 'refund_reversal' });
      story.createLink(a, paid);
      story.createLink(b, repaid);
      const [decision, payment] = source === 'refund' ? [b, repaid] : [a, paid];
      story.inheritLink(decision, failed, { inherited_from: payment });
      story.wait(2 * DAY);
      startLogs(story);
      return (await found(draftAt(story, signRound(story), { range: JANUARY }))).completeness;
    };
    expect(await from('refund')).toEqual([]);
    expect(await from('charge')).toEqual(['inheritance_differs']);
  });
});
