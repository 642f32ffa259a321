import { isDeepStrictEqual } from 'node:util';
import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { Findings } from '@decision-ledger/verifier/report/findings';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDifference } from '#verifier/archive/container';
import { openArchive } from '#verifier/archive/open';
import { isThorough, runs } from '../../proof/test/support/runs.js';
import { pack } from './support/bundle.js';
import { check, outcomes } from './support/check.js';
import { draftOf } from './support/draft.js';
import { filesIn } from './support/files-in.js';
import { fullStory, shortStory } from './support/samples.js';

/** Whether the integrity of the bundle fails if this byte is changed, or all its files are still the same. */
async function isFound(zip: Buffer, at: number, change: number): Promise<boolean> {
  const changed = Buffer.from(zip);
  changed[at] = (changed[at] ?? 0) ^ change;
  if ((await check(changed)).verdicts.integrity.verdict === 'fail') return true;
  // Some bits of compressed data mean nothing.
  return isDeepStrictEqual(await filesIn(changed), await filesIn(zip));
}

const LOCAL_HEADER_BYTES = 30;

describe('Every byte of a bundle', () => {
  const SHARES = 8;
  /** Odd, so that every bit is met. What is not in a file, the structure, has its own test, with each byte. */
  const STEP = isThorough ? 1 : 27;
  test.each(Array.from({ length: SHARES }, (_, share) => share))(
    'A changed byte of an insurance bundle is found wherever it is, in share %i',
    async (share) => {
      const zip = await pack(draftOf(shortStory(), { exportType: 'insurance' }));
      expect(outcomes(await check(zip))).toBe('pass unproven pass unproven');
      const missed: number[] = [];
      const mine = [...zip.keys()].filter((at) => at % STEP === 0 && at % SHARES === share);
      for (const at of mine) {
        if (!(await isFound(zip, at, 1 << (at % 8)))) missed.push(at);
      }
      expect(missed).toEqual([]);
    },
  );

  test.each([true, false])(
    'Each changed byte of the structure is found, with sizes after the files: %s',
    async (streamed) => {
      const zip = await pack(draftOf(fullStory()), { streamed });
      const inFiles = new Set<number>();
      const { files } = await openArchive(memorySource(zip), new Findings());
      for (const { name, offset, packedSize } of files.values()) {
        const start = offset + LOCAL_HEADER_BYTES + name.length;
        for (let i = 0; i < packedSize; i++) inFiles.add(start + i);
      }
      const missed: number[] = [];
      for (let at = 0; at < zip.length; at++) {
        if (inFiles.has(at)) continue;
        const changed = Buffer.from(zip);
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
        if (!(await isOtherContainer(changed))) missed.push(at);
      }
      expect(missed).toEqual([]);
      expect(zip.length - inFiles.size).toBeGreaterThan(1000);
    },
  );

  test('A change of any byte to any value is found, in samples', async () => {
    const zip = await pack(draftOf(fullStory()));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(zip.length - 1),
        fc.integer({ min: 1, max: 255 }),
        isFound.bind(null, zip),
      ),
      { numRuns: runs(200), seed: 7 },
    );
  });

  test('Many changes at once, mostly of the structure, give four verdicts', async () => {
    const zip = await pack(draftOf(shortStory()));
    const marks = [...zip.keys()].filter((at) => zip[at] === 0x50 && zip[at + 1] === 0x4b);
    const damage = fc.tuple(fc.constantFrom(...marks), fc.nat(60), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 12 }), async (all) => {
        const changed = Buffer.from(zip);
        for (const [mark, behind, byte] of all) {
          if (mark + behind < zip.length) changed[mark + behind] = byte;
        }
        return (await check(changed)).verdicts.integrity.verdict === 'fail';
      }),
      { numRuns: runs(200), seed: 7 },
    );
  });

  test('An added or removed byte is found', async () => {
    const zip = await pack(draftOf(shortStory()));
    await fc.assert(
      fc.asyncProperty(fc.nat(zip.length), fc.boolean(), async (at, adds) => {
        const byte = adds ? Buffer.from('x') : Buffer.alloc(0);
        const rest = zip.subarray(adds || at === zip.length ? at : at + 1);
        const changed = Buffer.concat([zip.subarray(0, at), byte, rest]);
        fc.pre(!changed.equals(zip));
        return (await check(changed)).verdicts.integrity.verdict === 'fail';
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});

/**
 * Whether the change shows in the structure alone, or in a CRC that the reader of files compares.
 */
async function isOtherContainer(zip: Buffer): Promise<boolean> {
  const findings = new Findings();
  try {
    const { files, isWhole, source } = await openArchive(memorySource(zip), findings);
    return !isWhole || (await findDifference(source, [...files.values()])) !== null;
  } catch {
    return true;
  }
}
