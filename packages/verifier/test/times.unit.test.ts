import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { check, codes } from './support/check.js';
import { draftAt, requestExport } from './support/draft.js';
import { editLines, editManifest, withhold } from './support/edit.js';
import { checkpointOf, signRound, startLogs } from './support/logs.js';
import { statementStory } from './support/statement.js';
import { Story } from './support/story.js';

const JANUARY = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
const FEBRUARY = { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' };
const MONTH = 28 * 24 * 60;

/** A decision of each month with an event and a link, and a link from January's decision to a March event. */
function tell<Kind extends Story>(story: Kind) {
  startLogs(story);
  const months = ['01', '02', '03'].map((month) => {
    const decision = String(story.decide().decision_id);
    const event = story.recordEvent(loss(`2026-${month}-20T00:00:00.000Z`));
    const link = story.createLink(decision, event);
    story.wait(MONTH);
    return { decision, event, link };
  });
  return { story, months, round: signRound(story) };
}

const loss = (timestamp: string) => ({
  ...{ source: 'shop', event_type: 'loss', amount: '-250000.00', currency: 'USD', timestamp },
});

const draftOf = ({ story, round }: ReturnType<typeof tell>, range = FEBRUARY) =>
  draftAt(story, round, { range });

/** What an auditor finds who kept a checkpoint. */
async function found(draft: Draft, story: Story) {
  const { length } = story.activity;
  const report = await check(await pack(draft), {
    checkpoint: checkpointOf(story, 'activity', length),
  });
  return {
    integrity: codes(report, 'integrity'),
    completeness: report.verdicts.completeness.findings.map(({ code }) => code),
    sentence: report.verdicts.completeness.sentence,
    findings: report.verdicts.completeness.findings,
  };
}

/** Changes the disclosures of times. */
const editTimes = (draft: Draft, change: (line: string) => string[]) =>
  editLines(draft, 'activity.ndjson', (lines) =>
    lines.flatMap((line) => (line.includes('","when",{') ? change(line) : [line])),
  );

describe('What a bundle withholds', () => {
  test('The times of withheld records prove that they are of other ranges', async () => {
    const all = tell(new Story());
    const { integrity, completeness, sentence } = await found(draftOf(all), all.story);
    expect({ integrity, completeness }).toEqual({ integrity: [], completeness: [] });
    expect(sentence).toContain(
      'The data of 4 changes of events or links are withheld; their times',
    );
  });

  test('A withheld event or link of the range fails', async () => {
    for (const kinds of [['event'], ['link'], ['event', 'link']] as const) {
      const all = tell(new Story());
      const ids = kinds.map((kind) => all.months[1]?.[kind] ?? '');
      const { completeness, findings } = await found(withhold(draftOf(all), ids), all.story);
      expect(completeness.filter((code) => code === 'withheld_in_range')).toHaveLength(ids.length);
      expect(findings).toMatchObject(ids.map((id) => expect.objectContaining({ id })));
    }
  });

  test('A withheld link of an event of another range to a decision of the range fails', async () => {
    const story = new Story();
    const { months } = tell(story);
    const [january, , march] = months;
    const link = story.createLink(january?.decision ?? '', march?.event ?? '');
    const draft = draftAt(story, signRound(story), { range: JANUARY });
    expect((await found(draft, story)).completeness).toEqual([]);
    const { completeness } = await found(withhold(draft, [link]), story);
    expect(completeness).toEqual(['withheld_in_range']);
  });

  test('What was recorded after the export began is unproven, and it cannot begin before it was asked for', async () => {
    const { story } = tell(new Story());
    const before = story.activity.length;
    const request = requestExport(story, { range: FEBRUARY });
    const event = story.recordEvent(loss('2026-02-21T00:00:00.000Z'));
    story.createLink(String(story.decisions[1]?.row.decision_id), event);
    const options = { range: FEBRUARY, request, since: request.seq };
    const draft = draftAt(story, signRound(story), options);
    expect(await found(draft, story)).toMatchObject({
      ...{ integrity: [], completeness: ['data_withheld'] },
    });
    const { integrity } = await found(editManifest(draft, { 'activity.since': before }), story);
    expect(integrity).toEqual(['custody_differs']);
  });

  test('A statement proves it of other ranges, and not of links of other agents', async () => {
    const story = new Story();
    startLogs(story);
    statementStory(story);
    const other = String(story.decide({ agent: 'pricing-bot' }).decision_id);
    const february = story.recordEvent(loss('2026-02-10T00:00:00.000Z'));
    story.createLink(other, february);
    const draft = () => draftAt(story, signRound(story), { exportType: 'statement' });
    const range = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
    const january = draftAt(story, signRound(story), { exportType: 'statement', range });
    const outside = await check(await pack(january));
    expect(outside.verdicts.completeness.findings.map(({ code }) => code)).not.toContain(
      'data_withheld',
    );
    const inside = await check(await pack(draft()));
    expect(inside.verdicts.completeness.findings).toContainEqual(
      expect.objectContaining({
        ...{ code: 'data_withheld' },
        message: expect.stringContaining('The data of 1 change '),
      }),
    );
  });
});

describe('The times of a record', () => {
  test.each([
    ['are withheld', () => [], ['disclosure_missing']],
    [
      'are others than the committed ones',
      (line: string) => [line.replace('2026-02', '2025-02')],
      ['disclosure_differs', 'disclosure_missing'],
    ],
    ['are disclosed twice', (line: string) => [line, line], ['disclosure_differs']],
    [
      'are not times',
      (line: string) => [line.replace('T00:00:00.000Z', '')],
      ['disclosure_differs', 'disclosure_missing'],
    ],
  ] as const)('Integrity fails if they %s', async (_name, change, expected) => {
    const all = tell(new Story());
    const isOfFebruary = (line: string) => line.includes('"event":"2026-02');
    const draft = editTimes(draftOf(all), (line) => (isOfFebruary(line) ? change(line) : [line]));
    const { integrity } = await found(draft, all.story);
    expect([...new Set(integrity)]).toEqual(expected);
  });

  test('Times before any entry, and after its data, do not follow an entry', async () => {
    const all = tell(new Story());
    const draft = editLines(draftOf(all), 'activity.ndjson', (lines) => {
      const times = lines.find((line) => line.includes('","when",{')) ?? '';
      const data = lines.findIndex((line) => line.includes('","data",'));
      return lines.toSpliced(data + 1, 0, times).toSpliced(1, 0, times);
    });
    const { integrity } = await found(draft, all.story);
    expect(integrity).toEqual(['disclosure_differs', 'disclosure_differs']);
  });

  const elsewhere = '2026-02-21T00:00:00.000Z';
  test.each<[string, Story['lie'], (story: Story, at: Place) => void]>([
    [
      'other than that of the event',
      (when) => ({ ...when, event: elsewhere }),
      (story) => story.recordEvent(loss('2026-02-22T00:00:00.000Z')),
    ],
    [
      'other than that of the event of a link',
      (when) => ({ ...when, event: elsewhere }),
      (story, { decision, event }) => story.createLink(decision, event),
    ],
    [
      'other than that of the decision of a link',
      (when) => ({ ...when, decision: elsewhere }),
      (story, { decision, event }) => story.createLink(decision, event),
    ],
    [
      'other than before',
      (when) => ({ ...when, event: elsewhere }),
      (story, { event }) => story.deleteEvent(event),
    ],
    [
      'without that of the decision of a link',
      ({ event }) => ({ event }),
      (story, { decision, event }) => story.createLink(decision, event),
    ],
    [
      'with a decision, although it is about an event',
      (when) => ({ ...when, decision: elsewhere }),
      (story) => story.recordEvent(loss('2026-02-22T00:00:00.000Z')),
    ],
  ])('Integrity fails if a record states a time %s', async (_name, lie, act) => {
    const story = new Story();
    const [, february] = tell(story).months;
    story.lie = lie;
    act(story, february ?? { decision: '', event: '' });
    const draft = draftAt(story, signRound(story), { range: FEBRUARY });
    const { integrity } = await found(draft, story);
    expect([...new Set(integrity)]).toEqual(['when_differs']);
  });

  test('A time of a decision that only a link states is compared with the decision', async () => {
    const story = new Story();
    startLogs(story);
    story.wait(MONTH);
    const decision = String(story.decide().decision_id);
    const event = story.recordEvent(loss('2026-02-20T00:00:00.000Z'));
    story.lie = (when) => ({ ...when, decision: elsewhere });
    story.createLink(decision, event);
    story.wait(MONTH);
    const draft = draftAt(story, signRound(story), { range: FEBRUARY });
    const { integrity } = await found(draft, story);
    expect(integrity).toEqual(['when_differs']);
  });
});

interface Place {
  readonly decision: string;
  readonly event: string;
}
