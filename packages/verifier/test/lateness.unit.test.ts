import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { check, outcomes } from './support/check.js';
import { draftAt } from './support/draft.js';
import { editLines, editManifest, editRows } from './support/edit.js';
import { checkpointOf, limitLateness, type Round, signRound, startLogs } from './support/logs.js';
import { Story } from './support/story.js';

const DAY = 86_400;
const FEBRUARY = { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' };
/** A day after the end of February. */
const SETTLED = '2026-03-02T00:00:00.000Z';

const goTo = (story: Story, time: string) =>
  story.wait((Date.parse(time) - Date.parse(story.time())) / 60_000);

/** Records decisions at these times; the third one of February is recorded in March. */
function record(story: Story): void {
  for (const day of ['01-20', '01-31', '02-03', '02-20']) {
    goTo(story, `2026-${day}T12:00:00.000Z`);
    story.decide();
  }
  goTo(story, '2026-03-01T10:00:00.000Z');
  story.decide();
  story.decide({ timestamp: '2026-02-28T20:00:00.000Z' });
  for (const day of ['02', '03', '20']) {
    goTo(story, `2026-03-${day}T12:00:00.000Z`);
    story.decide();
  }
}

function limited(seconds: number | null = DAY): Story {
  const story = new Story();
  startLogs(story);
  if (seconds !== null) limitLateness(story, seconds);
  record(story);
  return story;
}

interface Options {
  readonly basis?: 'recorded' | 'decided';
  readonly until?: string;
  readonly last?: number;
}

const february = (
  story: Story,
  round: Round,
  { basis = 'decided', until = SETTLED, ...more }: Options = {},
) =>
  draftAt(story, round, {
    ...more,
    ...{ range: FEBRUARY, basis, until: basis === 'recorded' ? FEBRUARY.end : until },
  });

/** The point of the chain that a manifest names. */
function headOf(story: Story, seq: number) {
  return { seq, hash: story.decisions[seq - 1]?.hash ?? '' };
}

/** The verdicts for an auditor who kept the checkpoint of the activity. */
async function found(draft: Draft, story: Story, round: Round) {
  const checkpoint = checkpointOf(story, 'activity', round.activity);
  const report = await check(await pack(draft), { checkpoint });
  const { completeness, time, integrity } = report.verdicts;
  return {
    outcomes: outcomes(report),
    completeness: completeness.findings.map(({ code }) => code),
    time: time.findings.map(({ code }) => code),
    integrity: integrity.findings.map(({ code }) => code),
    sentence: completeness.sentence,
  };
}

describe('A range of decided times', () => {
  test('With a limit of lateness, its completeness is proven', async () => {
    const story = limited();
    const round = signRound(story);
    const draft = february(story, round);
    // A day after the end, and an entry beyond.
    expect(String(draft.files.get('entries.ndjson')).match(/"seq":\d+/g)).toHaveLength(6);
    const proven = await found(draft, story, round);
    expect(proven).toMatchObject({ outcomes: 'pass pass pass consistent', completeness: [] });
    expect(proven.sentence).toContain('each decision dated in the range');
    const recorded = await found(february(story, round, { basis: 'recorded' }), story, round);
    expect(recorded).toMatchObject({ outcomes: 'pass pass pass consistent', completeness: [] });
  });

  test('Without a limit, it is as recorded by the end of the run, and not proven', async () => {
    const story = limited(null);
    const round = signRound(story);
    const { completeness, sentence } = await found(february(story, round), story, round);
    expect(completeness).toEqual(['lateness_unbounded']);
    expect(sentence).toContain('as recorded by 2026-03-02T12:01:00.000Z');
  });

  test('A maker who ends the run before the limit cannot hide a decision that was recorded late', async () => {
    const story = limited();
    const round = signRound(story);
    // The decision of February that was recorded in March is neither in the run nor among the records.
    const hiding = (basis: 'recorded' | 'decided') =>
      found(february(story, round, { basis, last: 5 }), story, round);
    expect((await hiding('decided')).completeness).toEqual(['edges_unproven']);
    // What was recorded in the range is all there.
    expect((await hiding('recorded')).completeness).toEqual([]);
  });

  test('A limit that bounds nothing counts as none', async () => {
    const story = limited(Number.MAX_SAFE_INTEGER);
    const round = signRound(story);
    const { completeness } = await found(february(story, round), story, round);
    expect(completeness).toEqual(['lateness_unbounded']);
  });

  test('A limit that was switched off before the log was signed proves nothing', async () => {
    const story = limited();
    limitLateness(story, null);
    const round = signRound(story);
    const { completeness } = await found(february(story, round), story, round);
    expect(completeness).toEqual(['lateness_unbounded']);
  });

  test('A limit that was off for a while counts from when it was set again', async () => {
    const story = limited();
    goTo(story, '2026-03-21T00:00:00.000Z');
    limitLateness(story, null);
    goTo(story, '2026-03-25T00:00:00.000Z');
    limitLateness(story, DAY);
    for (const minutes of [3, 4]) {
      story.wait(minutes);
      story.decide();
    }
    const round = signRound(story);
    const at = (until: string) => found(february(story, round, { until }), story, round);
    expect((await at(SETTLED)).completeness).toEqual(['edges_unproven']);
    // Recorded four minutes after the change: another process may not have known it yet.
    expect((await at('2026-03-25T00:04:00.000Z')).completeness).toEqual(['edges_unproven']);
    expect((await at('2026-03-25T00:06:00.001Z')).completeness).toEqual([]);
  });

  test('A limit that is set after the log was signed, or dated back, does not count', async () => {
    const story = limited(null);
    const round = signRound(story);
    limitLateness(story, DAY);
    const after = await found(february(story, round), story, round);
    expect(after.completeness).toEqual(['lateness_unbounded']);

    const forged = limited(null);
    forged.act('key.issued', 'key_1', { name: 'x' });
    goTo(forged, '2026-01-06T00:00:00.000Z');
    limitLateness(forged, DAY);
    goTo(forged, '2026-03-22T00:00:00.000Z');
    const later = signRound(forged);
    const { completeness, time } = await found(february(forged, later), forged, later);
    expect(completeness).toEqual(['edges_unproven']);
    expect(time).toContain('time_backwards');
  });

  test('Until nothing of the range can be recorded any more, it is not proven', async () => {
    const story = new Story();
    startLogs(story);
    limitLateness(story, DAY);
    goTo(story, '2026-02-03T12:00:00.000Z');
    story.decide();
    const signedAt = async (time: string) => {
      goTo(story, time);
      const round = signRound(story);
      return (await found(february(story, round), story, round)).completeness;
    };
    expect(await signedAt('2026-03-02T00:03:00.000Z')).toEqual(['edges_unproven']);
    expect(await signedAt('2026-03-02T00:05:00.000Z')).toEqual([]);
  });

  test('An entry that breaks the limit fails, in a range of any basis', async () => {
    const story = limited();
    goTo(story, '2026-03-21T00:00:00.000Z');
    story.decide({ timestamp: '2026-02-20T00:00:00.000Z' });
    const round = signRound(story);
    const decided = await found(february(story, round), story, round);
    expect(decided).toMatchObject({ completeness: ['time_late'], outcomes: 'pass fail pass fail' });
    const recorded = await found(february(story, round, { basis: 'recorded' }), story, round);
    expect(recorded.time).toContain('time_late');
  });

  test.each([
    ['breaks the limit', 0, 'time_late'],
    ['is dated ahead, to a time without a limit', 60, null],
  ] as const)(
    'An entry behind the run that %s is found by a later bundle',
    async (_, ahead, code) => {
      const story = limited();
      goTo(story, '2026-03-21T00:00:00.000Z');
      story.wait(ahead);
      const { seq } = story.decide({ timestamp: '2026-02-20T00:00:00.000Z' });
      story.wait(-ahead);
      const round = signRound(story);
      const hiding = february(story, round, { last: 7 });
      const previous = editManifest(hiding, { 'decisions.head': headOf(story, 7) });
      expect((await found(previous, story, round)).completeness).toEqual([]);

      if (ahead > 0) limitLateness(story, null);
      goTo(story, '2026-05-01T00:00:00.000Z');
      const range = { start: '2026-03-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' };
      const later = draftAt(story, signRound(story), { range });
      const report = await check(await pack(later), { previous: await pack(previous) });
      const omitted = report.verdicts.completeness.findings.filter(
        (finding) => finding.code === 'previous_omits',
      );
      expect(omitted).toMatchObject([{ seq }]);
      const time = report.verdicts.time.findings.map((finding) => finding.code);
      expect(time.includes('time_late')).toBe(code === 'time_late');
    },
  );

  test('Entries from before the limit, and within five minutes after a change, do not break it', async () => {
    const story = new Story();
    startLogs(story);
    story.decide({ timestamp: '2025-06-01T00:00:00.000Z' });
    goTo(story, '2026-01-10T00:00:00.000Z');
    limitLateness(story, DAY);
    story.decide({ timestamp: '2025-06-01T00:00:00.000Z' });
    record(story);
    const round = signRound(story);
    expect((await found(february(story, round), story, round)).time).not.toContain('time_late');
  });

  const broken: {
    [about: string]: [change: (draft: Draft) => Draft, verdict: string, code: string];
  } = {
    'without the record of the limit': [
      (draft) =>
        editLines(draft, 'activity.ndjson', (lines) =>
          lines.filter((line) => !line.includes('"max_lateness_seconds"')),
        ),
      'integrity',
      'disclosure_missing',
    ],
    'without one of its decisions': [
      (draft) => {
        editRows(draft, 'decisions.json', (rows) => rows.slice(0, -1));
        return editManifest(draft, { 'decisions.count': 2 });
      },
      'completeness',
      'decision_missing',
    ],
    'without the entry of one of its decisions': [
      (draft) => {
        editLines(draft, 'entries.ndjson', (lines) =>
          lines.filter((line) => !line.includes('"timestamp":"2026-02-28')),
        );
        editRows(draft, 'decisions.json', (rows) => rows.slice(0, -1));
        return editManifest(draft, { 'decisions.count': 2 });
      },
      'integrity',
      'log_range',
    ],
    'whose range begins before its run': [
      (draft) => editManifest(draft, { 'range.start': '2026-01-20T00:00:00.000Z' }),
      'completeness',
      'range_edge',
    ],
  };
  test.each(Object.keys(broken))('A bundle %s fails', async (about) => {
    const [change, verdict, code] = broken[about] ?? [];
    if (change === undefined) throw new Error(about);
    const story = limited();
    const round = signRound(story);
    const result = await found(change(february(story, round)), story, round);
    expect(verdict === 'integrity' ? result.integrity : result.completeness).toContain(code);
    expect(result.outcomes).toContain('fail');
  });
});
