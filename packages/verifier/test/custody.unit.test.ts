import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { check, codes } from './support/check.js';
import { draftAt } from './support/draft.js';
import { editLines, editManifest, editObject, editText } from './support/edit.js';
import { signRound, startLogs } from './support/logs.js';
import { Story } from './support/story.js';

const CUSTODY = 'custody.json';

function honest(): Draft {
  const story = new Story();
  startLogs(story);
  story.decide();
  return draftAt(story, signRound(story));
}

const integrityOf = async (draft: Draft) => codes(await check(await pack(draft)), 'integrity');

describe('Custody of a bundle', () => {
  test('Custody that agrees with the activity and the manifest passes', async () => {
    expect(await integrityOf(honest())).toEqual([]);
  });

  test.each<[string, { readonly [path: string]: string | number }]>([
    ['another author', { 'requested.by': 'key_00000000000000000000000009' }],
    ['another time', { 'requested.at': '2026-01-01T00:00:00.000Z' }],
    ['another record', { 'requested.activity_seq': 1 }],
    ['another bundle', { export_id: 'exp_00000000000000000000000009' }],
    ['another version', { 'made.version': '9.9.9' }],
    ['another seal', { 'sealed.at': '2026-01-01T00:00:00.000Z' }],
    ['another key', { 'sealed.key_fingerprint': 'a'.repeat(64) }],
  ])('Custody that names %s fails', async (_what, changes) => {
    expect(await integrityOf(editObject(honest(), CUSTODY, changes))).toContain('custody_differs');
  });

  test.each([
    ['with a salt', 'A'.repeat(22)],
    ['with a salt that makes no commitment', 'no salt'],
  ])('A filter %s that nobody asked for fails', async (_what, salt) => {
    const draft = honest();
    draft.files.set('withheld.ndjson', Buffer.from('[]\n'));
    const filter = { agent_id: 'nobody' };
    const selection = { filter, salt, in_range: 1, withheld: 0, erased: 0 };
    expect(await integrityOf(editManifest(draft, { selection }))).toContain('filter_differs');
  });

  test('A bundle of another range or type than the one that was asked for fails', async () => {
    const wider = editManifest(honest(), { 'range.end': '2026-05-01T00:00:00.000Z' });
    expect(await integrityOf(wider)).toContain('custody_differs');
    const withheld = editLines(honest(), 'activity.ndjson', (lines) =>
      lines.filter((line) => !line.includes('"export_type"')),
    );
    expect(await integrityOf(withheld)).toEqual(['disclosure_missing', 'custody_differs']);
  });

  test.each([
    ['a member that nothing proves', (text: string) => text.replace('"made"', '"x": 1, "made"')],
    ['another description', (text: string) => text.replace('Who asked', 'Nobody asked')],
    ['no JSON', () => 'x'],
  ])('Custody with %s fails', async (_what, change) => {
    expect(await integrityOf(editText(honest(), CUSTODY, change))).toEqual(['custody_shape']);
  });

  test('A bundle without custody or certificate fails', async () => {
    for (const name of [CUSTODY, 'CERTIFICATE.md']) {
      const draft = honest();
      draft.files.delete(name);
      expect(await integrityOf(draft)).toEqual(['file_missing']);
    }
  });
});
