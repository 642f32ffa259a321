import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { check, codes } from './support/check.js';
import { type DraftOptions, draftAt, requestExport } from './support/draft.js';
import { editManifest, editText } from './support/edit.js';
import { testKey } from './support/keys.js';
import { checkpointOf, signRound, startLogs } from './support/logs.js';
import { Story } from './support/story.js';

const PROOFS = 'activity.proofs.json';

const INSURANCE = { exportType: 'insurance' } as const;

/** Three decisions, and the sums of them. */
function threeDecisions(options = {}, drawn: DraftOptions = {}) {
  const story = new Story(options);
  startLogs(story);
  for (let i = 0; i < 3; i++) story.decide();
  story.act('key.issued', 'key_1', { name: 'x' });
  const request = requestExport(story, INSURANCE);
  const round = signRound(story);
  return { story, round, draft: draftAt(story, round, { ...INSURANCE, ...drawn, request }) };
}

async function found(draft: Draft, checkpoint?: string) {
  const report = await check(await pack(draft), checkpoint === undefined ? {} : { checkpoint });
  const { verdict, basis, findings } = report.verdicts.completeness;
  const integrity = codes(report, 'integrity');
  return { report, verdict, basis, codes: findings.map(({ code }) => code), integrity };
}

describe('The logs of an insurance bundle', () => {
  test('It says of which state of the logs its sums are, and a kept checkpoint fixes that', async () => {
    const { story, round, draft } = threeDecisions();
    const alone = await found(draft);
    expect(alone).toMatchObject({
      ...{ verdict: 'unproven', basis: 'key', integrity: [] },
      codes: ['sums_only', 'log_unwitnessed'],
    });
    expect(alone.report.verdicts).toMatchObject({
      integrity: { verdict: 'pass', sentence: expect.stringContaining('had 3 records') },
      authenticity: { verdict: 'pass' },
      time: { verdict: 'unproven', findings: [{ code: 'time_unknown' }] },
    });
    const kept = checkpointOf(story, 'activity', round.activity);
    expect(await found(draft, kept)).toMatchObject({
      ...{ verdict: 'unproven', basis: 'witnessed', codes: ['sums_only'] },
    });
    expect(String(draft.files.get(PROOFS))).not.toContain('key.issued');
  });

  test('A kept checkpoint of another history fails', async () => {
    const { round, draft } = threeDecisions();
    const rewritten = new Story();
    startLogs(rewritten);
    rewritten.act('key.issued', 'key_3', { name: 'z' });
    requestExport(rewritten, { exportType: 'insurance' });
    signRound(rewritten);
    const kept = checkpointOf(rewritten, 'activity', round.activity);
    expect(rewritten.activity).toHaveLength(round.activity);
    expect(await found(draft, kept)).toMatchObject({
      ...{ verdict: 'fail', codes: ['sums_only', 'checkpoint_contradicts'] },
    });
  });

  test('Test data cannot be passed off as live, nor logs of another ledger as its own', async () => {
    const { draft } = threeDecisions({ mode: 'test' });
    expect((await found(draft)).integrity).toEqual([]);
    for (const change of [{ mode: 'live' }, { ledger: 'led_00000000000000000000000002' }]) {
      expect((await found(editManifest(draft, change))).integrity).toContain('log_signature');
    }
  });

  test('A signer that no proven record names fails authenticity', async () => {
    const key = testKey('second');
    const { draft } = threeDecisions({}, { key });
    const report = await check(await pack(draft), { keyFingerprint: key.fingerprint });
    expect(codes(report, 'authenticity')).toContain('signer_unrecorded');
  });

  test.each([
    ['another path', (text: string) => text.replace(/"path":\["./, '"path":["_'), 'log_path'],
    ['other data', (text: string) => text.replace('\\"size\\":3', '\\"size\\":2'), 'log_path'],
    ['another place', (text: string) => text.replace('"index":0', '"index":1'), 'log_path'],
    [
      'no record of the checkpoint',
      (text: string) =>
        text
          .split('\n')
          .filter((line) => !line.includes('checkpoint.signed'))
          .join('\n')
          .replace(/,\n\]/, '\n]'),
      'log_unnamed',
    ],
    ['no records', () => '{"records":[\n]}\n', 'log_key_unrecorded'],
  ])('A bundle whose proofs have %s fails', async (_what, change, code) => {
    const draft = editText(threeDecisions().draft, PROOFS, change);
    expect((await found(draft)).integrity).toContain(code);
  });
});
