import { describe, expect, test } from 'vitest';
import { pack } from './support/bundle.js';
import { check, codes, outcomes } from './support/check.js';
import { draftOf } from './support/draft.js';
import { editManifest, editRows } from './support/edit.js';
import { overwritten } from './support/files-in.js';
import { testKey } from './support/keys.js';
import { fullStory } from './support/samples.js';
import { Story } from './support/story.js';

const [first, second] = [testKey('first'), testKey('second')];
const JANUARY = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
const FEBRUARY = { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' };
const MARCH = { start: '2026-03-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' };
const MONTH = 31 * 24 * 60;

/** A ledger with three decisions in January, and the same after three more in February. */
async function twoMonths() {
  const story = new Story();
  story.act('key.issued', 'key_1', { name: 'x' });
  for (let i = 0; i < 3; i++) story.decide();
  const january = await pack(draftOf(story, { range: JANUARY }));
  story.wait(MONTH);
  story.act('key.issued', 'key_2', { name: 'y' });
  for (let i = 0; i < 3; i++) story.decide();
  return { story, january };
}

/** The same after three more decisions in March. A run shows one entry on each side of its range. */
async function threeMonths() {
  const { story, january } = await twoMonths();
  story.wait(MONTH);
  for (let i = 0; i < 3; i++) story.decide();
  return { story, january };
}

describe('Continued bundles', () => {
  test('A bundle passes if its first decision follows the last one of the earlier bundle', async () => {
    const { story, january } = await twoMonths();
    const february = await pack(draftOf(story, { range: FEBRUARY }));
    const report = await check(february, { previous: january });
    expect(outcomes(report)).toBe('pass consistent pass consistent');
    expect(report.verdicts.completeness.sentence).toContain('continues the earlier bundle');
  });

  test('A bundle passes if both runs overlap and agree', async () => {
    const { story, january } = await twoMonths();
    const both = await pack(draftOf(story));
    expect(outcomes(await check(both, { previous: january }))).toBe(
      'pass consistent pass consistent',
    );
    expect(outcomes(await check(january, { previous: january }))).toBe(
      'pass consistent pass consistent',
    );
  });

  test('A bundle passes if the earlier one was only repacked', async () => {
    const { story } = await twoMonths();
    const january = draftOf(story, { range: JANUARY });
    const repacked = await pack(january, { compress: false });
    expect(codes(await check(repacked), 'integrity')).toEqual(['archive_rewritten']);
    const february = await pack(draftOf(story, { range: FEBRUARY }));
    expect(outcomes(await check(february, { previous: repacked }))).toBe(
      'pass consistent pass consistent',
    );
  });

  test('A bundle fails if the earlier one was repacked and differs from what was signed', async () => {
    const { story } = await twoMonths();
    const january = draftOf(story, { range: JANUARY });
    const signature = () => Buffer.alloc(256);
    const changed = await pack(january, { compress: false, signature });
    expect(codes(await check(changed), 'integrity')).toContain('archive_rewritten');
    const february = await pack(draftOf(story, { range: FEBRUARY }));
    const report = await check(february, { previous: changed });
    expect(codes(report, 'completeness')).toEqual(['previous_invalid']);
    expect(report.verdicts.completeness.verdict).toBe('fail');
  });

  test('A bundle passes if a newer key signed it that is listed with the former one', async () => {
    const { story, january } = await twoMonths();
    const keys = { key: second, formerKeys: [first] };
    const february = await pack(draftOf(story, { range: FEBRUARY, ...keys }));
    const options = { previous: january, keyFingerprint: second.fingerprint };
    expect(outcomes(await check(february, options))).toBe('pass consistent pass consistent');
  });

  test('A bundle fails if the key of the earlier one is not listed', async () => {
    const { story, january } = await twoMonths();
    const february = await pack(draftOf(story, { range: FEBRUARY, key: second }));
    const report = await check(february, { previous: january });
    expect(codes(report, 'completeness')).toEqual(['previous_contradicts']);
  });

  test('A bundle is unproven if decisions between the two are in neither', async () => {
    const { story, january } = await threeMonths();
    const march = await pack(draftOf(story, { range: MARCH }));
    const report = await check(march, { previous: january });
    expect(codes(report, 'completeness')).toEqual(['previous_hole']);
    expect(report.verdicts.completeness.verdict).toBe('unproven');
    expect(report.verdicts.completeness.findings[0]?.message).toContain('from seq 4 to 5');
  });
});

test('Bundles for courts and for regulators continue each other', async () => {
  const { story, january } = await twoMonths();
  const compliance = await pack(draftOf(story, { exportType: 'compliance' }));
  const later = await pack(draftOf(story));
  for (const [bundle, previous] of [[compliance, january] as const, [later, compliance] as const]) {
    expect(outcomes(await check(bundle, { previous }))).toBe('pass consistent pass consistent');
  }
});

describe('Contradicting bundles', () => {
  test('A bundle fails if the chain was rewritten', async () => {
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

  test('A bundle fails if the older part was rewritten, whichever of the two is checked', async () => {
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
    const found = ['previous_activity', 'previous_contradicts'];
    expect(codes(report, 'completeness')).toEqual(found);
    expect(report.verdicts.completeness.verdict).toBe('fail');
    const honest = await pack(draftOf(kept, { range: JANUARY }));
    expect(outcomes(await check(honest, { previous: february }))).toBe(
      'pass consistent pass consistent',
    );
  });

  test('A bundle fails if the earlier one is of another ledger', async () => {
    const previous = await pack(draftOf(fullStory({ ledger: 'led_00000000000000000000000002' })));
    const report = await check(await pack(draftOf(fullStory())), { previous });
    expect(codes(report, 'completeness')).toEqual(['previous_other_ledger']);
  });

  test('A bundle fails if the integrity of the earlier one fails', async () => {
    const previous = await overwritten(await pack(draftOf(fullStory())), 'refund-bot', 'R');
    const report = await check(await pack(draftOf(fullStory())), { previous });
    expect(codes(report, 'completeness')).toEqual(['previous_invalid']);
    const none = await check(await pack(draftOf(fullStory())), { previous: Buffer.from('none') });
    expect(codes(none, 'completeness')).toEqual(['previous_invalid']);
  });
});

test('A bundle cannot continue an earlier one with a gap', async () => {
  const { story } = await twoMonths();
  const draft = draftOf(story, { range: JANUARY });
  editRows(draft, 'decisions.json', (rows) => rows.filter(({ seq }) => seq !== 2));
  const previous = await pack(editManifest(draft, { 'decisions.count': 2 }));
  const february = await pack(draftOf(story, { range: FEBRUARY }));
  const report = await check(february, { previous });
  expect(codes(report, 'completeness')).toEqual(['previous_invalid']);
  expect(report.verdicts.completeness.findings[0]?.message).toContain('is not complete');
});

describe('Undecidable bundles', () => {
  test('A bundle is unproven if nothing shows whether it continues the earlier one', async () => {
    const { story, january } = await twoMonths();
    const later = await pack(draftOf(story));
    const swapped = await check(january, { previous: later });
    expect(codes(swapped, 'completeness')).toEqual(['previous_unknown']);
    const insurance = await pack(draftOf(story, { exportType: 'insurance' }));
    expect(codes(await check(insurance, { previous: january }), 'completeness')).toContain(
      'previous_unknown',
    );
    const young = new Story();
    const previous = await pack(draftOf(young));
    young.decide();
    const first = await check(await pack(draftOf(young)), { previous });
    expect(codes(first, 'completeness')).toEqual(['previous_unknown']);
    expect(first.verdicts.completeness.verdict).toBe('unproven');
  });

  test('A range before the earlier bundle leaves the decisions between them unproven', async () => {
    const { story } = await threeMonths();
    const march = await pack(draftOf(story, { range: MARCH }));
    const january = await pack(draftOf(story, { range: JANUARY }));
    const report = await check(january, { previous: march });
    expect(codes(report, 'completeness')).toEqual(['previous_hole']);
  });

  test('A manifest with a false end is found', async () => {
    const { story, january } = await twoMonths();
    const lying = editManifest(draftOf(story), { 'activity.last.seq': 1 });
    expect(outcomes(await check(await pack(lying), { previous: january }))).toMatch(/fail/);
  });
});
