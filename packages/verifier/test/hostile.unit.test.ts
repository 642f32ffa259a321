import { describe, expect, test } from 'vitest';
import { pack } from './support/bundle.js';
import { allCodes, check, codes, outcomes } from './support/check.js';
import { draftOf } from './support/draft.js';
import { editRows } from './support/edit.js';
import { type RawEntry, type RawOptions, rawZip } from './support/raw-zip.js';
import { fullStory, shortStory } from './support/samples.js';
import { signedFiles } from './support/signed-files.js';

const FILES: RawEntry[] = signedFiles(draftOf(shortStory())).map(([name, data]) => ({
  name,
  data,
  deflate: true,
}));

/** The files of a valid bundle, with some replaced. */
function zipOf(
  change: { readonly [name: string]: Partial<RawEntry> },
  more: RawEntry[] = [],
  options: RawOptions = {},
) {
  const entries = FILES.map((entry) => ({ ...entry, ...change[String(entry.name)] }));
  return rawZip([...entries, ...more], options);
}

test('The right files in another container fail only for the container', async () => {
  const report = await check(zipOf({}));
  expect(codes(report, 'integrity')).toEqual([]);
  for (const zip of [
    await pack(draftOf(fullStory()), { compress: false }),
    zipOf({ 'README.txt': { deflate: false } }),
    zipOf({ 'README.txt': { extra: Buffer.from([1, 2, 0, 0]) } }),
    zipOf({ 'README.txt': { comment: 'x' } }),
    zipOf({ 'README.txt': { attributes: (0o100600 << 16) >>> 0 } }),
    zipOf({ 'README.txt': { flags: 0 } }),
    zipOf({}, [], { between: Buffer.from('hidden') }),
  ]) {
    const repacked = await check(zip);
    expect(allCodes(repacked)).toEqual(['archive_rewritten']);
    expect(repacked.verdicts.integrity.findings[0]?.message).toContain(
      'All files in it are the ones',
    );
    expect(outcomes(repacked)).toBe('fail consistent pass consistent');
  }
});

test.each([
  ['reversed', [...FILES].reverse()],
  ['the manifest first', [...FILES.slice(-2), ...FILES.slice(0, -2)]],
  ['two swapped', [...FILES.slice(1, 2), ...FILES.slice(0, 1), ...FILES.slice(2)]],
])('The right files in another order fail only for the order: %s', async (_, files) => {
  const report = await check(rawZip(files));
  expect(allCodes(report)).toEqual(['archive_rewritten']);
  expect(outcomes(report)).toBe('fail consistent pass consistent');
});

test('A repacked archive of other files says so', async () => {
  const report = await check(
    zipOf({ 'README.txt': { data: Buffer.from('other'), deflate: false } }),
  );
  expect(codes(report, 'integrity')).toContain('file_hash');
  const rewritten = report.verdicts.integrity.findings.find(
    ({ code }) => code === 'archive_rewritten',
  );
  expect(rewritten?.message).toContain('Not all files in it are the ones');
});

describe('Forbidden entries', () => {
  const file = (name: string | Buffer, more: Partial<RawEntry> = {}): RawEntry => ({
    name,
    data: Buffer.from('x'),
    ...more,
  });

  test.each([
    '../evil.txt',
    '..',
    'a/../../evil',
    '/etc/passwd',
    '..\\evil',
    'C:evil',
    'c:\\evil',
    'folder/',
    'a/b.txt',
    'nul\u0000.txt',
    '',
    '.',
    'x\u202etxt',
    'ünlisted.txt',
    ' ',
    'con?',
    'a'.repeat(300),
  ])('An entry named %j is not read', async (name) => {
    const report = await check(zipOf({}, [file(name)]));
    expect(
      allCodes(report).some((code) => ['entry_name', 'archive_unreadable'].includes(code)),
    ).toBe(true);
    expect(report.verdicts.integrity.verdict).toBe('fail');
  });

  test.each([
    ['entry_duplicate', file('README.txt')],
    ['entry_duplicate', file('readme.TXT')],
    ['entry_encrypted', file('secret.txt', { flags: 0x801 })],
    ['entry_symlink', file('link.txt', { attributes: (0o120777 << 16) >>> 0 })],
    ['entry_symlink', file('device.txt', { attributes: (0o060644 << 16) >>> 0 })],
    ['entry_symlink', file('folder.txt', { attributes: (0o040755 << 16) >>> 0 })],
    ['entry_method', file('squeezed.txt', { method: 12 })],
    ['entry_overlap', file('overlap.txt', { told: { offset: 0 } })],
    ['file_unlisted', file('unlisted.txt')],
  ] as const)('A forbidden entry is reported as %s', async (code, entry) => {
    const report = await check(zipOf({}, [entry]));
    expect(codes(report, 'integrity')).toContain(code);
  });

  test('A name that would steer a terminal is shown harmlessly', async () => {
    const { reportText } = await import('@decision-ledger/verifier/report/text');
    const report = await check(zipOf({}, [file('\u001b[2Jx')]));
    expect(reportText(report)).not.toContain('\u001b');
  });
});

describe('Archives with false structure', () => {
  test.each<[string, string, Buffer]>([
    ['archive_rewritten', 'data before it', zipOf({}, [], { before: Buffer.from('MZ') })],
    ['archive_unreadable', 'data behind it', zipOf({}, [], { after: Buffer.from('x') })],
    ['archive_unreadable', 'a comment', zipOf({}, [], { comment: 'hello' })],
    [
      'archive_unreadable',
      'another archive in its comment',
      zipOf({}, [], { comment: String(zipOf({}).subarray(-22)) }),
    ],
    ['archive_split', 'more disks than one', zipOf({}, [], { disk: 1 })],
    [
      'archive_too_many_entries',
      'more entries than any bundle',
      zipOf(
        {},
        Array.from({ length: 4100 }, (_, i) => ({ name: `f${i}.txt`, data: Buffer.from('x') })),
      ),
    ],
    [
      'archive_too_many_entries',
      'a number of entries that it does not have',
      zipOf({}, [], { entries: 60_000 }),
    ],
    ['archive_unreadable', 'no entries', zipOf({}, [], { entries: 0 })],
    [
      'archive_unreadable',
      'a directory that is larger than it is',
      zipOf({}, [], { directoryBytes: 0x7fffffff }),
    ],
    ['archive_unreadable', 'more entries than its directory', zipOf({}, [], { entries: 20 })],
    [
      'signature_missing',
      'fewer entries than its directory',
      zipOf({}, [], { entries: FILES.length - 1 }),
    ],
    [
      'file_unreadable',
      'another name in front of the data',
      zipOf({ 'README.txt': { told: { localName: 'README.doc' } } }),
    ],
    ['file_crc', 'another CRC', zipOf({ 'README.txt': { told: { crc: 1 } } })],
    [
      'manifest_missing',
      'no manifest',
      rawZip(FILES.filter(({ name }) => name !== 'manifest.json')),
    ],
    [
      'signature_missing',
      'no signature',
      rawZip(FILES.filter(({ name }) => name !== 'manifest.sig')),
    ],
    ['key_shape', 'no key', rawZip(FILES.filter(({ name }) => name !== 'ledger-pubkey.pem'))],
    ['file_missing', 'a file too few', rawZip(FILES.filter(({ name }) => name !== 'README.txt'))],
    ['file_size', 'a file that is too short', zipOf({ 'README.txt': { data: Buffer.from('') } })],
    [
      'file_size',
      'a file that is too long',
      zipOf({ 'README.txt': { data: Buffer.from('x'.repeat(100)) } }),
    ],
    [
      'manifest_shape',
      'a size that is absurd',
      zipOf({ 'manifest.json': { told: { size: 0x10000000 } } }),
    ],
    [
      'file_unreadable',
      'packed data that are none',
      zipOf({ 'README.txt': { deflate: false, method: 8 } }),
    ],
    [
      'file_unreadable',
      'data behind the packed ones',
      zipOf({ 'README.txt': { behind: Buffer.from('hidden') } }),
    ],
  ])('A false structure is reported as %s: %s', async (code, _about, zip) => {
    const report = await check(zip);
    expect(codes(report, 'integrity')).toContain(code);
    expect(report.verdicts.integrity.verdict).toBe('fail');
  });
});

describe('Decompression bombs and floods', () => {
  test('A bomb is unpacked no further than the size in the manifest', async () => {
    const data = Buffer.alloc(64 * 1024 * 1024);
    const told = { size: 15 };
    for (const bomb of [
      { data, deflate: true },
      { data, deflate: true, told },
    ]) {
      const done: number[] = [];
      const report = await check(zipOf({ 'README.txt': bomb }), {
        onProgress: (bytes) => done.push(bytes),
      });
      expect(
        codes(report, 'integrity').some(
          (code) => code === 'file_size' || code === 'file_unreadable',
        ),
      ).toBe(true);
      const listed = FILES.reduce((sum, { data: bytes }) => sum + bytes.length, 0);
      expect(Math.max(...done)).toBeLessThanOrEqual(listed);
    }
  });

  test('An archive that would expand far beyond any bundle is refused before it is unpacked', async () => {
    const told = { size: 1024 ** 3 + 1 };
    const done: number[] = [];
    const report = await check(zipOf({ 'links.json': { told } }), {
      onProgress: (bytes) => done.push(bytes),
    });
    expect(codes(report, 'integrity')).toEqual(['archive_unreadable']);
    expect(report.verdicts.integrity.findings[0]?.message).toContain('would expand');
    expect(done).toEqual([]);
  });

  test('A bomb that hides its size is unpacked no further than the size in the archive', async () => {
    const draft = draftOf(shortStory());
    draft.files.set('links.json', Buffer.alloc(65 * 1024 * 1024));
    const entries = signedFiles(draft).map(([name, bytes]) => ({
      ...{ name, data: bytes, deflate: true },
      ...(name === 'links.json' && { told: { size: 15 } }),
    }));
    const done: number[] = [];
    const report = await check(rawZip(entries), { onProgress: (bytes) => done.push(bytes) });
    expect(report.verdicts.integrity.verdict).toBe('fail');
    expect(Math.max(...done)).toBeLessThan(1024 * 1024);
  });

  test('Long texts in findings are cut', async () => {
    const draft = draftOf(shortStory());
    const long = 'x'.repeat(1024 * 1024);
    const row = JSON.stringify({
      id: long,
      activity_seq: 1,
      created_at: '2026-01-05T08:00:00.000Z',
    });
    draft.files.set('links.json', Buffer.from(`[\n${row}\n]\n`));
    const { findings } = (await check(await pack(draft))).verdicts.integrity;
    expect(findings.map(({ code }) => code)).toContain('activity_unrecorded');
    expect(JSON.stringify(findings).length).toBeLessThan(10_000);
  });

  test('A bomb in place of the manifest or the signature is not unpacked', async () => {
    const data = Buffer.alloc(64 * 1024 * 1024);
    const manifest = await check(zipOf({ 'manifest.json': { data, deflate: true } }));
    expect(codes(manifest, 'integrity')).toContain('manifest_shape');
    const signature = await check(zipOf({ 'manifest.sig': { data, deflate: true } }));
    expect(codes(signature, 'integrity')).toContain('signature_invalid');
    const key = await check(zipOf({ 'ledger-pubkey.pem': { data, deflate: true } }));
    expect(codes(key, 'integrity')).toContain('key_shape');
  });

  test('A flood of brackets is not parsed', async () => {
    const draft = draftOf(shortStory());
    draft.files.set('decisions.json', Buffer.from(`[\n${'['.repeat(1_000_000)}\n]\n`));
    draft.files.set('keys.json', Buffer.from('['.repeat(1_000_000)));
    draft.files.set('entries.ndjson', Buffer.from(`${'['.repeat(1_000_000)}\n`.repeat(2)));
    const { findings } = (await check(await pack(draft))).verdicts.integrity;
    expect(findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['record_unreadable', 'keys_shape', 'genesis_wrong']),
    );
    const [entry] = findings.filter(({ code }) => code === 'entry_unreadable');
    expect(entry?.message).toContain('it has 1000000 characters');
  });

  test('A record repeated many times is compared with its changes once', async () => {
    const story = fullStory();
    const [[id, link] = []] = story.links;
    const before = { ...link, activity_seq: 0 };
    const draft = draftOf(story);
    editRows(draft, 'links.json', (rows) => [
      ...rows.filter((row) => row.id !== id),
      ...[before, before, before],
    ]);
    const { findings } = (await check(await pack(draft))).verdicts.integrity;
    const about = findings.filter((finding) => finding.id === id).map(({ code }) => code);
    expect(about.filter((code) => code === 'activity_unrecorded')).toHaveLength(1);
    expect(about.filter((code) => code === 'record_duplicate')).toHaveLength(2);
  });

  test('A flood of findings is counted and not kept', async () => {
    const draft = draftOf(shortStory());
    draft.files.set('links.json', Buffer.from(`[\n${'{},\n'.repeat(5000)}{}\n]\n`));
    const { findings, omitted } = (await check(await pack(draft))).verdicts.integrity;
    expect(findings.length).toBe(1000);
    expect(omitted).toBe(4001);
  });
});
