import { type FetchRequest, Ledger } from '@decision-ledger/client';
import { TestLedger, TestService } from '@decision-ledger/client/testing';
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

/** A ledger before which something answers instead of it, and what it records. */
async function behind(answers: (request: FetchRequest, url: string) => object | null) {
  const service = new TestService();
  const ledger = new Ledger({
    ...{ url: 'https://ledger.example.com', key: 'k', onError: () => undefined },
    fetch(url, request) {
      const answer = answers(request, url);
      if (answer === null) return service.fetch(url, request);
      const text = () => Promise.resolve(JSON.stringify(answer));
      const arrayBuffer = () => Promise.resolve(new ArrayBuffer(0));
      const status = Number(Reflect.get(answer, 'status'));
      return Promise.resolve({ status, headers: { get: () => null }, text, arrayBuffer });
    },
  });
  ledger.record({ ...decision(), outputs: large('a') });
  expect(await ledger.flush()).toMatchObject({ accepted: 1, failed: 0 });
  return service.recorded.map(({ outputs }) => outputs);
}

it('An upload that is refused for a while refuses no decision', async () => {
  let refusals = 0;
  const recorded = await behind(({ method }, url) => {
    if (method !== 'POST' || !url.endsWith('/uploads') || refusals === 2) return null;
    refusals += 1;
    return { status: 409, error: { code: 'conflict', message: 'elsewhere' } };
  });
  expect(recorded).toEqual([large('a')]);
});

it('What a proxy lets nobody upload leaves digest and head', async () => {
  const recorded = await behind(({ method }) => (method === 'PATCH' ? { status: 413 } : null));
  expect(recorded).toMatchObject([{ $degraded: 'too_large', size: 300_011 }]);
});
