import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { check, codes } from './support/check.js';
import { draftAt, draftOf } from './support/draft.js';
import { disclose, editLines, withhold } from './support/edit.js';
import { signRound, startLogs } from './support/logs.js';
import { statementStory } from './support/statement.js';
import { type Row, Story } from './support/story.js';

const SALE = { event_type: 'sale', amount: '100.00', currency: 'USD' };
const EARLY = '2026-01-20T00:00:00.000Z';
const LATE = '2026-02-03T00:00:00.000Z';
const STRANGE = '2026-02-04T00:00:00.000Z';
const JANUARY = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
const paired = 'movement.paired';

/** A charge, and the posting that repeats it in the next month. */
function tell(story = new Story()) {
  const charge = story.recordEvent({ ...SALE, source: 'stripe', timestamp: EARLY });
  const booking = story.recordEvent({ ...SALE, source: 'accounting/main', timestamp: LATE });
  return { story, charge, booking, reports: [charge, booking] };
}

async function found(draft: Draft) {
  const report = await check(await pack(draft));
  return { integrity: codes(report, 'integrity'), completeness: codes(report, 'completeness') };
}

const integrityOf = async (draft: Draft) => (await found(draft)).integrity;

describe('The movements of a bundle', () => {
  test('Reports of one movement pass, and so do they after they were parted', async () => {
    const { story, charge, booking, reports } = tell();
    story.move(paired, { lead: charge, reports });
    expect(await integrityOf(draftOf(story))).toEqual([]);
    story.move(
      'movement.parted',
      { lead: charge, reports: [charge] },
      { lead: booking, reports: [booking] },
    );
    expect(await integrityOf(draftOf(story))).toEqual([]);
  });

  test('Another report than the rule says cannot lead', async () => {
    const { story, booking, reports } = tell();
    story.move(paired, { lead: booking, reports });
    expect(await integrityOf(draftOf(story))).toEqual(['movement_differs']);
  });

  test('The reports that a record names are those that state the same movement', async () => {
    const { story, charge, booking } = tell();
    const third = story.recordEvent({ ...SALE, source: 'shop', timestamp: EARLY });
    story.move(paired, { lead: charge, reports: [charge, booking] });
    story.move('movement.parted', { lead: third, reports: [third] });
    story.act(paired, third, { reports: [charge, third], lead: charge });
    Object.assign(story.events.get(third) ?? {}, { activity_seq: story.activity.length });
    expect(await integrityOf(draftOf(story))).toContain('movement_differs');
  });

  test('A deleted report leads nothing', async () => {
    const { story, charge, reports } = tell();
    story.move(paired, { lead: charge, reports });
    story.deleteEvent(charge);
    expect(await integrityOf(draftOf(story))).toEqual(['movement_differs']);
  });

  test('A pairing whose data are withheld is named, and so is one whose report is missing', async () => {
    const { story, charge, booking, reports } = tell();
    story.move(paired, { lead: charge, reports });
    const isOf = (line: string) => {
      const { type, subject } = JSON.parse(line);
      return type === paired && subject === booking;
    };
    const hidden = editLines(draftOf(story), 'activity.ndjson', (lines) => {
      let isHidden = false;
      return lines.filter((line) => {
        if (line.startsWith('{')) isHidden = isOf(line);
        return !(isHidden && line.includes('","data",'));
      });
    });
    const { integrity, completeness } = await found(hidden);
    expect(integrity).toContain('disclosure_missing');
    expect(completeness).toContain('withheld_in_range');
    const gone = await found(withhold(draftOf(story), [booking]));
    expect(gone.integrity).toContain('movement_differs');
    expect(gone.completeness).toContain('withheld_in_range');
  });

  test('A bundle of a range needs the reports of its movements that happened outside of it', async () => {
    const { story, charge, booking, reports } = tell();
    story.move(paired, { lead: charge, reports });
    startLogs(story);
    const draft = () => draftAt(story, signRound(story), { range: JANUARY });
    const whole = await found(draft());
    expect(whole.integrity).toEqual([]);
    expect(whole.completeness).not.toContain('event_outside');
    const without = await found(withhold(draft(), [booking]));
    expect(without.completeness).toContain('withheld_in_range');
    expect(without.integrity).toContain('movement_differs');
  });

  test('So it needs the links of these, whatever decision they are of', async () => {
    const { story, charge, booking, reports } = tell();
    const late = String(story.decide({ timestamp: LATE }).decision_id);
    const stranger = story.recordEvent({ ...SALE, source: 'shop', timestamp: STRANGE });
    const own = story.createLink(late, booking);
    const foreign = story.createLink(late, stranger);
    story.move(paired, { lead: charge, reports });
    startLogs(story);
    const draft = () => draftAt(story, signRound(story), { range: JANUARY });
    expect((await found(draft())).completeness).not.toContain('withheld_in_range');
    expect(String(draft().files.get('links.json'))).not.toContain(foreign);
    expect((await found(withhold(draft(), [own]))).completeness).toContain('withheld_in_range');
  });

  test('A withheld link that may be of another event of the same time is only unproven', async () => {
    const { story, charge, booking, reports } = tell();
    const late = String(story.decide({ timestamp: LATE }).decision_id);
    story.recordEvent({ ...SALE, source: 'shop', timestamp: LATE });
    const own = story.createLink(late, booking);
    story.move(paired, { lead: charge, reports });
    startLogs(story);
    const draft = () => draftAt(story, signRound(story), { range: JANUARY });
    const sentence = async (bundle: Draft) =>
      (await check(await pack(bundle))).verdicts.completeness.sentence;
    expect(await sentence(draft())).not.toContain('only the signer attests that');
    const { completeness } = await found(withhold(draft(), [own]));
    expect(completeness).toEqual([]);
    expect(await sentence(withhold(draft(), [own]))).toContain(
      'The data of 1 change of events or links are withheld because they belong to other ranges, which only the signer attests',
    );
  });

  test('Times of others are stated by records of movements alone', async () => {
    const { story, charge } = tell();
    story.lie = (when) => ({ ...when, others: [LATE] });
    story.act('financial_event.reviewed', charge, { verdict: 'none' });
    Object.assign(story.events.get(charge) ?? {}, { activity_seq: story.activity.length });
    expect(await integrityOf(draftOf(story))).toEqual(['when_differs']);
    const other = tell();
    other.story.lie = ({ event }) => ({ event });
    other.story.move(paired, { lead: other.charge, reports: other.reports });
    expect(await integrityOf(draftOf(other.story))).toEqual(['when_differs']);
  });
});

describe('A record of a movement', () => {
  const rule = { by: 'rule', rule: 'repeated_in_books' };
  const compared = { amount: '100', currency: 'USD', seconds_apart: '1209600' };

  /** What is found if the record of the booking says something else than the movement. */
  async function foundIf(change: (story: Told) => Lie): Promise<string[]> {
    const told = tell();
    const { story, charge, booking, reports } = told;
    story.move(paired, { lead: charge, reports: [charge, booking] });
    const { type = paired, actor, data, others = [EARLY] } = change(told);
    story.lie = ({ event }) => ({ event, others });
    story.act(type, booking, { reports, lead: charge, by: 'person', ...data }, actor);
    Object.assign(story.events.get(booking) ?? {}, { activity_seq: story.activity.length });
    return integrityOf(draftOf(story));
  }
  type Told = ReturnType<typeof tell>;
  interface Lie {
    readonly type?: string;
    readonly actor?: string;
    readonly data?: Row;
    readonly others?: readonly string[];
  }
  const byRule = (told: Told, data: Row): Lie => ({
    actor: 'engine',
    data: { ...rule, with: told.charge, compared, ...data },
  });

  test.each<[string, (told: Told) => Lie]>([
    ['says the same again', () => ({})],
    ['states a rule, and what it compared', (told) => byRule(told, {})],
    [
      'states what a rule compared of each',
      (told) =>
        byRule(told, { compared: { ...compared, other_amount: '100.0', other_currency: 'USD' } }),
    ],
    ['states a rule that compared nothing', () => ({ actor: 'engine', data: rule })],
    [
      'says that the event is other money than one of another movement',
      () => ({ type: 'movement.parted', data: { from: 'evt_other' } }),
    ],
    [
      'takes back what was said of two',
      () => ({ type: 'movement.parted', data: { withdrawn: 'evt_other' } }),
    ],
  ])('One that %s passes', async (_about, change) => {
    expect(await foundIf(change)).toEqual([]);
  });

  test.each<[string, (told: Told) => Lie]>([
    ['names a report twice', ({ charge }) => ({ data: { reports: [charge, charge] } })],
    ['does not name its own event', ({ charge }) => ({ data: { reports: [charge] } })],
    ['has a lead that it does not name', () => ({ data: { lead: 'evt_other' } })],
    ['is of the engine, as of a person', () => ({ actor: 'engine' })],
    ['is of a person, as of a rule', () => ({ data: rule })],
    ['has an unknown cause', () => ({ data: { by: 'chance' } })],
    ['parts nothing', () => ({ type: 'movement.parted' })],
    [
      'takes something back, and an event out of its movement',
      ({ booking }) => ({ data: { reports: [booking], lead: booking, withdrawn: 'evt_other' } }),
    ],
    ['pairs nothing', ({ booking }) => ({ data: { reports: [booking], lead: booking } })],
    ['was compared with another event', (told) => byRule(told, { with: 'evt_other' })],
    ['was compared with itself', (told) => byRule(told, { with: told.booking })],
    [
      'states another distance',
      (told) => byRule(told, { compared: { ...compared, seconds_apart: '1' } }),
    ],
    ['states another amount', (told) => byRule(told, { compared: { ...compared, amount: '99' } })],
    [
      'states another currency',
      (told) => byRule(told, { compared: { ...compared, currency: 'EUR' } }),
    ],
    [
      'states another amount of one of them',
      (told) =>
        byRule(told, { compared: { ...compared, other_amount: '99', other_currency: 'USD' } }),
    ],
  ])('One that %s is named', async (_about, change) => {
    expect(await foundIf(change)).toContain('movement_differs');
  });

  test.each<[string, readonly string[]]>([
    ['lacks the time of a report', [LATE]],
    ['states times of more events', [EARLY, LATE]],
    ['states a time twice', [EARLY, EARLY]],
  ])('One that %s is named', async (_about, others) => {
    expect(await foundIf(() => ({ others }))).toEqual(['when_differs']);
  });
});

describe('A statement', () => {
  /** The first event of the statement with a witness whose link takes a share. */
  function statement(lead: 'right' | 'wrong') {
    const story = new Story();
    startLogs(story);
    statementStory(story);
    const [sale] = [...story.events.keys()];
    if (sale === undefined) throw new Error('the statement has no event');
    const witness = story.recordEvent({
      ...{ ...SALE, source: 'accounting/main', timestamp: '2026-02-03T00:00:00.000Z' },
    });
    const reports = [sale, witness];
    story.move(paired, { lead: lead === 'right' ? sale : witness, reports });
    const draft = draftAt(story, signRound(story), { exportType: 'statement', range: JANUARY });
    return { story, sale, witness, draft };
  }

  test('Its rows name the report that leads, whose movement is disclosed', async () => {
    const { story, witness, draft } = statement('right');
    expect(await integrityOf(draft)).toEqual(['movement_differs']);
    expect(await integrityOf(disclose(draft, story, witness))).toEqual([]);
  });

  test('A row of a witness is refused', async () => {
    const { story, witness, draft } = statement('wrong');
    expect(await integrityOf(disclose(draft, story, witness))).toContain('movement_differs');
  });
});
