import { expect, it } from 'vitest';
import { runWithFaults } from './support/fault-rounds.js';
import { seeded } from './support/seeded.js';

/** The long run has a hundred thousand. */
const DECISIONS = 1000;

it('Every decision is in the ledger exactly once, over a faulty network and four kills of the client', async () => {
  const run = await runWithFaults({ decisions: DECISIONS, kills: 4, random: seeded(20260416) });
  const numbers = Array.from({ length: DECISIONS }, (_, index) => index + 1);
  expect(run.recorded.toSorted((a, b) => a - b)).toEqual(numbers);
  expect(run).toMatchObject({ isValid: true, problems: '' });
  // The faults happened, and nothing but an empty outbox is left.
  expect(run.replayed).toBeGreaterThan(0);
  expect(run.left).toEqual([]);
  expect(run.anchor).toMatchObject({ seq: DECISIONS });
});

it('Decisions older than the ledger accepts are recorded exactly once, with their time in the metadata', async () => {
  const count = 600;
  const run = await runWithFaults({
    ...{ decisions: count, kills: 2, random: seeded(18), maxLatenessSeconds: 86_400 },
  });
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  expect(run.recorded.toSorted((a, b) => a - b)).toEqual(numbers);
  expect(run).toMatchObject({ isValid: true, problems: '', dated: count, left: [] });
  expect(run.late).toBeGreaterThan(0);
});
