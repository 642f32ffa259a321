import { ExperimentPage } from '@decision-ledger/contract/experiment';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf, errorOf, expectRefusal } from '../support/client.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';
import { type Assigned, analyse, DECIDED, record, twoArms } from './support/experiment-ledger.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

const list = async (client: Client, query = '') =>
  dataOf(await client.get(`/analytics/experiments${query}`), ExperimentPage);

const erase = (client: Client, id: string) =>
  client.post(`/decisions/${id}/erase`, { fields: ['metadata'], reason: 'request 1' });

describe('Comparison of the arms', () => {
  it('The difference, its interval and the detectable effect equal those worked out by hand', async () => {
    const { live } = await bed.organisation();
    await record(bed, live, twoArms());
    const { arms, differences, sample_ratio, ...rest } = await analyse(live);
    expect(rest).toEqual({
      ...{ experiment_id: 'pricing', status: 'comparable', reasons: [], currency: 'USD' },
      warnings: [{ code: 'few_paying_customers', message: expect.any(String) }],
      ...{ as_of: '2026-04-16T09:00:00.000Z', horizon_days: 30, comparison: 'control' },
      ...{ labels: ['confirmed', 'matched'], customer_key: 'customer_id', unconverted: [] },
      ...{ estimator: 'hajek', covariates: [], decisions: 40, matured: 40, ignored: 0 },
      without_customer: 0,
    });
    const [bold, control] = arms;
    expect(bold).toMatchObject({ arm: 'bold', decisions: 20, customers: 20, net: '800.00' });
    expect(bold?.mean?.value).toBe('40.000000');
    expect(control).toMatchObject({ arm: 'control', decisions: 20, net: '300.00' });
    expect(control?.mean?.value).toBe('15.000000');
    // √(500 ÷ 19 ÷ 20 + 2000 ÷ 19 ÷ 20) = 2.564946; t(0.975, 19) = 2.0930241; t(0.8, 19) = 0.860951.
    const interval = { value: '25.000000', low: '19.631507', high: '30.368493' };
    expect(differences).toHaveLength(1);
    const [{ without_covariates, minimum_detectable, ...difference } = {}] = differences;
    expect(difference).toEqual({
      ...{ arm: 'bold', ...interval, standard_error: '2.564946', degrees_of_freedom: 19 },
      measured: { net: '500.00', low: '392.63', high: '607.37' },
    });
    expect(without_covariates).toEqual(interval);
    expect(Number(minimum_detectable)).toBeCloseTo(2.564946 * (2.093024 + 0.860951), 4);
    expect(sample_ratio).toMatchObject({ statistic: 0, p_value: 1, is_suspicious: false });
  });

  it('What the ledger knew before the first assignment narrows the interval', async () => {
    const { live } = await bed.organisation();
    const customers = Array.from({ length: 80 }, (_, n) => n);
    const amountOf = (n: number) => 20 + ((n * 37) % 80);
    const before = customers.map(
      (n): Assigned => ({
        ...{ arm: 'none', customer: `c${n}`, amount: `${amountOf(n)}.00` },
        decision: { timestamp: '2026-01-10T10:00:00.000Z', metadata: { customer_id: `c${n}` } },
        at: '2026-01-12T10:00:00.000Z',
      }),
    );
    await record(bed, live, before);
    const assigned = customers.map(
      (n): Assigned => ({
        arm: n % 2 === 1 ? 'bold' : 'control',
        customer: `c${n}`,
        amount: `${amountOf(n) + (n % 2 === 1 ? 5 : 0) + (n % 3)}.00`,
      }),
    );
    await record(bed, live, assigned);
    const adjusted = await analyse(live);
    expect(adjusted).toMatchObject({ estimator: 'aipw', covariates: ['prior_net'] });
    const [own] = adjusted.differences;
    const width = (of?: { low: string; high: string }) => Number(of?.high) - Number(of?.low);
    expect(width(own)).toBeLessThan(width(own?.without_covariates) / 4);
    expect(Number(own?.low)).toBeLessThan(5);
    expect(Number(own?.high)).toBeGreaterThan(5);
    const plain = await analyse(live, '?covariates=none');
    expect(plain).toMatchObject({ estimator: 'hajek', covariates: [] });
    expect(plain.differences[0]).toMatchObject(own?.without_covariates ?? {});
    // The history ends before these decisions.
    const short = await analyse(live, '?history_days=5');
    expect(short.estimator).toBe('hajek');
  });

  it('Only money within the horizon counts, and a day without a time lies within its day', async () => {
    const { live } = await bed.organisation();
    const at = (time: string, amount: string): Assigned => ({
      ...{ arm: 'edge', customer: null, amount, at: time },
    });
    await record(bed, live, [
      ...twoArms(),
      at('2026-02-01T09:59:59.999Z', '100.00'),
      at('2026-02-01T10:00:00.000Z', '2.00'),
      at('2026-02-01T00:00:00.000Z', '4.00'),
      at('2026-01-31T00:00:00.000Z', '100.00'),
      at('2026-02-08T09:59:59.999Z', '8.00'),
      at('2026-02-08T10:00:00.000Z', '100.00'),
    ]);
    const { arms } = await analyse(live, '?horizon_days=7');
    expect(arms.map(({ arm, net }) => [arm, net])).toEqual([
      ['bold', '800.00'],
      ['control', '300.00'],
      ['edge', '14.00'],
    ]);
    const longer = await analyse(live, '?horizon_days=8');
    expect(longer.arms[2]?.net).toBe('114.00');
  });

  it('A decision counts once its horizon has passed', async () => {
    const { live } = await bed.organisation();
    await record(bed, live, twoArms());
    const matured = async (query: string) => (await analyse(live, query)).matured;
    expect(await matured('?horizon_days=7&as_of=2026-02-08T10:00:00.000Z')).toBe(40);
    expect(await matured('?horizon_days=7&as_of=2026-02-08T09:59:59.999Z')).toBe(0);
    expect(await matured('?horizon_days=73')).toBe(40);
    expect(await matured('?horizon_days=74')).toBe(0);
  });

  it('Amounts are converted by their day, and those without a rate are reported and excluded', async () => {
    const { live } = await bed.organisation();
    const rate = { from: 'EUR', to: 'USD', date: '2026-02-02', rate: '2' };
    await live.patch('/settings', { exchange_rates: [rate] });
    const foreign = (currency: string, at: string): Assigned => ({
      ...{ arm: 'control', customer: 'abroad', amount: '7.00', currency, at },
    });
    await record(bed, live, [
      ...twoArms(),
      foreign('EUR', '2026-02-02T00:00:01.000Z'),
      foreign('EUR', '2026-02-01T23:59:59.000Z'),
      foreign('GBP', '2026-02-03T00:00:01.000Z'),
    ]);
    const { arms, unconverted, warnings } = await analyse(live);
    expect(arms[1]).toMatchObject({ arm: 'control', net: '314.00', decisions: 23, customers: 21 });
    expect(unconverted).toEqual([
      { arm: 'control', currency: 'EUR', amount: '7.00' },
      { arm: 'control', currency: 'GBP', amount: '7.00' },
    ]);
    expect(warnings.map(({ code }) => code)).toContain('amounts_unconverted');
  });

  it('A saving in one arm alone is told, and can be left out', async () => {
    const { live } = await bed.organisation();
    const claim = { arm: 'bold', customer: 'c1', amount: '1000.00' };
    await record(bed, live, [...twoArms(), { ...claim, linkType: 'saving' }]);
    const withClaim = await analyse(live);
    expect(withClaim.arms[0]).toMatchObject({ net: '1800.00', claimed_savings: '1000.00' });
    expect(withClaim.warnings.map(({ code }) => code)).toContain('savings_in_one_arm');
    const without = await analyse(live, '?savings=exclude');
    expect(without.arms[0]).toMatchObject({ net: '800.00', claimed_savings: '1000.00' });
    expect(without.warnings.map(({ code }) => code)).not.toContain('savings_in_one_arm');
  });

  it('An analysis follows every change immediately', async () => {
    const { live } = await bed.organisation();
    const ids = await record(bed, live, twoArms());
    expect((await analyse(live)).arms[1]?.net).toBe('300.00');
    const { id } = await recordEvent(live, {
      amount: '5.00',
      timestamp: '2026-02-03T10:00:00.000Z',
    });
    const made = await live.post('/links', link(ids[2] ?? '', id, { correlation_strength: 1 }));
    expect(made.status).toBe(201);
    expect((await analyse(live)).arms[1]?.net).toBe('305.00');
    await live.patch('/settings', { base_currency: 'EUR' });
    expect((await analyse(live)).arms[1]?.net).toBe('0.00');
    await live.patch('/settings', { base_currency: 'USD' });
    await erase(live, ids[0] ?? '');
    const after = await analyse(live);
    expect(after.reasons.map(({ code }) => code)).toEqual([
      'too_few_decisions',
      'too_few_customers',
    ]);
    expect(after.arms[1]).toMatchObject({ decisions: 19, net: '295.00' });
    // Decisions are not in the chain of activity.
    const next = { arm: 'control', customer: 'c99', amount: null };
    await record(bed, live, [next]);
    expect((await analyse(live)).arms[1]).toMatchObject({ decisions: 20, net: '295.00' });
  });

  it('Money counts by the labels that are asked for', async () => {
    const { live } = await bed.organisation();
    const suggest = (suggested: 'matched' | 'guessed', amount: string): Assigned => ({
      ...{ arm: 'control', customer: 'c0', amount, suggested },
    });
    await record(bed, live, [...twoArms(), suggest('matched', '4.00'), suggest('guessed', '8.00')]);
    const net = async (query: string) => (await analyse(live, query)).arms[1]?.net;
    expect(await net('')).toBe('304.00');
    expect(await net('?labels=confirmed')).toBe('300.00');
    expect(await net('?labels=guessed,confirmed')).toBe('308.00');
    expect(await net('?labels=guessed')).toBe('8.00');
  });
});

describe('Customers', () => {
  it('The settings name the member of the metadata that names the customer', async () => {
    const { live } = await bed.organisation();
    const all = twoArms().map((one, n) => ({
      ...one,
      decision: {
        metadata: {
          experiment: { id: 'pricing', arm: one.arm, propensity: 0.5 },
          account: n < 30 ? n % 10 : { not: 'a name' },
        },
      },
    }));
    await record(bed, live, all);
    const count = async (query = '') => {
      const { arms, without_customer } = await analyse(live, query);
      return [without_customer, ...arms.map(({ customers }) => customers)];
    };
    expect(await count()).toEqual([40, 20, 20]);
    // Five accounts in each arm, and ten decisions without one.
    expect(await count('?customer_key=account')).toEqual([10, 10, 10]);
    await live.patch('/settings', { analytics: { customer_key: 'account' } });
    expect(await count()).toEqual([10, 10, 10]);
  });
});

describe('Refusals', () => {
  const codes = async (client: Client, query = '') =>
    (await analyse(client, query)).reasons.map(({ code }) => code);

  it('Without the comparison arm nothing is compared', async () => {
    const { live } = await bed.organisation();
    await record(bed, live, twoArms());
    const refused = await analyse(live, '?comparison=nobody');
    expect(refused).toMatchObject({ status: 'not_comparable', estimator: null, differences: [] });
    expect(refused.arms.map(({ net, mean }) => [net, mean])).toEqual([
      ['800.00', null],
      ['300.00', null],
    ]);
    expect(await codes(live, '?comparison=nobody')).toEqual(['no_comparison_arm']);
    expect(await codes(live, '?comparison=bold')).toEqual([]);
  });

  it('An arm with too few decisions or customers is not compared', async () => {
    const { live } = await bed.organisation();
    const all = twoArms();
    await record(bed, live, all.slice(0, 38));
    expect(await codes(live)).toEqual(['too_few_decisions', 'too_few_customers']);
    await record(bed, live, [
      { arm: 'bold', customer: 'c1', amount: '1.00' },
      { arm: 'control', customer: 'c0', amount: '1.00' },
    ]);
    expect(await codes(live)).toEqual(['too_few_customers']);
  });

  it('Propensities that are missing or cannot be right are refused', async () => {
    const { live } = await bed.organisation();
    await record(
      bed,
      live,
      twoArms().map((one) => ({ ...one, propensity: 1 })),
    );
    expect(await codes(live)).toEqual(['propensities_inconsistent']);
    const other = (await bed.organisation()).live;
    const unmarked = { experiment: { id: 'pricing', arm: 'bold' }, customer_id: 'c99' };
    const none = { arm: 'bold', customer: 'c99', amount: null, decision: { metadata: unmarked } };
    await record(bed, other, [...twoArms(), none]);
    expect(await codes(other)).toEqual(['propensities_missing']);
  });

  it('A single arm and an experiment without money are not compared', async () => {
    const { live } = await bed.organisation();
    await record(
      bed,
      live,
      twoArms().map((one) => ({ ...one, arm: 'control', amount: null })),
    );
    expect(await codes(live)).toEqual(['single_arm', 'too_little_money']);
  });

  it('More arms than can be compared are refused', async () => {
    const { live } = await bed.organisation();
    await record(
      bed,
      live,
      twoArms().map((one, n) => ({ ...one, arm: `arm ${n % 11}` })),
    );
    const refused = await analyse(live);
    expect(refused.reasons.map(({ code }) => code)).toEqual(['too_many_arms']);
    expect(refused.arms).toEqual([]);
  });

  it('A parameter that is not valid is refused with its name', async () => {
    const { live } = await bed.organisation();
    await record(bed, live, twoArms());
    for (const [query, field] of [
      ['horizon_days=0', 'horizon_days'],
      ['as_of=2026-04-16T09:30:00.001Z', 'as_of'],
      ['as_of=yesterday', 'as_of'],
      ['labels=sure', 'labels'],
      ['labels=', 'labels'],
      ['covariates=none,prior_net', 'covariates'],
      ['covariates=age', 'covariates'],
      ['comparison=', 'comparison'],
      ['savings=some', 'savings'],
      ['more=1', 'more'],
    ]) {
      const answer = await live.get(`/analytics/experiments/pricing?${query}`);
      expectRefusal(answer, 'validation_error', field ?? '');
    }
  });
});

describe('Marks', () => {
  it('A mark that is not valid refuses no decision and is counted', async () => {
    const { live } = await bed.organisation();
    const marks = [
      { id: 'pricing', arm: '', propensity: 0.5 },
      { id: 'pricing', arm: 7, propensity: 0.5 },
      { id: 'pricing', arm: 'a'.repeat(201), propensity: 0.5 },
      { id: 'pricing', arm: 'bold', propensity: 0 },
      { id: 'pricing', arm: 'bold', propensity: 1.01 },
      { id: 'pricing', arm: 'bold', propensity: '0.5' },
      ...[{ id: '', arm: 'bold' }, { arm: 'bold' }, 'pricing', ['pricing'], null, 7],
    ];
    await record(
      bed,
      live,
      marks.map((experiment) => ({
        ...{ arm: '', customer: null, amount: null, decision: { metadata: { experiment } } },
      })),
    );
    const page = await list(live);
    expect(page.unreadable).toBe(6);
    expect(page.experiments).toMatchObject([
      { experiment_id: 'pricing', decisions: 0, ignored: 6, arm_count: 0, arms: [] },
    ]);
    expect(await analyse(live)).toMatchObject({ decisions: 0, ignored: 6 });
    await record(bed, live, twoArms());
    const { reasons, warnings } = await analyse(live);
    expect(reasons.map(({ code }) => code)).toEqual(['too_many_ignored']);
    expect(warnings.map(({ code }) => code)).toContain('assignments_ignored');
  });

  it('The list pages through experiments by identifier', async () => {
    const { live } = await bed.organisation();
    const names = ['b', 'a b/c?', 'ä', 'a'];
    const all = names.flatMap((id) =>
      ['x', 'y', 'x'].map(
        (arm): Assigned => ({
          ...{ arm, customer: null, amount: null },
          decision: { metadata: { experiment: { id, arm, propensity: 0.5 } } },
        }),
      ),
    );
    await record(bed, live, all);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(live, `?limit=3${cursor}`);
      for (const { experiment_id, arms, decisions, first_at } of page.experiments) {
        seen.push(experiment_id);
        expect({ arms, decisions, first_at }).toEqual({
          arms: [
            { arm: 'x', decisions: 2 },
            { arm: 'y', decisions: 1 },
          ],
          decisions: 3,
          first_at: DECIDED,
        });
      }
      cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
    } while (cursor !== '');
    expect(seen).toEqual(['a', 'a b/c?', 'b', 'ä']);
    const id = encodeURIComponent('a b/c?');
    expect((await analyse(live, '', id)).experiment_id).toBe('a b/c?');
  });

  it('Erased metadata takes the assignment with it', async () => {
    const { live } = await bed.organisation();
    const ids = await record(bed, live, twoArms().slice(0, 2));
    for (const id of ids) expect((await erase(live, id)).status).toBe(200);
    expect(await list(live)).toMatchObject({ experiments: [], unreadable: 0 });
    expectRefusal(await live.get('/analytics/experiments/pricing'), 'not_found');
  });

  it('An experiment of another organisation, or of the other mode, does not exist', async () => {
    const { live, test } = await bed.organisation();
    const other = await bed.organisation();
    await record(bed, live, twoArms());
    await record(bed, other.live, twoArms().slice(0, 3));
    for (const stranger of [test, other.test]) {
      const answer = await stranger.get('/analytics/experiments/pricing');
      expect(errorOf(answer).code).toBe('not_found');
      expect((await list(stranger)).experiments).toEqual([]);
    }
    expect((await analyse(other.live)).decisions).toBe(3);
    expect((await analyse(live)).decisions).toBe(40);
  });
});
