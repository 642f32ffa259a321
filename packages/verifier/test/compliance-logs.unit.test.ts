import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { check, codes, outcomes } from './support/check.js';
import { draftAt } from './support/draft.js';
import { editLines, editManifest, editText } from './support/edit.js';
import { checkpointOf, type Round, signRound, startLogs } from './support/logs.js';
import { Story } from './support/story.js';

const FEBRUARY = { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' };
const MONTH = 28 * 24 * 60;
const RECORDS = 'article12.json';

/** Two decisions of each of three months, money, an erasure of each month, and a round after them. */
function threeMonths(): { story: Story; round: Round } {
  const story = new Story();
  startLogs(story);
  for (let month = 0; month < 3; month++) {
    const row = story.decide();
    story.decide();
    story.erase(row, ['inputs']);
    story.wait(MONTH);
  }
  const event = { source: 's', event_type: 't', currency: 'USD', amount: '1' };
  story.recordEvent({ ...event, timestamp: '2026-02-10T00:00:00.000Z' });
  return { story, round: signRound(story) };
}

const february = ({ story, round }: ReturnType<typeof threeMonths>) =>
  draftAt(story, round, { range: FEBRUARY, exportType: 'compliance' });

/** What an auditor reads who kept the last checkpoint of the activity. */
async function verified(draft: Draft, { story }: ReturnType<typeof threeMonths>) {
  const checkpoint = checkpointOf(story, 'activity', story.activity.length);
  return check(await pack(draft), { checkpoint });
}

describe('The chains and logs of a compliance bundle', () => {
  test('A kept checkpoint proves its range, although it withholds all money', async () => {
    const all = threeMonths();
    const report = await verified(february(all), all);
    expect(outcomes(report), JSON.stringify(report)).toBe('pass pass pass consistent');
    expect(report.verdicts.completeness).toMatchObject({ basis: 'witnessed', findings: [] });
    expect(report.verdicts.integrity.sentence).toContain('every absent value has a record');
    const alone = await check(await pack(february(all)));
    expect(alone.verdicts.completeness.findings.map(({ code }) => code)).toEqual([
      'log_unwitnessed',
    ]);
  });

  const cases: { [about: string]: [code: string, change: (draft: Draft) => Draft] } = {
    'a record that is left out': [
      'decision_missing',
      (draft) =>
        editText(draft, RECORDS, (text) => {
          const [head, first = '', , ...rest] = text.split('\n');
          return [head, first.replace(/,$/, ''), ...rest].join('\n');
        }),
    ],
    'an absent value whose erasure is not recorded': [
      'erasure_unrecorded',
      (draft) => {
        const lines = String(draft.files.get(RECORDS)).split('\n');
        const record = JSON.parse((lines[1] ?? '').slice(0, -1));
        record.outputs = null;
        record.tamper_evidence.salts.outputs = undefined;
        record.erased_fields = ['inputs', 'outputs'];
        return editText(draft, RECORDS, () =>
          [lines[0], `${JSON.stringify(record)},`, ...lines.slice(2)].join('\n'),
        );
      },
    ],
    'a withheld erasure of its decisions': [
      'disclosure_missing',
      (draft) =>
        editLines(draft, 'activity.ndjson', (lines) =>
          lines.filter((line) => !line.includes('"fields"')),
        ),
    ],
    'a use that the metadata do not say': [
      'use_differs',
      (draft) =>
        editText(draft, RECORDS, (text) =>
          text.replace('"verifiers":null', '"verifiers":["Dr. Invented"]'),
        ),
    ],
    'another epoch': [
      'entry_foreign',
      (draft) => editText(draft, RECORDS, (text) => text.replace('"epoch":1', '"epoch":2')),
    ],
    'a run cut before the end of its range': [
      'log_range',
      (draft) => editLines(draft, 'entries.ndjson', (lines) => lines.slice(0, -2)),
    ],
    'a range that begins before its run': [
      'range_edge',
      (draft) => editManifest(draft, { 'range.start': '2026-01-01T00:00:00.000Z' }),
    ],
  };

  test.each(Object.keys(cases))('A bundle with %s fails', async (about) => {
    const all = threeMonths();
    const [code = '', change] = cases[about] ?? [];
    if (change === undefined) throw new Error(about);
    const report = await verified(change(february(all)), all);
    const found = [...codes(report, 'integrity'), ...codes(report, 'completeness')];
    expect(found).toContain(code);
    expect(outcomes(report)).toContain('fail');
  });
});
