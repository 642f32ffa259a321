import { type ByteSource, memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { describe, expect, test } from 'vitest';
import { pack } from './support/bundle.js';
import { allCodes, check, codes, outcomes } from './support/check.js';
import { draftOf, requestExport } from './support/draft.js';
import { testKey } from './support/keys.js';
import { erasedStory, fullStory, shortStory } from './support/samples.js';
import { type Json, Story } from './support/story.js';

const [first, second] = [testKey('first'), testKey('second')];

describe('Valid bundles', () => {
  test.each([true, false])(
    'A valid bundle passes every check, with sizes after the files: %s',
    async (streamed) => {
      for (const story of [fullStory(), erasedStory(), shortStory()]) {
        const report = await check(await pack(draftOf(story), { streamed }));
        expect(outcomes(report)).toBe('pass consistent pass consistent');
        expect(allCodes(report)).toEqual([]);
      }
    },
  );

  test('A bundle of a ledger without decisions passes', async () => {
    const story = new Story();
    story.act('key.issued', 'key_1', { name: 'x' });
    const report = await check(await pack(draftOf(story)));
    expect(outcomes(report)).toBe('pass consistent pass consistent');
  });

  test('A bundle of a range in the middle of a chain passes', async () => {
    const story = fullStory();
    const range = { start: '2026-01-05T08:04:30.000Z', end: '2026-01-06T00:00:00.000Z' };
    const report = await check(await pack(draftOf(story, { range })));
    expect(outcomes(report)).toBe('pass consistent pass consistent');
  });

  test('A bundle of test data says so in every sentence', async () => {
    const report = await check(await pack(draftOf(fullStory({ mode: 'test' }))));
    expect(outcomes(report)).toBe('pass consistent pass consistent');
    for (const { sentence } of Object.values(report.verdicts)) {
      expect(sentence).toMatch(/^TEST DATA: /);
    }
  });

  test('A compliance bundle passes, also if decisions of its run are dated elsewhere', async () => {
    for (const story of [fullStory(), shortStory()]) {
      const report = await check(await pack(draftOf(story, { exportType: 'compliance' })));
      expect(outcomes(report)).toBe('pass consistent pass consistent');
    }
  });

  test('A compliance bundle with erased fields passes', async () => {
    const story = shortStory();
    story.erase(story.decisions[0]?.row ?? {}, ['outputs', 'metadata']);
    const draft = draftOf(story, { exportType: 'compliance' });
    expect(String(draft.files.get('article12.json'))).toContain('tamper_evidence');
    expect(outcomes(await check(await pack(draft)))).toBe('pass consistent pass consistent');
  });

  test('An insurance bundle leaves unproven what its sums cannot show', async () => {
    const report = await check(await pack(draftOf(fullStory(), { exportType: 'insurance' })));
    expect(outcomes(report)).toBe('pass unproven pass unproven');
  });

  test('The report describes the bundle by its manifest', async () => {
    const report = await check(await pack(draftOf(fullStory())));
    expect(report.bundle).toMatchObject({
      export_id: 'exp_00000000000000000000000001',
      mode: 'live',
      decisions: 4,
      key_fingerprint: first.fingerprint,
    });
  });

  test('The report states that later records are unproven, and what was withheld', async () => {
    const report = await check(await pack(draftOf(fullStory())));
    expect(report.verdicts.completeness.sentence).toContain(
      'A bundle never proves what came after its end',
    );
    expect(report.verdicts.completeness.sentence).toContain('The data of 1 change');
  });

  test('Completeness says which decisions were lost when a backup was restored', async () => {
    const restored = (more: Json) => {
      const story = fullStory();
      const data = { from_seq: 4, from_hash: '0'.repeat(64), reason: 'disk failed', ...more };
      story.act('ledger.restored', story.ledger, data, 'operator');
      return draftOf(story);
    };
    const known = { expected_seq: 9, expected_hash: '1'.repeat(64), accepts_fork: false };
    const { completeness } = (await check(await pack(restored(known)))).verdicts;
    expect(completeness.sentence).toContain(
      'What was decided under the numbers 5 to 9 was lost when a backup was restored.',
    );
    expect(completeness.sentence).toContain('states as the reason "disk failed".');
    expect(completeness.sentence).not.toContain('Checkpoints of before');
    const forked = (await check(await pack(restored({ accepts_fork: true })))).verdicts;
    expect(forked.completeness.sentence).toContain('What followed decision 4 was lost');
    expect(forked.completeness.sentence).toContain('Checkpoints of before may contradict');
    const honest = (await check(await pack(draftOf(fullStory())))).verdicts;
    expect(honest.completeness.sentence).not.toContain('lost');
  });

  test('A bundle alone proves neither that its range is whole nor any time', async () => {
    const { verdicts } = await check(await pack(draftOf(fullStory())));
    expect(verdicts).toMatchObject({
      integrity: { verdict: 'pass', basis: 'key' },
      completeness: { verdict: 'unproven', basis: 'key' },
      authenticity: { verdict: 'pass', basis: 'key' },
      time: { verdict: 'unproven', basis: 'key', findings: [{ code: 'time_unattested' }] },
    });
    const unpinned = await verifyBundle(memorySource(await pack(draftOf(fullStory()))), {});
    for (const { basis } of Object.values(unpinned.verdicts)) expect(basis).toBe('self');
  });
});

describe('Changes during the export', () => {
  test('A change during the export is in the activity and may be missing in the records', async () => {
    const story = fullStory();
    const request = requestExport(story);
    const before = draftOf(story, { request });
    const link = [...story.links.keys()][1] ?? '';
    story.deleteLink(link);
    story.recordEvent({
      source: 's',
      event_type: 't',
      amount: '1',
      currency: 'USD',
      timestamp: '2026-02-01T00:00:00.000Z',
    });
    const after = draftOf(story, { request });
    expect(outcomes(await check(await pack(after)))).toBe('pass consistent pass consistent');
    for (const name of ['events.json', 'links.json']) {
      after.files.set(name, before.files.get(name) ?? Buffer.from(''));
    }
    const report = await check(await pack(after));
    expect(outcomes(report)).toBe('pass consistent pass consistent');
    expect(report.verdicts.integrity.sentence).toContain('1 event or link is shown as it was');
  });

  test('A change before the export must be in the records', async () => {
    const story = fullStory();
    const before = draftOf(story);
    story.deleteLink([...story.links.keys()][1] ?? '');
    const after = draftOf(story);
    after.files.set('links.json', before.files.get('links.json') ?? Buffer.from(''));
    const report = await check(await pack(after));
    expect(codes(report, 'integrity')).toEqual(['activity_seq']);
  });
});

describe('Signer', () => {
  const bundle = () => pack(draftOf(fullStory(), { formerKeys: [second] }));

  test('The signer is unproven without a fingerprint, and the fingerprint is shown', async () => {
    const report = await verifyBundle(memorySource(await bundle()), {});
    expect(outcomes(report)).toBe('pass consistent unproven consistent');
    expect(codes(report, 'authenticity')).toEqual(['key_unpinned']);
    expect(report.verdicts.authenticity.sentence).toContain(first.fingerprint);
  });

  test('A signature by another key than the pinned one fails', async () => {
    const report = await check(await bundle(), { keyFingerprint: '0'.repeat(64) });
    expect(codes(report, 'authenticity')).toEqual(['key_other']);
    expect(report.verdicts.authenticity.verdict).toBe('fail');
  });

  test('A pinned former key fails, and the message says so', async () => {
    const report = await check(await bundle(), { keyFingerprint: second.fingerprint });
    expect(codes(report, 'authenticity')).toEqual(['key_former']);
    expect(report.verdicts.authenticity.findings[0]?.message).toContain('retired at 2026-02-01');
  });

  test('A bundle signed again with another key is found only by the fingerprint', async () => {
    const forged = await pack(draftOf(fullStory(), { key: second }));
    expect(outcomes(await verifyBundle(memorySource(forged), {}))).toBe(
      'pass consistent unproven consistent',
    );
    expect(outcomes(await check(forged))).toBe('pass consistent fail consistent');
  });

  test('A bundle without a valid signature fails', async () => {
    const unsigned = await pack(draftOf(fullStory()), { signature: () => Buffer.alloc(256) });
    expect(outcomes(await check(unsigned))).toBe('fail unproven fail unproven');
  });
});

describe('Files that are not bundles', () => {
  test.each([
    ['of no bytes', Buffer.alloc(0)],
    ['of plain text', Buffer.from('This is a text and no archive at all.')],
    ['of zeros', Buffer.alloc(1000)],
    ['of an end record alone', Buffer.from(`PK\u0005\u0006${'\0'.repeat(18)}`, 'latin1')],
  ])('The file %s gets four verdicts', async (_about, bytes) => {
    expect(outcomes(await check(bytes))).toBe('fail unproven fail unproven');
    const report = await verifyBundle(memorySource(bytes), {});
    expect(outcomes(report)).toBe('fail unproven unproven unproven');
    expect(codes(report, 'integrity')).toEqual(['archive_unreadable']);
    expect(report.bundle).toBeNull();
  });

  const envelope = (error: object) => Buffer.from(JSON.stringify({ error }));
  test.each([
    [
      'an error',
      envelope({ code: 'export_not_ready', message: 'the export is pending' }),
      /error response of the service .*: export_not_ready: the export is pending\. Wait until/,
    ],
    [
      'a short error',
      Buffer.from('{"error":{"code":"gone","message":"x"}}'),
      /gone: x\. .*for a day/,
    ],
    [
      'an unknown error',
      envelope({ code: 'teapot', message: 'no\ntea' }),
      /teapot: no tea\. Download/,
    ],
    ['a JSON value', Buffer.from('[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]'), /is JSON and not an archive/],
    [
      'a description',
      Buffer.from('{"data":{"export_id":"exp_1","status":"pending"}}'),
      /description of an export .*\/download/,
    ],
    [
      'a web page',
      Buffer.from('\n<!DOCTYPE html><html><title>Sign in</title></html>'),
      /a web page, “Sign in”, and not an archive/,
    ],
  ])(
    'The report names the remedy for %s in place of an archive',
    async (_about, bytes, expected) => {
      const report = await verifyBundle(memorySource(bytes), {});
      expect(outcomes(report)).toBe('fail unproven unproven unproven');
      expect(codes(report, 'integrity')).toEqual(['archive_answer']);
      expect(report.verdicts.integrity.findings[0]?.message).toMatch(expected);
    },
  );

  test('An error in place of an archive is shown shortened and without control characters', async () => {
    const message = `\u001b[31m\u202e${'x'.repeat(5000)}`;
    const report = await check(envelope({ code: `\u0007${'c'.repeat(5000)}`, message }));
    const shown = report.verdicts.integrity.findings[0]?.message ?? '';
    expect(shown).not.toMatch(/[\p{Cc}\u202e\ufffd]/u);
    expect(shown.length).toBeLessThan(1000);
    expect(shown).toContain('xxx…');
  });

  test.each([
    ['of plain text', '{ this is no JSON, though it begins as if it were'],
    ['of unterminated JSON', `[${'['.repeat(70_000)}`],
  ])('The file %s is not taken for an answer of a server', async (_about, text) => {
    const report = await verifyBundle(memorySource(Buffer.from(text)), {});
    expect(codes(report, 'integrity')).toEqual(['archive_unreadable']);
  });

  test('Every truncated bundle gets four verdicts and no integrity', async () => {
    const zip = await pack(draftOf(shortStory()));
    for (let length = 0; length < zip.length; length += 97) {
      const report = await check(zip.subarray(0, length));
      expect(report.verdicts.integrity.verdict).toBe('fail');
    }
  });
});

describe('Unreadable source', () => {
  const failing = (zip: Uint8Array, allowed: number): ByteSource => {
    const { size, read } = memorySource(zip);
    let reads = 0;
    return {
      size,
      read: (offset, length) =>
        reads++ < allowed ? read(offset, length) : Promise.reject(new Error('the disk is gone')),
    };
  };

  test('A read error is thrown rather than reported as a finding, wherever it occurs', async () => {
    const zip = await pack(draftOf(fullStory()));
    let reads = 0;
    const { size, read } = memorySource(zip);
    const counting: ByteSource = {
      size,
      read: (offset, length) => {
        reads++;
        return read(offset, length);
      },
    };
    expect(outcomes(await verifyBundle(counting, {}))).toBe('pass consistent unproven consistent');
    for (let allowed = 0; allowed < reads; allowed++) {
      await expect(verifyBundle(failing(zip, allowed), {})).rejects.toThrow('the disk is gone');
    }
    const previous = failing(zip, 5);
    await expect(verifyBundle(memorySource(zip), { previous })).rejects.toThrow('the disk is gone');
  });
});

test('A fingerprint may have capitals and colons, and no other form is accepted', async () => {
  const zip = await pack(draftOf(fullStory()));
  const keyFingerprint = first.fingerprint.toUpperCase().replace(/(..)(?=.)/g, '$1:');
  expect(outcomes(await check(zip, { keyFingerprint }))).toBe('pass consistent pass consistent');
  await expect(check(zip, { keyFingerprint: `${first.fingerprint}0` })).rejects.toThrow(TypeError);
  await expect(check(zip, { keyFingerprint: '' })).rejects.toThrow('64 hexadecimal digits');
});

test('Progress rises to the size of the files', async () => {
  const draft = draftOf(fullStory());
  const zip = await pack(draft);
  const told: number[] = [];
  let total = 0;
  await check(zip, {
    onProgress: (done, all) => {
      told.push(done);
      total = all;
    },
  });
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(told.at(-1)).toBe(total);
  expect(total).toBe([...draft.files.values()].reduce((sum, bytes) => sum + bytes.length, 0));
});
