import { type ByteSource, memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { describe, expect, test } from 'vitest';
import { draftOf, pack } from './support/bundle.js';
import { allCodes, check, codes, outcomes } from './support/check.js';
import { testKey } from './support/keys.js';
import { erasedStory, fullStory, shortStory } from './support/samples.js';
import { Story } from './support/story.js';

const [first, second] = [testKey('first'), testKey('second')];

describe('a whole bundle', () => {
  test.each([true, false])(
    'passes in everything, with its sizes behind the files: %s',
    async (streamed) => {
      for (const story of [fullStory(), erasedStory(), shortStory()]) {
        const report = await check(await pack(draftOf(story), { streamed }));
        expect(outcomes(report)).toBe('pass pass pass pass');
        expect(allCodes(report)).toEqual([]);
      }
    },
  );

  test('of a ledger without a decision passes', async () => {
    const story = new Story();
    story.act('key.issued', 'key_1', { name: 'x' });
    const report = await check(await pack(draftOf(story)));
    expect(outcomes(report)).toBe('pass pass pass pass');
  });

  test('of a range in the middle of a chain passes', async () => {
    const story = fullStory();
    const range = { start: '2026-01-05T08:04:30.000Z', end: '2026-01-06T00:00:00.000Z' };
    const report = await check(await pack(draftOf(story, { range })));
    expect(outcomes(report)).toBe('pass pass pass pass');
  });

  test('of test data says so in every sentence', async () => {
    const report = await check(await pack(draftOf(fullStory({ mode: 'test' }))));
    expect(outcomes(report)).toBe('pass pass pass pass');
    for (const { sentence } of Object.values(report.verdicts)) {
      expect(sentence).toMatch(/^TEST DATA: /);
    }
  });

  test('for regulators is complete where its records are an unbroken run', async () => {
    const [broken, whole] = [fullStory(), shortStory()];
    const exportType = 'compliance';
    expect(outcomes(await check(await pack(draftOf(whole, { exportType }))))).toBe(
      'pass pass pass pass',
    );
    const report = await check(await pack(draftOf(broken, { exportType })));
    expect(outcomes(report)).toBe('pass unproven pass pass');
    expect(report.verdicts.completeness.findings[0]?.message).toContain('"outside_range": 1');
  });

  test('for regulators passes with fields that were erased', async () => {
    const story = shortStory();
    story.erase(story.decisions[0]?.row ?? {}, ['outputs', 'metadata']);
    const draft = draftOf(story, { exportType: 'compliance' });
    expect(String(draft.files.get('article12.json'))).toContain('tamper_evidence');
    expect(outcomes(await check(await pack(draft)))).toBe('pass pass pass pass');
  });

  test('for underwriters leaves open what sums cannot show', async () => {
    const report = await check(await pack(draftOf(fullStory(), { exportType: 'insurance' })));
    expect(outcomes(report)).toBe('pass unproven pass unproven');
  });

  test('is told by what its manifest says', async () => {
    const report = await check(await pack(draftOf(fullStory())));
    expect(report.bundle).toMatchObject({
      export_id: 'exp_00000000000000000000000001',
      mode: 'live',
      decisions: 4,
      key_fingerprint: first.fingerprint,
    });
  });

  test('says that what comes after its end is not proven, and what was withheld', async () => {
    const report = await check(await pack(draftOf(fullStory())));
    expect(report.verdicts.completeness.sentence).toContain(
      'A bundle never proves what came after its end',
    );
    expect(report.verdicts.completeness.sentence).toContain('The data of 1 change');
  });
});

describe('what happened while the export was made', () => {
  test('is in the activity and need not be in the records', async () => {
    const story = fullStory();
    const since = story.activity.length;
    const before = draftOf(story, { since });
    const link = [...story.links.keys()][1] ?? '';
    story.deleteLink(link);
    story.recordEvent({
      source: 's',
      event_type: 't',
      amount: '1',
      currency: 'USD',
      timestamp: '2026-02-01T00:00:00.000Z',
    });
    const after = draftOf(story, { since });
    expect(outcomes(await check(await pack(after)))).toBe('pass pass pass pass');
    for (const name of ['events.json', 'links.json']) {
      after.files.set(name, before.files.get(name) ?? Buffer.from(''));
    }
    const report = await check(await pack(after));
    expect(outcomes(report)).toBe('pass pass pass pass');
    expect(report.verdicts.integrity.sentence).toContain('1 event or link is shown as it was');
  });

  test('is an error where it happened before', async () => {
    const story = fullStory();
    const before = draftOf(story);
    story.deleteLink([...story.links.keys()][1] ?? '');
    const after = draftOf(story);
    after.files.set('links.json', before.files.get('links.json') ?? Buffer.from(''));
    const report = await check(await pack(after));
    expect(codes(report, 'integrity')).toEqual(['activity_seq']);
  });
});

describe('who signed', () => {
  const bundle = () => pack(draftOf(fullStory(), { formerKeys: [second] }));

  test('is unproven without a fingerprint to compare with, and told', async () => {
    const report = await verifyBundle(memorySource(await bundle()), {});
    expect(outcomes(report)).toBe('pass pass unproven pass');
    expect(codes(report, 'authenticity')).toEqual(['key_unpinned']);
    expect(report.verdicts.authenticity.sentence).toContain(first.fingerprint);
  });

  test('is wrong where another key signed', async () => {
    const report = await check(await bundle(), { keyFingerprint: '0'.repeat(64) });
    expect(codes(report, 'authenticity')).toEqual(['key_other']);
    expect(report.verdicts.authenticity.verdict).toBe('fail');
  });

  test('is wrong where the key that was given is a former one, and the message says so', async () => {
    const report = await check(await bundle(), { keyFingerprint: second.fingerprint });
    expect(codes(report, 'authenticity')).toEqual(['key_former']);
    expect(report.verdicts.authenticity.findings[0]?.message).toContain('retired at 2026-02-01');
  });

  test('a whole bundle that was signed anew with another key is found by the fingerprint alone', async () => {
    const forged = await pack(draftOf(fullStory(), { key: second }));
    expect(outcomes(await verifyBundle(memorySource(forged), {}))).toBe('pass pass unproven pass');
    expect(outcomes(await check(forged))).toBe('pass pass fail pass');
  });

  test('is wrong where there is no valid signature', async () => {
    const unsigned = await pack(draftOf(fullStory()), { signature: () => Buffer.alloc(256) });
    expect(outcomes(await check(unsigned))).toBe('fail unproven fail unproven');
  });
});

describe('what is no bundle', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('This is a text and no archive at all.')],
    ['zeros', Buffer.alloc(1000)],
    [
      'an end without anything before it',
      Buffer.from(`PK\u0005\u0006${'\0'.repeat(18)}`, 'latin1'),
    ],
  ])('%s has four verdicts', async (_about, bytes) => {
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
  ])('%s in place of an archive is told with what to do', async (_about, bytes, expected) => {
    const report = await verifyBundle(memorySource(bytes), {});
    expect(outcomes(report)).toBe('fail unproven unproven unproven');
    expect(codes(report, 'integrity')).toEqual(['archive_answer']);
    expect(report.verdicts.integrity.findings[0]?.message).toMatch(expected);
  });

  test('an error in place of an archive is shown in bounds and without control characters', async () => {
    const message = `\u001b[31m\u202e${'x'.repeat(5000)}`;
    const report = await check(envelope({ code: `\u0007${'c'.repeat(5000)}`, message }));
    const shown = report.verdicts.integrity.findings[0]?.message ?? '';
    expect(shown).not.toMatch(/[\p{Cc}\u202e\ufffd]/u);
    expect(shown.length).toBeLessThan(1000);
    expect(shown).toContain('xxx…');
  });

  test.each([
    ['text', '{ this is no JSON, though it begins as if it were'],
    ['JSON without an end', `[${'['.repeat(70_000)}`],
  ])('%s is no answer of a server', async (_about, text) => {
    const report = await verifyBundle(memorySource(Buffer.from(text)), {});
    expect(codes(report, 'integrity')).toEqual(['archive_unreadable']);
  });

  test('every beginning of a bundle has four verdicts and no integrity', async () => {
    const zip = await pack(draftOf(shortStory()));
    for (let length = 0; length < zip.length; length += 97) {
      const report = await check(zip.subarray(0, length));
      expect(report.verdicts.integrity.verdict).toBe('fail');
    }
  });
});

describe('a source that cannot be read', () => {
  const failing = (zip: Uint8Array, allowed: number): ByteSource => {
    const { size, read } = memorySource(zip);
    let reads = 0;
    return {
      size,
      read: (offset, length) =>
        reads++ < allowed ? read(offset, length) : Promise.reject(new Error('the disk is gone')),
    };
  };

  test('is no finding, wherever it fails', async () => {
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
    expect(outcomes(await verifyBundle(counting, {}))).toBe('pass pass unproven pass');
    for (let allowed = 0; allowed < reads; allowed++) {
      await expect(verifyBundle(failing(zip, allowed), {})).rejects.toThrow('the disk is gone');
    }
    const previous = failing(zip, 5);
    await expect(verifyBundle(memorySource(zip), { previous })).rejects.toThrow('the disk is gone');
  });
});

test('a fingerprint is one in capitals and with colons, and nothing else is', async () => {
  const zip = await pack(draftOf(fullStory()));
  const keyFingerprint = first.fingerprint.toUpperCase().replace(/(..)(?=.)/g, '$1:');
  expect(outcomes(await check(zip, { keyFingerprint }))).toBe('pass pass pass pass');
  await expect(check(zip, { keyFingerprint: `${first.fingerprint}0` })).rejects.toThrow(TypeError);
  await expect(check(zip, { keyFingerprint: '' })).rejects.toThrow('64 hexadecimal digits');
});

test('progress goes up to the size of the files', async () => {
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
