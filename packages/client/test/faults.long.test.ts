import { expect, it } from 'vitest';
import { runWithFaults } from './support/fault-rounds.js';
import { seeded } from './support/seeded.js';

const DECISIONS = 100_000;
/** A process of Node.js alone takes about 60 MB. */
const MAX_RSS = 250 * 1024 * 1024;

it('A hundred thousand decisions are in the ledger exactly once, over a faulty network and ten kills', async () => {
  const run = await runWithFaults({ decisions: DECISIONS, kills: 10, random: seeded(7) });
  console.log({ ...run, recorded: run.recorded.length });
  const numbers = Array.from({ length: DECISIONS }, (_, index) => index + 1);
  expect(run.recorded.toSorted((a, b) => a - b)).toEqual(numbers);
  expect(run).toMatchObject({ isValid: true, problems: '', left: [] });
  expect(run.rss).toBeLessThan(MAX_RSS);
});
