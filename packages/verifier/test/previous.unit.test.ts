import { describe, expect, test } from 'vitest';
import { draftOf, pack } from './support/bundle.js';
import { check, codes, outcomes } from './support/check.js';
import { editManifest, editRows } from './support/edit.js';
import { testKey } from './support/keys.js';
import { fullStory } from './support/samples.js';
import { Story } from './support/story.js';

const [first, second] = [testKey('first'), testKey('second')];
const JANUARY = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
const FEBRUARY = { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' };
const MONTH = 31 * 24 * 60;

/** A ledger with three decisions in January, and what it is after three more in February. */
async function twoMonths(between: (story: Story) => void = () => undefined) {
  const story = new Story();
  story.act('key.issued', 'key_1', { name: 'x' });
  for (let i = 0; i < 3; i++) story.decide();
  const january = await pack(draftOf(story, { range: JANUARY }));
  story.wait(MONTH);
  between(story);
  story.act('key.issued', 'key_2', { name: 'y' });
  for (let i = 0; i < 3; i++) story.decide();
  return { story, january };
}

describe('a bundle that goes on from an earlier one', () => {
  test('passes where its first decision follows on the last one', async () => {
    const { story, january } = await twoMonths();
    const february = await pack(draftOf(story, { range: FEBRUARY }));
    const report = await check(february, { previous: january });
    expect(outcomes(report)).toBe('pass pass pass pass');
    expect(report.verdicts.completeness.sentence).toContain('continues the earlier bundle');
  });

  test('passes where the two runs overlap and agree', async () => {
    const { story, january } = await twoMonths();
    const both = await pack(draftOf(story));
    expect(outcomes(await check(both, { previous: january }))).toBe('pass pass pass pass');
    expect(outcomes(await check(january, { previous: january }))).toBe('pass pass pass pass');
  });

  test('passes where the earlier one was only packed anew', async () => {
    const { story } = await twoMonths();
    const january = draftOf(story, { range: JANUARY });
    const repacked = await pack(january, { compress: true });
    expect(codes(await check(repacked), 'integrity')).toEqual(['archive_rewritten']);
    const february = await pack(draftOf(story, { range: FEBRUARY }));
    expect(outcomes(await check(february, { previous: repacked }))).toBe('pass pass pass pass');
  });

  test('fails where the earlier one was packed anew and is not as it was signed', async () => {
    const { story } = await twoMonths();
    const january = draftOf(story, { range: JANUARY });
    const signature = () => Buffer.alloc(256);
    const changed = await pack(january, { compress: true, signature });
    expect(codes(await check(changed), 'integrity')).toContain('archive_rewritten');
    const february = await pack(draftOf(story, { range: FEBRUARY }));
    const report = await check(february, { previous: changed });
    expect(codes(report, 'completeness')).toEqual(['previous_invalid']);
    expect(report.verdicts.completeness.verdict).toBe('fail');
  });

  test('passes where a newer key signed it that is listed with the former one', async () => {
    const { story, january } = await twoMonths();
    const keys = { key: second, formerKeys: [first] };
    const february = await pack(draftOf(story, { range: FEBRUARY, ...keys }));
    const options = { previous: january, keyFingerprint: second.fingerprint };
    expect(outcomes(await check(february, options))).toBe('pass pass pass pass');
  });

  test('fails where the key of the earlier one is not listed', async () => {
    const { story, january } = await twoMonths();
    const february = await pack(draftOf(story, { range: FEBRUARY, key: second }));
    const report = await check(february, { previous: january });
    expect(codes(report, 'completeness')).toEqual(['previous_contradicts']);
  });

  test('leaves open what decisions between the two are not in either', async () => {
    const { story, january } = await twoMonths((told) =>
      told.decide({ timestamp: '2026-03-01T00:00:00.000Z' }),
    );
    const february = await pack(draftOf(story, { range: FEBRUARY }));
    const report = await check(february, { previous: january });
    expect(codes(report, 'completeness')).toEqual(['previous_hole']);
    expect(report.verdicts.completeness.verdict).toBe('unproven');
    expect(report.verdicts.completeness.findings[0]?.message).toContain('from seq 4 to 4');
  });
});

describe('a bundle that contradicts an earlier one', () => {
  test('fails where a chain was written anew', async () => {
    const { story } = await twoMonths();
    const other = new Story();
    other.act('key.issued', 'key_9', { name: 'another story' });
    for (let i = 0; i < 3; i++) other.decide({ inputs: { amount: '0.01' } });
    const rewritten = await pack(draftOf(other, { range: JANUARY }));
    const both = await check(await pack(draftOf(story)), { previous: rewritten });
    expect(codes(both, 'completeness')).toContain('previous_contradicts');
    expect(codes(both, 'completeness')).toContain('previous_activity');
    const february = await check(await pack(draftOf(story, { range: FEBRUARY })), {
      previous: rewritten,
    });
    expect(codes(february, 'completeness')).toContain('previous_contradicts');
    expect(february.verdicts.completeness.verdict).toBe('fail');
  });

  test('fails where the older part was written anew, whichever of the two is looked at', async () => {
    const keyIssued = (story: Story) => story.act('key.issued', 'key_1', { name: 'x' });
    const [kept, other] = [new Story(), new Story()];
    for (const told of [kept, other]) keyIssued(told);
    for (let i = 0; i < 3; i++) {
      kept.decide();
      other.decide({ inputs: { amount: '0.01' } });
    }
    kept.wait(MONTH);
    for (let i = 0; i < 3; i++) kept.decide();
    const february = await pack(draftOf(kept, { range: FEBRUARY }));
    const rewritten = await pack(draftOf(other, { range: JANUARY }));
    const report = await check(rewritten, { previous: february });
    expect(codes(report, 'completeness')).toEqual(['previous_contradicts']);
    expect(report.verdicts.completeness.verdict).toBe('fail');
    const honest = await pack(draftOf(kept, { range: JANUARY }));
    expect(outcomes(await check(honest, { previous: february }))).toBe('pass pass pass pass');
  });

  test('fails where it is of another ledger', async () => {
    const previous = await pack(draftOf(fullStory({ ledger: 'led_00000000000000000000000002' })));
    const report = await check(await pack(draftOf(fullStory())), { previous });
    expect(codes(report, 'completeness')).toEqual(['previous_other_ledger']);
  });

  test('fails where the earlier one has no integrity itself', async () => {
    const previous = await pack(draftOf(fullStory()));
    previous[previous.indexOf('refund-bot')] = 0x52;
    const report = await check(await pack(draftOf(fullStory())), { previous });
    expect(codes(report, 'completeness')).toEqual(['previous_invalid']);
    const none = await check(await pack(draftOf(fullStory())), { previous: Buffer.from('none') });
    expect(codes(none, 'completeness')).toEqual(['previous_invalid']);
  });
});

test('an earlier bundle with a gap is none to go on from', async () => {
  const { story } = await twoMonths();
  const draft = draftOf(story, { range: JANUARY });
  editRows(draft, 'decisions.json', (rows) => rows.filter(({ seq }) => seq !== 2));
  const previous = await pack(editManifest(draft, { 'decisions.count': 2 }));
  const february = await pack(draftOf(story, { range: FEBRUARY }));
  const report = await check(february, { previous });
  expect(codes(report, 'completeness')).toEqual(['previous_invalid']);
  expect(report.verdicts.completeness.findings[0]?.message).toContain('is not complete');
});

describe('bundles of which nobody can tell', () => {
  test('whether one goes on from the other are unproven', async () => {
    const { story, january } = await twoMonths();
    const later = await pack(draftOf(story));
    const swapped = await check(january, { previous: later });
    expect(codes(swapped, 'completeness')).toEqual(['previous_unknown']);
    const compliance = await pack(draftOf(story, { exportType: 'compliance' }));
    expect(codes(await check(compliance, { previous: january }), 'completeness')).toContain(
      'previous_unknown',
    );
    expect(codes(await check(later, { previous: compliance }), 'completeness')).toContain(
      'previous_unknown',
    );
    const insurance = await pack(draftOf(story, { exportType: 'insurance' }));
    expect(codes(await check(insurance, { previous: january }), 'completeness')).toContain(
      'previous_unknown',
    );
    const none = { start: '2026-06-01T00:00:00.000Z', end: '2026-07-01T00:00:00.000Z' };
    const empty = await check(await pack(draftOf(story, { range: none })), { previous: january });
    expect(codes(empty, 'completeness')).toEqual(['previous_unknown']);
    expect(empty.verdicts.completeness.verdict).toBe('unproven');
  });

  test('a range before the earlier bundle leaves the decisions between them open', async () => {
    const { story } = await twoMonths((told) =>
      told.decide({ timestamp: '2026-03-01T00:00:00.000Z' }),
    );
    const february = await pack(draftOf(story, { range: FEBRUARY }));
    const january = await pack(draftOf(story, { range: JANUARY }));
    const report = await check(january, { previous: february });
    expect(codes(report, 'completeness')).toEqual(['previous_hole']);
  });

  test('a manifest that lies about its end is found', async () => {
    const { story, january } = await twoMonths();
    const lying = editManifest(draftOf(story), { 'activity.last.seq': 1 });
    expect(outcomes(await check(await pack(lying), { previous: january }))).toMatch(/fail/);
  });
});
