import { FEATURES } from '@decision-ledger/contract/attribution-signals';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, partsOf, sharedTerms } from '#dashboard/components/shared-terms.ts';
import { applied, type Step, type Today } from '#dashboard/pages/review/answers.ts';
import { nameOfEvidence, probabilityOf, stepsOf } from '#dashboard/pages/review/evidence-steps.ts';
import { nextOf } from '#dashboard/pages/review/next.ts';

const line = (text: string) => ({ name: 'any', text });

function shownAsShared(text: string, other: string): string[] {
  const shared = sharedTerms([line(text)], [line(other)]);
  return partsOf(text, shared).flatMap((part) => (part.isShared ? [part.text] : []));
}

describe('What an event and a decision share', () => {
  it.each([
    ['Refund of order A-1041', 'A-1041', ['A-1041']],
    ['-49.00', '49', ['-49.00']],
    ['0012.50', '12.5', ['0012.50']],
    ['C-7', 'c-7', ['C-7']],
    ['damaged', 'damaged', ['damaged']],
    ['the order is late', 'the order is damaged', []],
    ['true', 'true', []],
    ['7', '7', []],
    ['order A-1041', 'order A-10411', []],
  ])('Of "%s" and "%s", it is %j', (text, other, expected) => {
    expect(shownAsShared(text, other)).toEqual(expected);
  });

  it('The pieces of a text are the text, for any texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, other) => {
        const shared = sharedTerms([line(text)], [line(`${other} ${text}`)]);
        const parts = partsOf(text, shared);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        let start = 0;
        for (const part of parts) {
          expect(part.start).toBe(start);
          start += part.text.length;
        }
      }),
    );
  });

  it('Each value of a payload has its path', () => {
    const payload = { order: 'A-1', items: [{ sku: 'x' }, null], paid: false };
    expect(linesOf(payload, 'inputs')).toEqual([
      { name: 'inputs.order', text: 'A-1' },
      { name: 'inputs.items.0.sku', text: 'x' },
      { name: 'inputs.items.1', text: 'null' },
      { name: 'inputs.paid', text: 'false' },
    ]);
  });

  it('Of a payload that is large or deep, only a part is shown', () => {
    let deep: unknown = 'end';
    for (let n = 0; n < 10_000; n += 1) deep = { deep };
    expect(linesOf(deep, 'inputs')).toHaveLength(1);
    expect(linesOf(Array.from({ length: 5000 }, String), 'inputs')).toHaveLength(80);
    expect(linesOf('x'.repeat(10_000), 'inputs')[0]?.text).toHaveLength(401);
  });
});

describe('The evidence of a candidate', () => {
  it('Each step begins where the one before ended, and the last one is the probability', () => {
    const steps = stepsOf({ base: -2, ledger: 0, amount_equal: 3.5, time: 0.5 });
    expect(steps.map(({ before, after }) => [before, after])).toEqual([
      [0, -2],
      [-2, 1.5],
      [1.5, 2],
    ]);
    expect(probabilityOf(steps.at(-1)?.after ?? 0)).toBeCloseTo(0.8808, 4);
  });

  it('Every piece of evidence of the model has a name of its own', () => {
    const names = FEATURES.map(({ name }) => nameOfEvidence(name));
    expect(new Set(names).size).toBe(FEATURES.length);
    for (const { name } of FEATURES) expect(nameOfEvidence(name)).toMatch(/^[A-Z]/);
  });
});

describe('The next event to review', () => {
  it.each([
    [[1, 0, 1], 0, 2],
    [[1, 0, 0], 2, 0],
    [[0, 0, 0], 1, 1],
    [[], 0, 0],
  ])('Of %j, after %i, it is %i', (items, from, expected) => {
    expect(nextOf(items, from, (item) => item === 1)).toBe(expected);
  });
});

const NOTHING = { events: 0, sums: [] };

const TODAY: Today = {
  answers: [],
  decided: { own: NOTHING, all: { events: 1, sums: [{ currency: 'EUR', amount: '1.00' }] } },
  open: { reviews: 9, amount: '90.00', currency: 'EUR', unconverted: 0, is_scoring: false },
};

function stepOf(verdict: Step['verdict'], amount: string, currency = 'EUR'): Step {
  const id = `evt_${amount}`;
  return { verdict, financial_event_id: id, event_type: 'refund', amount, currency, links: [] };
}

describe('The answers of today, before the service tells of a change', () => {
  const given = [
    stepOf('cause', '-0.10'),
    stepOf('none', '0.20'),
    stepOf('cause', '5', 'USD'),
    stepOf('skipped', '100'),
    stepOf('rejected', '100'),
  ];

  it('Decided events are counted and summed by currency, exactly, and skipped ones are not open', () => {
    const shown = given.reduce((today, step) => applied(today, { step, to: 'given' }), TODAY);
    expect(shown.decided).toEqual({
      own: {
        events: 3,
        sums: [
          { currency: 'EUR', amount: '0.30' },
          { currency: 'USD', amount: '5' },
        ],
      },
      all: {
        events: 4,
        sums: [
          { currency: 'EUR', amount: '1.30' },
          { currency: 'USD', amount: '5' },
        ],
      },
    });
    expect(shown.open.reviews).toBe(5);
    expect(shown.answers[0]).toBe(given.at(-1));
  });

  it('What is given and taken back leaves nothing, and a change that the service told of is not made twice', () => {
    const shown = given.reduce((today, step) => applied(today, { step, to: 'given' }), TODAY);
    const again = given.reduce((today, step) => applied(today, { step, to: 'given' }), shown);
    expect(again).toEqual(shown);
    const back = given.reduce((today, step) => applied(today, { step, to: 'withdrawn' }), again);
    expect({ ...back, decided: { ...back.decided, all: null } }).toEqual({
      ...TODAY,
      decided: { own: NOTHING, all: null },
    });
    expect(back.decided.all).toEqual(TODAY.decided.all);
  });

  it('An event with two causes counts once', () => {
    const two = ['dec_1', 'dec_2'].map((decision_id) => ({
      ...stepOf('cause', '7.00'),
      decision_id,
    }));
    const shown = two.reduce((today, step) => applied(today, { step, to: 'given' }), TODAY);
    expect(shown.decided.own.events).toBe(1);
    expect(shown.open.reviews).toBe(8);
    const [first] = two;
    if (first === undefined) throw new Error('no step');
    expect(applied(shown, { step: first, to: 'withdrawn' }).decided.own.events).toBe(1);
  });
});
