import { Ledger } from '@decision-ledger/client';
import { TestLedger, TestService } from '@decision-ledger/client/testing';
import { describe, expect, it } from 'vitest';
import { decision } from './support/decisions.js';

const START = { agent_id: 'router', action_type: 'route', inputs: { ticket: 7 } };
const MADE = { outputs: { team: 'billing' }, confidence: 0.8 };

describe('withDecision', () => {
  it('The decision is recorded when the function has ended, and its result is returned', async () => {
    const ledger = new TestLedger();
    const result = await ledger.withDecision({ ...START, metadata: { a: 1 } }, async (draft) => {
      draft.decide({ ...MADE, metadata: { b: 2 } });
      draft.note({ c: 3 });
      expect(ledger.stats().recorded).toBe(0);
      return 'done';
    });
    await ledger.flush();
    expect(result).toBe('done');
    expect(ledger.recorded).toMatchObject([{ ...START, ...MADE, metadata: { a: 1, b: 2, c: 3 } }]);
  });

  it('A decision that was made before an error is recorded, and the error is thrown', async () => {
    const ledger = new TestLedger();
    const work = ledger.withDecision(START, (draft) => {
      draft.decide(MADE);
      throw new Error('the tool failed');
    });
    await expect(work).rejects.toThrow('the tool failed');
    await ledger.flush();
    expect(ledger.recorded).toHaveLength(1);
  });

  it('Without a decision, nothing is invented', async () => {
    const ledger = new TestLedger();
    await ledger.withDecision(START, () => undefined);
    await ledger.flush();
    expect(ledger.recorded).toEqual([]);
  });

  it('In Node.js, code that is called within finds the decision of its own call', async () => {
    const service = new TestService();
    const options = { url: 'http://ledger.test', key: 'k', fetch: service.fetch };
    const ledger = new Ledger(options);
    const tool = async (name: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      ledger.currentDecision?.note({ tool: name });
    };
    await Promise.all(
      ['a', 'b'].map((name) =>
        ledger.withDecision(START, async (draft) => {
          await tool(name);
          draft.decide({ ...MADE, outputs: { name } });
        }),
      ),
    );
    await ledger.close();
    expect(ledger.currentDecision).toBeUndefined();
    const found = service.recorded.map(({ outputs, metadata }) => [outputs.name, metadata?.tool]);
    expect(found.sort()).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });
});

describe('Sessions', () => {
  it('The decisions of a session are numbered, so that a lost one leaves a gap', async () => {
    const ledger = new TestLedger({ maxQueued: 2, onError: () => undefined });
    const session = ledger.session('s-1');
    for (const n of [1, 2, 3]) session.record({ ...decision(n), metadata: { kept: n } });
    await ledger.flush().catch(() => null);
    session.record(decision(4));
    await ledger.flush();
    expect(session.count).toBe(4);
    expect(ledger.recorded.map(({ metadata }) => metadata)).toEqual([
      { kept: 1, session_id: 's-1', session_seq: 1 },
      { kept: 2, session_id: 's-1', session_seq: 2 },
      { session_id: 's-1', session_seq: 4 },
    ]);
  });

  it('Sessions have ids of their own, and number for themselves', () => {
    const ledger = new TestLedger();
    const [one, two] = [ledger.session(), ledger.session()];
    expect(one.id).not.toBe(two.id);
    expect([one.next().session_seq, one.next().session_seq, two.next().session_seq]).toEqual([
      1, 2, 1,
    ]);
  });

  it.for([undefined, null, 7])('Recording %s in a session does not throw', (value) => {
    const ledger = new TestLedger({ onError: () => undefined });
    const session = ledger.session();
    expect(() => Reflect.apply(session.record, session, [value])).not.toThrow();
  });
});

it('The call waitUntil hands the platform a flush that never rejects', async () => {
  const ledger = new TestLedger({ onError: () => undefined });
  ledger.record(decision(1));
  ledger.record({ ...decision(2), confidence: 4 });
  const promises: Promise<unknown>[] = [];
  ledger.waitUntil({ waitUntil: (promise) => promises.push(promise) });
  await expect(Promise.all(promises)).resolves.toEqual([undefined]);
  expect(ledger.recorded).toHaveLength(1);
});
