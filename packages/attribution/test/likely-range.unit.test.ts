import { likelyRange, type UnnamedMoney } from '@decision-ledger/attribution/likely-range';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../proof/test/support/seeded.js';

const UNREVIEWED = new Map<string, number>();

/** Equal amounts of one type. */
const equal = (eventType: string, count: number, amount: number, chance: number): UnnamedMoney => ({
  ...{ eventType, chance, squares: count * amount ** 2 },
  ...{ gains: Math.max(0, count * amount), losses: Math.min(0, count * amount) },
});

describe('The range of money whose cause nobody has named', () => {
  it('It has the quantiles of simulated ledgers whose probabilities are wrong together', () => {
    const events = [
      { eventType: 'payment', count: 40, amount: 25, chance: 0.9 },
      { eventType: 'payment', count: 300, amount: 3, chance: 0.4 },
      { eventType: 'refund', count: 60, amount: -18, chance: 0.7 },
      { eventType: 'chargeback', count: 4, amount: -400, chance: 0.2 },
    ];
    const answers = new Map([['payment', 90]]);
    const money = events.map(({ eventType, count, amount, chance }) =>
      equal(eventType, count, amount, chance),
    );
    const { low, high } = likelyRange(money, answers);
    const random = seeded(7);
    const sums = Array.from({ length: 6000 }, () => simulate(events, answers, random)).sort(
      (a, b) => a - b,
    );
    const below = (value: number) => sums.filter((sum) => sum < value).length / sums.length;
    expect(Math.abs(below(low) - 0.05)).toBeLessThan(0.025);
    expect(Math.abs(below(high) - 0.95)).toBeLessThan(0.025);
  });

  it('Many events of one type are no more certain than the type, and many types are', () => {
    const width = (money: readonly UnnamedMoney[]) => {
      const { low, high } = likelyRange(money, UNREVIEWED);
      return (high - low) / money.reduce((sum, { gains }) => sum + gains, 0);
    };
    const few = width([equal('payment', 100, 10, 0.5)]);
    const many = width([equal('payment', 100_000, 10, 0.5)]);
    expect(many).toBeGreaterThan(0.95 * few);
    const types = Array.from({ length: 30 }, (_none, at) => equal(`type ${at}`, 100, 10, 0.5));
    expect(width(types)).toBeLessThan(0.75 * few);
  });

  it('Answers about a type narrow it, and never to nothing', () => {
    const money = [equal('payment', 1000, 10, 0.8), equal('refund', 1000, -4, 0.8)];
    const widths = [0, 60, 600, 6000].map((count) => {
      const { low, high } = likelyRange(money, new Map([['payment', count]]));
      return high - low;
    });
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
    expect(widths.at(-1)).toBeGreaterThan(0);
  });

  it('A model that is certain is not believed to be so, in both directions', () => {
    for (const chance of [0, 1]) {
      const { low, high } = likelyRange([equal('payment', 50, 10, chance)], UNREVIEWED);
      expect(high - low).toBeGreaterThan(10);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(500);
    }
  });

  it('Money of both signs is mirrored, and no money has no range', () => {
    const { low, high } = likelyRange([equal('payment', 50, 10, 0.3)], UNREVIEWED);
    const mirrored = likelyRange([equal('payment', 50, -10, 0.3)], UNREVIEWED);
    expect(mirrored.low).toBeCloseTo(-high, 6);
    expect(mirrored.high).toBeCloseTo(-low, 6);
    expect(likelyRange([], UNREVIEWED)).toEqual({ low: 0, high: 0 });
  });
});

interface Simulated {
  readonly eventType: string;
  readonly count: number;
  readonly amount: number;
  readonly chance: number;
}

/** One ledger: a shared error, one of each type, then each event by itself. */
function simulate(
  events: readonly Simulated[],
  answers: ReadonlyMap<string, number>,
  random: () => number,
): number {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const all = [...answers.values()].reduce((sum, count) => sum + count, 0);
  const shared = (normal() * 0.6) / Math.sqrt(1 + all / 180);
  const own = new Map<string, number>();
  for (const { eventType } of events) {
    if (own.has(eventType)) continue;
    own.set(eventType, (normal() * 1.2) / Math.sqrt(1 + (answers.get(eventType) ?? 0) / 180));
  }
  let sum = 0;
  for (const { eventType, count, amount, chance } of events) {
    const odds = Math.log(chance / (1 - chance)) + shared + (own.get(eventType) ?? 0);
    const moved = 1 / (1 + Math.exp(-odds));
    for (let at = 0; at < count; at += 1) if (random() < moved) sum += amount;
  }
  return sum;
}
