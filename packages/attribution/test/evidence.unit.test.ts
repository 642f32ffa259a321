import { learnSnapshot } from '@decision-ledger/attribution/learning';
import { scoreEvent } from '@decision-ledger/attribution/score';
import { describe, expect, it } from 'vitest';
import {
  frequenciesOf,
  priorSnapshot,
  type SomeDecision,
  toDecision,
  toEvent,
} from './support/choices.js';

const SNAPSHOT = priorSnapshot();

function score(decisions: readonly SomeDecision[], event = toEvent({ order_id: 'ORD-7F31' })) {
  const compared = decisions.map(toDecision);
  return scoreEvent(event, compared, frequenciesOf(compared), SNAPSHOT, 1).candidates;
}

const featuresOf = (scored: ReturnType<typeof score>, id: string) =>
  scored.find(({ decisionId }) => decisionId === id)?.features ?? {};

describe('A statement of payments', () => {
  const paid = (...amounts: number[]) => ({
    metadata: { order_id: 'ORD-7F31' },
    outputs: { payments: amounts.map((amount) => ({ amount })) },
  });

  it('Counts less for an amount that the statement before has too', () => {
    const scored = score([
      { id: 'flight', hours: 3, ...paid(161, 49.9) },
      { id: 'baggage', hours: 2, ...paid(161, 49.9, 50) },
    ]);
    expect(featuresOf(scored, 'flight').amount_again).toBeUndefined();
    expect(featuresOf(scored, 'baggage').amount_again).toBe(1);
    expect(scored[0]?.decisionId).toBe('flight');
  });

  it('Counts in full where it adds nothing', () => {
    const scored = score([
      { id: 'quote', hours: 3, ...paid(49.9) },
      { id: 'payment', hours: 2, ...paid(49.9) },
    ]);
    expect(featuresOf(scored, 'payment').amount_again).toBeUndefined();
  });

  it('Keeps the sign, so that a refund in it is new', () => {
    const decisions = [
      { id: 'payment', hours: 3, ...paid(49.9) },
      { id: 'refund', hours: 2, ...paid(49.9, -49.9) },
    ];
    const refund = score(decisions, toEvent({ order_id: 'ORD-7F31' }, '-49.90'));
    expect(featuresOf(refund, 'refund').amount_again).toBeUndefined();
    expect(featuresOf(score(decisions), 'refund').amount_again).toBe(1);
  });

  it('Is read with its signs', () => {
    const { features } = toDecision({ id: 'd', ...paid(49.9, -49.9) });
    expect(features.amounts.map(({ isNegative }) => isNegative)).toEqual([false, true]);
  });
});

describe('A repetition', () => {
  const act = (id: string, hours: number, action = 'pay', amount = 49.9): SomeDecision => ({
    id,
    hours,
    action,
    metadata: { order_id: 'ORD-7F31' },
    outputs: { amount },
  });

  it('Within the hour is less likely the cause than the first call', () => {
    const scored = score([act('first', 5), act('again', 4.9)]);
    expect(featuresOf(scored, 'again').repetition).toBe(1);
    expect(featuresOf(scored, 'first')).toMatchObject({ latest_holder: 1 });
    expect(scored[0]?.decisionId).toBe('first');
  });

  it.for([
    ['later', act('again', 3)],
    ['with another action', act('again', 4.9, 'refund')],
    ['with another amount', act('again', 4.9, 'pay', 12)],
  ] as const)('Is none %s', ([, again]) => {
    const scored = score([act('first', 5), again]);
    expect(featuresOf(scored, 'again').repetition).toBeUndefined();
  });

  it('Of a failed call is none, and the failed one is not the latest holder', () => {
    const event = toEvent({ order_id: 'ORD-7F31' });
    const failed = { ...toDecision(act('failed', 4.9)), saysItFailed: true };
    const compared = [toDecision(act('done', 5)), failed];
    const { candidates } = scoreEvent(event, compared, frequenciesOf(compared), SNAPSHOT, 1);
    const [first, second] = candidates;
    expect(first).toMatchObject({ decisionId: 'done', features: { latest_holder: 1 } });
    expect(second?.features.repetition).toBeUndefined();
    expect(second?.share).toBeLessThan(0.1);
  });
});

describe('An identifier', () => {
  it.for([
    [{ room: '1204' }, { room_no: '1204' }, 'identifier_exact'],
    [{ room: 1204 }, { room_no: '1204' }, 'identifier_exact'],
    [{ floor: '204' }, { room_no: '204' }, 'other_values'],
    [{ card_end: '4821' }, { pan_suffix: '4821' }, 'identifier_exact'],
    [{ year: '2025' }, { season: '2025' }, 'other_values'],
    [{ mrn: '482913' }, { patient: 'MRN-000482913' }, 'identifier_digits'],
    [{ order: 'ORD-48213' }, { reference: 'ORD-48213/2' }, 'identifier_text'],
    [{ visit: '2026-01-19T09:15:00Z' }, { service_date: '01/19/2026' }, 'other_values'],
    [{ month: '2026-01' }, { purpose: 'Netting 01/2026' }, 'other_values'],
    [
      { resource: 'arn:eks:1427:nodegroup/auth-ldbgh' },
      { resource_id: 'auth-ldbgh' },
      'identifier_text',
    ],
  ] as const)('%j is shared with %j as %s', ([metadata, stated, feature]) => {
    const [first] = score([{ id: 'd', metadata }], toEvent(stated));
    expect(first?.features[feature]).toBeGreaterThan(0);
  });

  it('That the text of an event states among others counts in full where one decision holds all', () => {
    const event = toEvent({ text: 'Invoices RG168097, RG168105 and RG168107' });
    const bitsOf = (...invoices: string[]) =>
      score([{ id: 'd', metadata: { invoice_id: invoices } }], event)[0]?.features
        .identifier_text ?? 0;
    const [one, all] = [bitsOf('RG168097'), bitsOf('RG168097', 'RG168105', 'RG168107')];
    expect(one).toBeGreaterThan(0);
    expect(all).toBeGreaterThan(3 * one);
  });
});

it('A link by hand to a decision that was no candidate teaches its delay', () => {
  const link = {
    kind: 'manual',
    event_type: 'paid',
    day: 20_000,
    weight: 1,
    none: 'unknown',
    candidates: [{ features: {}, agent_id: 'a', action_type: 'act', hours: 300, verdict: 'cause' }],
  } as const;
  const choices = Array.from({ length: 5 }, () => link);
  const settings = SNAPSHOT.settings;
  const { pairs } = learnSnapshot({ settings, choices, observations: [], today: 20_000 });
  expect(pairs.find(({ action_type }) => action_type === 'act')?.lags).toMatchObject({
    mean: expect.closeTo(Math.log(300), 9),
    count: 15,
  });
});

describe('A decision that names only the ticket of a transaction', () => {
  const request: SomeDecision = {
    id: 'request',
    action: 'triage',
    hours: 3,
    inputs: { text: 'My order ORD-7F31 is broken', ticket_id: 'T-55181' },
  };
  const refund: SomeDecision = {
    id: 'refund',
    action: 'grant_refund',
    hours: 2,
    inputs: { ticket: 'T-55181' },
  };

  it('Is linked to it through the decision that names both', () => {
    const { identifier_linked } = featuresOf(score([request, refund]), 'refund');
    expect(identifier_linked).toBeGreaterThan(0);
    expect(featuresOf(score([refund]), 'refund').identifier_linked).toBeUndefined();
  });

  it('Is not linked through what many decisions hold', () => {
    const others = Array.from({ length: 20 }, (_, at) => ({ ...refund, id: `other${at}` }));
    const scored = score([request, refund, ...others]);
    expect(featuresOf(scored, 'refund').identifier_linked).toBeUndefined();
  });

  it('Is not linked through a customer', () => {
    const [one, other] = [request, refund].map((decision) => ({
      ...decision,
      inputs: { text: 'My order ORD-7F31', customer_id: 'C-55181' },
    }));
    const scored = score([
      one ?? request,
      { ...(other ?? refund), inputs: { customer_id: 'C-55181' } },
    ]);
    expect(featuresOf(scored, 'refund').identifier_linked).toBeUndefined();
  });

  it('Never makes a match by itself', () => {
    for (const { decisionId, label } of score([request, refund])) {
      if (decisionId === 'refund') expect(label).toBe('guessed');
    }
  });
});

describe('A stated percentage of a stated amount', () => {
  const fee = (inputs: NonNullable<SomeDecision['inputs']>) =>
    featuresOf(
      score(
        [{ id: 'fee', metadata: { order_id: 'ORD-7F31' }, inputs }],
        toEvent({ order_id: 'ORD-7F31' }, '16170.00'),
      ),
      'fee',
    );

  it('Fits the event', () => {
    expect(fee({ salary: 73500, fee_percent: 22 }).amount_sum).toBeGreaterThan(0);
    expect(fee({ salary: 73500, fee_percent: 21 }).amount_sum).toBeUndefined();
  });
});
