import { TestLedger } from '@decision-ledger/client/testing';
import { expect, it } from 'vitest';
import { decision } from './support/decisions.js';

const large = (unit: string) => ({ text: unit.repeat(300_000) });

it('A ledger in memory keeps what is too large for a request', async () => {
  const ledger = new TestLedger();
  ledger.record({ ...decision(), inputs: large('a'), outputs: large('é') });
  const { seq } = await ledger.recordNow({ ...decision(), inputs: large('b') });
  await ledger.flush();
  expect(seq).toBe(1);
  expect(ledger.recorded.map(({ inputs }) => inputs)).toEqual([large('b'), large('a')]);
  expect(ledger.recorded[1]?.outputs).toEqual(large('é'));
});

it('Alternatives and members of the metadata that are too large leave digest and head', async () => {
  const ledger = new TestLedger();
  const alternatives = [{ a: 1 }, large('a')];
  const metadata = { note: large('n'), order: 'A-1', degraded: ['/inputs/odd'] };
  ledger.record({ ...decision(), alternatives, metadata, inputs: { odd: 2n ** 64n } });
  await ledger.flush();
  const omitted = { $degraded: 'too_large', sha256: expect.any(String), head: expect.any(String) };
  expect(ledger.recorded[0]).toMatchObject({
    alternatives: [{ ...omitted, size: JSON.stringify(alternatives).length }],
    metadata: {
      ...{ note: { ...omitted, size: 300_011 }, order: 'A-1', '[degraded]': ['/inputs/odd'] },
      degraded: ['/alternatives/0', '/inputs/odd', '/metadata/note'],
    },
  });
});
