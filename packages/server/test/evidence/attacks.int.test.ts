import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/paths.js';
import { openTestService, type TestService } from '../support/service.js';
import { type Attacks, makeAttacks } from './support/attacks.js';

const FOLDER = join(ROOT, 'vectors/bundles/attacks');

let bed: TestService;
let attacks: Attacks;

beforeAll(async () => {
  bed = await openTestService('embedded');
  attacks = await makeAttacks(bed);
  if (process.env.WRITE_VECTORS === '1') write(attacks);
});
afterAll(() => bed.close());

function write({ bundles, fingerprint, kept }: Attacks): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, bytes] of bundles) writeFileSync(join(FOLDER, name), bytes);
  writeFileSync(join(FOLDER, 'fingerprint.txt'), `${fingerprint}\n`);
  writeFileSync(join(FOLDER, 'kept.checkpoint'), kept);
}

function source(name: string) {
  const bytes = attacks.bundles.get(name);
  if (bytes === undefined) throw new Error(name);
  return {
    size: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
}

/** What an auditor with the fingerprint, the kept checkpoint and maybe an earlier bundle reads. */
async function read(name: string, previous?: string): Promise<string> {
  const { fingerprint: keyFingerprint, kept: checkpoint } = attacks;
  const earlier = previous === undefined ? {} : { previous: source(previous) };
  const options = { keyFingerprint, checkpoint, ...earlier };
  const { verdicts } = await verifyBundle(source(name), options);
  const { integrity, completeness } = verdicts;
  const [first] = completeness.findings;
  return `${integrity.verdict} ${completeness.verdict} ${first?.code ?? completeness.basis}`;
}

/** The attacks of an operator who holds the database and all keys, on bundles that the service makes now. */
describe('Attacks of the operator', () => {
  it('An honest bundle is proven by the checkpoint that the auditor kept', async () => {
    expect(await read('honest.zip')).toBe('pass pass witnessed');
  });

  it.each([
    ['a.zip', undefined, 'pass fail range_edge'],
    ['k.zip', undefined, 'pass fail withheld_in_range'],
    ['b.zip', undefined, 'pass fail withheld_in_range'],
    ['b-times.zip', undefined, 'fail unproven witnessed'],
    ['b-since.zip', undefined, 'fail unproven witnessed'],
    ['d.zip', undefined, 'pass fail checkpoint_contradicts'],
    ['e.zip', undefined, 'pass fail checkpoint_contradicts'],
    ['f.zip', undefined, 'pass fail checkpoint_contradicts'],
    ['year.zip', 'a.zip', 'pass fail previous_invalid'],
    ['year.zip', 'b.zip', 'pass fail previous_invalid'],
  ] as const)(
    'The attack %s, with the earlier bundle %s, is %s',
    async (name, previous, verdict) => {
      expect(await read(name, previous)).toBe(verdict);
    },
  );
});
