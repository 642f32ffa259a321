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

interface Step extends SomeDecision {
  readonly fails?: true;
}

function score(steps: readonly Step[], event = toEvent({ booking: 'BKG-7F31' })) {
  const compared = steps.map(({ fails = false, ...step }) => ({
    ...toDecision(step),
    saysItFailed: fails,
  }));
  return scoreEvent(event, compared, frequenciesOf(compared), SNAPSHOT, 1).candidates;
}

const featuresOf = (scored: ReturnType<typeof score>, id: string) =>
  scored.find(({ decisionId }) => decisionId === id)?.features ?? {};

describe('An amount that an offer states before there is a transaction', () => {
  const offer: Step = {
    id: 'offer',
    action: 'request_quote',
    hours: 9,
    metadata: { shipment: 'SHP-152281' },
    outputs: { quote_no: 'Q9460388', rate: { amount: 49.9 } },
  };
  const other: Step = {
    ...offer,
    id: 'other',
    outputs: { quote_no: 'Q9460389', rate: { amount: 61.2 } },
  };
  const acceptance: Step = {
    id: 'acceptance',
    action: 'accept_quote',
    hours: 5,
    metadata: { shipment: 'SHP-152281' },
    inputs: { quote_no: 'Q9460388' },
    outputs: { booking_no: 'BKG-7F31' },
  };

  it('Counts for the one who accepts it and names the transaction', () => {
    const scored = score([offer, other, acceptance]);
    expect(scored[0]).toMatchObject({ decisionId: 'acceptance', label: 'matched' });
    expect(featuresOf(scored, 'acceptance').amount_equal).toBeGreaterThan(0);
    expect(featuresOf(scored, 'offer').amount_equal).toBeUndefined();
  });

  it('Counts as another amount where the offer states another', () => {
    const scored = score([
      { ...other, outputs: { quote_no: 'Q9460388', rate: { amount: 61.2 } } },
      acceptance,
    ]);
    expect(featuresOf(scored, 'acceptance').amount_other).toBeGreaterThan(0);
  });

  it('Stays where the acceptance states an amount of its own, came first, failed or only reads', () => {
    const stays: readonly Partial<Step>[] = [
      { outputs: { booking_no: 'BKG-7F31', total: { amount: 55 } } },
      { hours: 10 },
      { fails: true },
      { action: 'check_quote' },
    ];
    for (const change of stays) {
      const scored = score([offer, { ...acceptance, ...change }]);
      expect(featuresOf(scored, 'offer').amount_equal).toBeGreaterThan(0);
      expect(featuresOf(scored, 'acceptance').amount_equal).toBeUndefined();
    }
  });

  it('Stays where many decisions hold what the two share', () => {
    const shared = { quote_no: 'Q9460388', shipment: 'SHP-152281' };
    const holders = Array.from(
      { length: 3 },
      (_, at): Step => ({ id: `h${at}`, hours: 8, inputs: shared }),
    );
    expect(
      featuresOf(score([offer, acceptance, ...holders]), 'acceptance').amount_equal,
    ).toBeUndefined();
  });
});

describe('An amount that a decision states which only reads', () => {
  const order = { order_id: 'BKG-7F31' };
  const reads = ['get_order', 'check_order'].map(
    (action, at): Step => ({
      id: action,
      action,
      hours: 7 - at,
      metadata: order,
      outputs: { total: { amount: 49.9 } },
    }),
  );
  const cancel: Step = { id: 'cancel', action: 'cancel_order', hours: 5, metadata: order };
  const statedBy = (steps: readonly Step[]) =>
    score(steps)
      .filter(({ features }) => features.amount_equal !== undefined)
      .map(({ decisionId }) => decisionId)
      .sort();

  it('Counts for the only one who then acts on the transaction', () => {
    expect(statedBy([...reads, cancel])).toEqual(['cancel']);
    expect(score([...reads, cancel])[0]?.decisionId).toBe('cancel');
  });

  it('Stays where several act, or the only one acted before, failed or states money', () => {
    const rebook: Step = { ...cancel, id: 'rebook', action: 'rebook', hours: 4 };
    const stays: readonly (readonly Step[])[] = [
      [cancel, rebook],
      [{ ...cancel, hours: 8 }],
      [{ ...cancel, fails: true }],
      [{ ...cancel, outputs: { fee: { amount: 5 } } }],
    ];
    for (const acting of stays) {
      expect(statedBy([...reads, ...acting])).toEqual(['check_order', 'get_order']);
    }
  });
});

describe('A case that a decision opens which only reads', () => {
  const opener: Step = {
    id: 'opener',
    action: 'triage_message',
    hours: 9,
    inputs: { text: 'My booking BKG-7F31 is wrong' },
    outputs: { ticket_id: 'T-55181', total: { amount: 49.9 } },
  };
  const refund: Step = {
    id: 'refund',
    action: 'grant_refund',
    hours: 5,
    inputs: { ticket: 'T-55181' },
  };
  const opened = (scored: ReturnType<typeof score>) =>
    featuresOf(scored, 'opener').transaction_key ?? 0;

  it('Hands the transaction over to those who act in it', () => {
    const [before, after] = [score([opener]), score([opener, refund])];
    expect(featuresOf(after, 'refund').transaction_key).toBe(opened(before));
    expect(opened(after)).toBe(opened(before) / 2);
    const stated = score([opener, { ...refund, outputs: { paid: { amount: 49.9 } } }]);
    expect(stated[0]).toMatchObject({ decisionId: 'refund', label: 'matched' });
  });

  it('Keeps it where nobody acts afterwards', () => {
    const kept: readonly Partial<Step>[] = [
      { fails: true },
      { hours: 10 },
      { action: 'check_policy' },
    ];
    for (const change of kept) {
      const scored = score([opener, { ...refund, ...change }]);
      expect(opened(scored)).toBe(opened(score([opener])));
    }
  });

  it('Keeps it where a decision that acts names the transaction itself', () => {
    const named: Step = {
      id: 'named',
      action: 'rebook',
      hours: 7,
      metadata: { booking: 'BKG-7F31' },
    };
    const [alone, scored] = [score([opener, named]), score([opener, named, refund])];
    expect(opened(scored)).toBe(opened(alone));
    expect(featuresOf(scored, 'refund').transaction_key).toBeLessThan(opened(scored));
  });

  it('Makes a match of the whole case, and none where no step of it states the amount', () => {
    const labelsOf = (steps: readonly Step[]) => score(steps).map(({ label }) => label);
    expect(labelsOf([opener, refund])).toEqual(['matched', 'matched']);
    const silent = { ...opener, outputs: { ticket_id: 'T-55181' } };
    expect(labelsOf([silent, refund])).toEqual(['guessed', 'guessed']);
  });
});

describe('The amount of the event', () => {
  const stating = (action: string): Step => ({
    id: action,
    action,
    hours: 2,
    metadata: { booking: 'BKG-7F31' },
    outputs: { total: { amount: 49.9 } },
  });
  const bits = (steps: readonly Step[], id: string, event?: ReturnType<typeof toEvent>) =>
    featuresOf(score(steps, event), id).amount_equal ?? 0;

  it('Counts half where a decision about the same thing only reads it', () => {
    const both = [stating('get_booking'), stating('release')];
    expect(bits(both, 'get_booking')).toBe(bits(both, 'release') / 2);
    expect(bits(both, 'release')).toBeGreaterThan(0);
  });

  it('Counts in full where nothing else is shared', () => {
    const event = toEvent({ note: 'thanks' });
    const both = [stating('get_booking'), stating('release')];
    expect(bits(both, 'get_booking', event)).toBe(bits(both, 'release', event));
  });
});
