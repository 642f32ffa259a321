import { readdirSync, readFileSync } from 'node:fs';
import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { describe, expect, test } from 'vitest';
import { outcomes } from './support/check.js';

/** The bundle, what the auditor gives besides, the four verdicts, and what completeness finds. */
interface Attack {
  readonly file: string;
  readonly about: string;
  readonly kept?: true;
  readonly unpinned?: true;
  readonly previous?: string;
  readonly verdicts: string;
  readonly completeness: readonly string[];
}

/** Written by hand: what the verifier must say about each attack of an operator with all keys. */
const ATTACKS: readonly Attack[] = [
  {
    ...{ file: 'honest.zip', about: 'an honest month, alone' },
    ...{ verdicts: 'pass consistent pass consistent', completeness: ['log_unwitnessed'] },
  },
  {
    ...{ file: 'honest.zip', about: 'an honest month, with a kept checkpoint', kept: true },
    ...{ verdicts: 'pass pass pass consistent', completeness: [] },
  },
  {
    ...{ file: 'a.zip', about: 'A: the first 2 and last 3 of 10 decisions are left out' },
    ...{ verdicts: 'pass fail pass consistent', completeness: ['range_edge'] },
  },
  {
    ...{ file: 'k.zip', about: 'K: all 10, the loss and its link are denied' },
    verdicts: 'pass fail pass consistent',
    completeness: ['withheld_in_range', 'withheld_in_range', 'range_edge'],
  },
  {
    ...{ file: 'year.zip', about: 'A2: an honest year after a trimmed month' },
    ...{ previous: 'a.zip', verdicts: 'pass fail pass consistent' },
    completeness: ['previous_invalid'],
  },
  {
    ...{ file: 'b.zip', about: 'B: a loss and its link are withheld' },
    verdicts: 'pass fail pass consistent',
    completeness: ['withheld_in_range', 'withheld_in_range'],
  },
  {
    ...{
      file: 'b-times.zip',
      about: 'B, and the times of the loss and its link are withheld, too',
    },
    ...{ verdicts: 'fail unproven pass unproven', completeness: [] },
  },
  {
    ...{ file: 'b-since.zip', about: 'B, as if the export had begun before the loss', kept: true },
    ...{ verdicts: 'fail unproven pass unproven', completeness: [] },
  },
  {
    ...{ file: 'honest.zip', about: 'B2: an honest bundle shows what B withheld' },
    ...{ previous: 'b.zip', verdicts: 'pass fail pass consistent' },
    completeness: ['previous_invalid'],
  },
  {
    ...{ file: 'c.zip', about: 'C: the key and ledger of a stranger, unpinned', unpinned: true },
    verdicts: 'pass consistent unproven consistent',
    completeness: ['edges_unproven', 'log_unwitnessed'],
  },
  {
    ...{ file: 'c.zip', about: 'C, pinned and with the kept checkpoint', kept: true },
    ...{ verdicts: 'pass fail fail consistent', completeness: ['checkpoint_other_log'] },
  },
  ...[
    ['d.zip', 'D: history written again with the same keys'],
    ['e.zip', 'E: another activity chain for the same decisions'],
    ['f.zip', 'F: the end of the activity chain is cut off'],
  ].map(([file = '', about = '']) => ({
    ...{ file, about, kept: true as const },
    ...{ verdicts: 'pass fail pass consistent', completeness: ['checkpoint_contradicts'] },
  })),
  ...['d.zip', 'e.zip', 'f.zip'].map((file) => ({
    ...{ file, about: 'a rewritten history, without a kept checkpoint' },
    ...{ verdicts: 'pass consistent pass consistent', completeness: ['log_unwitnessed'] },
  })),
];

describe('Pinned bundles of attacks', () => {
  const at = new URL('../../../vectors/bundles/attacks/', import.meta.url);
  const read = (name: string) => readFileSync(new URL(name, at));

  test.each(ATTACKS)('The bundle $file gets its verdicts: $about', async (attack) => {
    const keyFingerprint = String(read('fingerprint.txt')).trim();
    const report = await verifyBundle(memorySource(read(attack.file)), {
      ...(attack.unpinned !== true && { keyFingerprint }),
      ...(attack.kept === true && { checkpoint: String(read('kept.checkpoint')) }),
      ...(attack.previous !== undefined && { previous: memorySource(read(attack.previous)) }),
    });
    expect(outcomes(report)).toBe(attack.verdicts);
    const found = report.verdicts.completeness.findings.map(({ code }) => code);
    expect(found).toEqual(attack.completeness);
  });

  test('Every pinned attack is checked', () => {
    const files = readdirSync(at).filter((name) => name.endsWith('.zip'));
    const used = ATTACKS.flatMap(({ file, previous }) => (previous ? [file, previous] : [file]));
    expect(files.sort()).toEqual([...new Set(used)].sort());
  });
});
