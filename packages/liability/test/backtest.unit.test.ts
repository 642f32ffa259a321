import {
  christoffersenTest,
  kupiecTest,
  summariseBacktest,
} from '@decision-ledger/liability/backtest';
import { NO_DRIFT, watchDrift } from '@decision-ledger/liability/drift';
import { describe, expect, it } from 'vitest';

describe('Back-tests', () => {
  it('The test of Kupiec matches the hand calculation', () => {
    // 250 days, 6 exceptions, 1 %: 2·(244·ln(.976/.99) + 6·ln(.024/.01)) = 3.5554, p = .05935.
    const { statistic, p_value } = kupiecTest(250, 6, 0.01);
    expect(statistic).toBeCloseTo(3.5554, 3);
    expect(p_value).toBeCloseTo(0.0594, 3);
    // Without exceptions it is −2·n·ln(1 − p): 255 × 0.0100503 × 2 = 5.1257.
    expect(kupiecTest(255, 0, 0.01).statistic).toBeCloseTo(5.1257, 3);
    expect(kupiecTest(20, 1, 0.05).statistic).toBe(0);
  });

  it('The test of Christoffersen matches the hand calculation', () => {
    // 0→0: 4, 0→1: 1, 1→0: 1, 1→1: 3. Apart: 4ln.8 + ln.2 + ln.25 + 3ln.75 = −4.7514; pooled 4/9:
    // 4ln(4/9) + 5ln(5/9) = −6.1827; twice the difference is 2.8625.
    const hits = [0, 0, 0, 0, 0, 1, 1, 1, 1, 0].map((hit) => hit === 1);
    expect(christoffersenTest(hits).statistic).toBeCloseTo(2.8625, 3);
  });

  it('No verdict is given below 24 months', () => {
    const calm = { realised: 10, low90: 5, high90: 20, var95: 20 };
    const bad = { ...calm, realised: 30 };
    const years = (count: number, every: number) =>
      Array.from({ length: count }, (_, n) => (n % every === every - 1 ? bad : calm));
    expect(summariseBacktest(years(23, 20))).toMatchObject({
      kupiec: null,
      verdict: 'too_few_periods',
    });
    expect(summariseBacktest(years(40, 20))).toMatchObject({
      exceptions: 2,
      verdict: 'consistent',
    });
    expect(summariseBacktest(years(40, 4))).toMatchObject({ exceptions: 10, verdict: 'too_low' });
    expect(summariseBacktest([])).toMatchObject({ coverage: null, verdict: 'too_few_periods' });
  });
});

describe('Drift', () => {
  it('A loss rate as expected raises no alarm in a thousand nights', () => {
    let state = NO_DRIFT;
    for (let night = 1; night <= 1000; night += 1) {
      const step = watchDrift(state, { decisions: night * 100, losses: night }, 0.01);
      expect(step.drift).toBeNull();
      state = step.state;
    }
  });

  it('A rate five times as high is found within ten losses, with what moved', () => {
    const before = { ...NO_DRIFT, decisions: 1000, losses: 10 };
    const { drift, state } = watchDrift(before, { decisions: 1200, losses: 20 + 2 }, 0.01);
    // 12 × ln 2 − 2 = 6.318, above 6.
    expect(drift).toEqual({ direction: 'up', since: { decisions: 200, losses: 12, expected: 2 } });
    expect(state).toMatchObject({ up: 0, decisions: 1200, losses: 22 });
  });

  it('A rate that falls to nothing is found too', () => {
    // −0 + 13 × ½ = 6.5, above 6.
    const { drift } = watchDrift(NO_DRIFT, { decisions: 1300, losses: 0 }, 0.01);
    expect(drift?.direction).toBe('down');
  });

  it('The first night only sets the starting point', () => {
    const { drift, state } = watchDrift(null, { decisions: 500, losses: 400 }, 0.01);
    expect([drift, state.up, state.losses]).toEqual([null, 0, 400]);
  });
});
