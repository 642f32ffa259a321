import { describe, expect, it } from 'vitest';
import { candidatesOf } from '#attribution/candidates';
import { casesOf } from '#attribution/cases';
import { knowledgeOf } from '#attribution/knowledge';
import { cpuMs } from '../../proof/test/support/cpu-time.js';
import { seeded } from '../../proof/test/support/seeded.js';
import {
  frequenciesOf,
  priorSnapshot,
  type SomeDecision,
  toDecision,
  toEvent,
} from './support/choices.js';

const SNAPSHOT = priorSnapshot();

/** The steps of each case, by id. */
function casesIn(decisions: readonly SomeDecision[], event = toEvent({ order_id: 'SO-7003' })) {
  const compared = decisions.map(toDecision);
  const context = { event, frequencies: frequenciesOf(compared), knowledge: knowledgeOf(SNAPSHOT) };
  const { all } = candidatesOf(compared, { ...context, weights: SNAPSHOT.weights });
  const cases = casesOf(all).map((steps) =>
    [...steps].map(({ decision }) => decision.decisionId).sort(),
  );
  return cases.sort((a, b) => a.join().localeCompare(b.join()));
}

const order = (id: string, inputs: SomeDecision['inputs'] = { order_id: 'SO-7003' }) => ({
  id,
  inputs,
});

describe('The cases of an event', () => {
  it('All decisions that hold a transaction are its steps, however it is spelled', () => {
    const other = order('other', { order_id: 'SO-7004' });
    const steps = [order('quote'), order('pay', { order: 'so 7003' }), other];
    expect(casesIn(steps)).toEqual([['pay', 'quote']]);
  });

  it('A customer, and what many decisions hold, make no case', () => {
    const event = toEvent({ order_id: 'SO-7003', customer_id: 'C-55181' });
    expect(casesIn([order('a', { customer_id: 'C-55181' })], event)).toEqual([]);
    const many = Array.from({ length: 9 }, (_, at) => order(`d${at}`));
    expect(casesIn(many.slice(0, 8))).toHaveLength(1);
    expect(casesIn(many)).toEqual([]);
  });

  it('Two identifiers of one transaction make one case', () => {
    const event = toEvent({ order_id: 'SO-7003', psp_reference: 'P7TM8EYVPKN7' });
    const both = order('authorise', { order_id: 'SO-7003', psp_reference: 'P7TM8EYVPKN7' });
    expect(casesIn([both, order('ship')], event)).toEqual([['authorise', 'ship']]);
  });

  it('A batch is a step of each of its transactions, and joins none', () => {
    const event = toEvent({ text: 'Invoices SO-7003, SO-7004' });
    const batch = order('batch', { items: [{ order_id: 'SO-7003' }, { order_id: 'SO-7004' }] });
    const second = order('second', { order_id: 'SO-7004' });
    expect(casesIn([order('first'), batch, second], event)).toEqual([
      ['batch', 'first'],
      ['batch', 'second'],
    ]);
    expect(casesIn([order('first'), batch], event)).toEqual([['batch'], ['batch', 'first']]);
  });

  it('Steps of one session follow the one that names the transaction, and others do not', () => {
    const inSession = (id: string, session: string, more = {}) => ({
      id,
      metadata: { session_id: session, ...more },
    });
    const opened = inSession('opened', 'S-4471882', { order_id: 'SO-7003' });
    const steps = [opened, inSession('paid', 'S-4471882'), inSession('else', 'S-9918273')];
    expect(casesIn(steps)).toEqual([['opened', 'paid']]);
    const another = inSession('another', 'S-4471882', { order_id: 'SO-7004' });
    expect(casesIn([...steps, another])).toEqual([['opened', 'paid']]);
  });

  it('The most transactions of a batch take a short time', async () => {
    const orders = Array.from({ length: 400 }, (_, at) => `SO-${7000 + at}`);
    const batches = Array.from({ length: 8 }, (_, at) => order(`b${at}`, { orders }));
    const spent = await cpuMs(() =>
      expect(casesIn(batches, toEvent({ orders })).length).toBeGreaterThan(50),
    );
    expect(spent).toBeLessThan(5000);
  });

  it('Cases do not depend on the order of the decisions', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const next = seeded(seed);
      const some = (values: readonly string[]) => values.filter(() => next() < 0.4);
      const steps = Array.from({ length: 5 }, (_, at) =>
        order(`d${at}`, {
          orders: some(['SO-7003', 'SO-7004', 'SO-7005']),
          ...(next() < 0.5 && { shipment: `SHP-${55_181 + Math.floor(next() * 3)}` }),
          ...(next() < 0.3 && { reference: 'P7TM8EYVPKN7' }),
        }),
      );
      const event = toEvent({ orders: some(['SO-7003', 'SO-7004']), reference: 'P7TM8EYVPKN7' });
      const known = casesIn(steps, event);
      expect(casesIn(steps.toReversed(), event)).toEqual(known);
      for (const one of known) expect(new Set(one).size).toBe(one.length);
    }
  });
});
