import { Settings } from '@decision-ledger/contract/settings';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf, errorOf, expectRefusal } from '../support/client.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';
import { ALERT_SECRET, hledger, quickbooks, rate } from '../support/settings-samples.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation();
});
afterAll(() => bed.close());

const patch = (client: Client, body: unknown) => client.patch('/settings', body);
const read = async (client: Client) => dataOf(await client.get('/settings'), Settings);

describe('Ledger settings', () => {
  it('Settings are answered as sent, with defaults filled in', async () => {
    const rates = [rate(), rate({ date: '2024-02-29' }), rate({ from: 'JPY', rate: '0.0069' })];
    const body = {
      base_currency: 'EUR',
      exchange_rates: rates,
      accounting: [hledger(), hledger({ id: 'b', accounts: ['expenses'], poll_seconds: 10 })],
      alerts: { backlog_seconds: 86_400 },
    };
    const changed = dataOf(await patch(org.live, body), Settings);
    const defaults = { poll_seconds: 300 };
    expect(changed).toMatchObject({
      base_currency: 'EUR',
      exchange_rates: rates,
      accounting: [
        { ...hledger(), ...defaults },
        { ...hledger({ id: 'b', accounts: ['expenses'] }), ...defaults, poll_seconds: 10 },
      ],
      alerts: { url: null, secret: null, backlog_seconds: 86_400 },
    });
    expect(await read(org.live)).toEqual(changed);
  });

  it('Each ledger has its own settings', async () => {
    await patch(org.live, { base_currency: 'EUR', accounting: [hledger()] });
    await patch(org.test, { base_currency: 'GBP', exchange_rates: [rate()] });
    expect(await read(org.live)).toMatchObject({ base_currency: 'EUR', exchange_rates: [] });
    expect(await read(org.test)).toMatchObject({ base_currency: 'GBP', accounting: [] });
  });

  it('Null restores the default', async () => {
    const before = await read(org.live);
    const alerts = { url: 'https://a.example/x', secret: ALERT_SECRET };
    await patch(org.live, { base_currency: 'EUR', alerts, exchange_rates: [rate()] });
    const nulls = { base_currency: null, alerts: { url: null, secret: null } };
    await patch(org.live, { ...nulls, exchange_rates: null });
    expect(await read(org.live)).toEqual(before);
  });

  it.for(['0.000000000001', '999999999999.999999999999', '1', '10.50'])(
    'The exchange rate %s is accepted',
    async (figure) => {
      const answer = await patch(org.live, { exchange_rates: [rate({ rate: figure })] });
      expect(dataOf(answer, Settings).exchange_rates).toEqual([rate({ rate: figure })]);
    },
  );

  it('A risk matrix, benchmarks and liability figures are merged into the settings', async () => {
    const liability = {
      matrix: { refund: { likelihood: 'near_certain', severity: 'critical' }, ...ODD_NAMES },
      benchmarks: { refund: benchmark({ as_of: tomorrow() }) },
      likelihoods: { rare: 1e-9, near_certain: 0.999 },
      severities: { minor: '0', critical: '999999999999999.999999999999' },
      ...{ response_cost: '12.50', exposure_alert_threshold: '250000' },
      ...{ credibility: 1, severity_credibility: 1_000_000, benchmark_floor: 0 },
      confidence: { least: 1, most: 1 },
      oversight: { human_in_loop: 0.3, reviewer: 0.3 },
      loss_horizon_days_by_action_type: { refund: 1 },
    };
    const changed = dataOf(await patch(org.live, { liability }), Settings);
    expect(changed.liability).toMatchObject({
      ...liability,
      likelihoods: { rare: 1e-9, possible: 0.01, near_certain: 0.999 },
      ...{ default_cell: { likelihood: 'possible', severity: 'moderate' }, severity_spread: 0.8 },
    });
    expect(await read(org.live)).toEqual(changed);
  });

  it('A connection of an unknown kind is refused with an error that names only its kind', async () => {
    const answer = await patch(org.live, { accounting: [hledger(), { id: 'x', kind: 'sage' }] });
    expect(errorOf(answer).details?.fields).toEqual({
      'accounting[1].kind': ['must be hledger or quickbooks or stripe'],
    });
  });
});

/** Action types named like members of Object. */
const ODD_NAMES = JSON.parse(
  '{"constructor":{"likelihood":"rare","severity":"minor"},' +
    '"a\\nb":{"likelihood":"rare","severity":"minor"}}',
);
const day = (ahead: number) =>
  new Date(bed.clock.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const tomorrow = () => day(1);
const benchmark = (fields: object = {}) => ({
  ...{ loss_rate: 0.02, source: 'Chargebacks in retail', as_of: '2025-12-31' },
  ...fields,
});
const risk = (liability: object) => ({ liability });
const price = (fields: object = {}) => ({
  ...{ model: 'm-1', from: '2026-01-01', currency: 'USD', input: '3', output: '15' },
  ...fields,
});
const prices = (fields: object) => ({ model_prices: [price(fields)] });
const budget = (fields: object = {}) => ({
  budgets: [{ id: 'b', measure: 'refunds', period: 'day', amount: '10', ...fields }],
});
const bench = (fields: object) => risk({ benchmarks: { refund: benchmark(fields) } });

const rates = (...list: unknown[]) => ({ exchange_rates: list });
const accounts = (...list: unknown[]) => ({ accounting: list });
const URL_WITH_USER = 'https://user:word@books.example.com';

const WRONG: [patch: unknown, ...fields: string[]][] = [
  [{ base_currency: 'usd' }, 'base_currency'],
  [{ base_currency: 'XYZ' }, 'base_currency'],
  [{ base_currency: 'HRK' }, 'base_currency'],
  [{ base_currency: 5 }, 'base_currency'],
  [
    rates(rate(), rate({ to: 'GBP' }), rate({ to: 'CHF', rate: '0.000' })),
    'exchange_rates[2].rate',
  ],
  [rates(rate({ rate: 1.5 })), 'exchange_rates[0].rate'],
  [rates(rate({ rate: '-1' })), 'exchange_rates[0].rate'],
  [rates(rate({ rate: '1e3' })), 'exchange_rates[0].rate'],
  [rates(rate({ rate: '01' })), 'exchange_rates[0].rate'],
  [rates(rate({ rate: '.5' })), 'exchange_rates[0].rate'],
  [rates(rate({ rate: '1.' })), 'exchange_rates[0].rate'],
  [rates(rate({ rate: '1\n' })), 'exchange_rates[0].rate'],
  [rates(rate({ rate: '1234567890123' })), 'exchange_rates[0].rate'],
  [rates(rate({ rate: '0.1234567890123' })), 'exchange_rates[0].rate'],
  [rates(rate({ date: '2026-02-29' })), 'exchange_rates[0].date'],
  [rates(rate({ date: '2026-13-01' })), 'exchange_rates[0].date'],
  [rates(rate({ date: '2026-04-16T00:00:00Z' })), 'exchange_rates[0].date'],
  [rates(rate({ from: 'XXY' })), 'exchange_rates[0].from'],
  [rates(rate({ to: 'EUR' })), 'exchange_rates[0].to'],
  [rates(rate(), rate({ rate: '2' })), 'exchange_rates[1]'],
  [rates(rate({ note: 'x' })), 'exchange_rates[0].note'],
  [{ exchange_rates: rate() }, 'exchange_rates'],
  [{ stripe: { signing_secrets: ['sk_1'] } }, 'stripe.signing_secrets[0]'],
  [{ stripe: { signing_secrets: ['whsec_'] } }, 'stripe.signing_secrets[0]'],
  [{ stripe: { signing_secrets: [`whsec_${'x'.repeat(195)}`] } }, 'stripe.signing_secrets[0]'],
  [{ stripe: { signing_secrets: Array(6).fill('whsec_1') } }, 'stripe.signing_secrets'],
  [accounts(hledger({ url: 'ftp://x.example' })), 'accounting[0].url'],
  [accounts(hledger({ url: 'https://' })), 'accounting[0].url'],
  [accounts(hledger({ url: URL_WITH_USER })), 'accounting[0].url'],
  [accounts(hledger({ id: 'a b' })), 'accounting[0].id'],
  [accounts(hledger({ poll_seconds: 9 })), 'accounting[0].poll_seconds'],
  [accounts(hledger({ accounts: [] })), 'accounting[0].accounts'],
  [accounts(hledger({ realm_id: '1' })), 'accounting[0].realm_id'],
  [accounts(hledger(), quickbooks({ id: 'books' })), 'accounting[1].id'],
  [accounts(quickbooks({ environment: 'live' })), 'accounting[0].environment'],
  [accounts(quickbooks({ client_secret: '' })), 'accounting[0].client_secret'],
  [accounts(quickbooks({ refresh_token: 5 })), 'accounting[0].refresh_token'],
  [accounts(quickbooks({ token_url: URL_WITH_USER })), 'accounting[0].token_url'],
  [accounts(quickbooks({ api_url: null })), 'accounting[0].api_url'],
  [accounts('books'), 'accounting[0]'],
  [{ alerts: { url: 'https://a.example' } }, 'alerts.secret'],
  [{ alerts: { url: 'https://u@a.example', secret: ALERT_SECRET } }, 'alerts.url'],
  [{ alerts: { secret: `whsec_${Buffer.alloc(23).toString('base64')}` } }, 'alerts.secret'],
  [{ alerts: { secret: `whsec_${Buffer.alloc(65).toString('base64')}` } }, 'alerts.secret'],
  [{ alerts: { secret: `whsec_${'A'.repeat(33)}` } }, 'alerts.secret'],
  [{ alerts: { secret: ALERT_SECRET.slice(6) } }, 'alerts.secret'],
  [{ alerts: { backlog_seconds: 9 } }, 'alerts.backlog_seconds'],
  [risk({ colour: 1 }), 'liability.colour'],
  [
    risk({ matrix: { a: { likelihood: 'often', severity: 'minor' } } }),
    'liability.matrix.a.likelihood',
  ],
  [risk({ matrix: { a: { likelihood: 'rare' } } }), 'liability.matrix.a.severity'],
  [risk({ matrix: { 'a\nb': 5 } }), 'liability.matrix.a\nb'],
  [risk({ matrix: { [`${'x'.repeat(201)}`]: 5 } }), `liability.matrix.${'x'.repeat(201)}`],
  [risk({ default_cell: { severity: 'huge' } }), 'liability.default_cell.severity'],
  [risk({ likelihoods: { rare: 0 } }), 'liability.likelihoods.rare'],
  [risk({ likelihoods: { near_certain: 1 } }), 'liability.likelihoods.near_certain'],
  [risk({ likelihoods: { unlikely: 0.02 } }), 'liability.likelihoods.possible'],
  [risk({ likelihoods: { often: 0.5 } }), 'liability.likelihoods.often'],
  [risk({ severities: { minor: 100 } }), 'liability.severities.minor'],
  [risk({ severities: { minor: '-1' } }), 'liability.severities.minor'],
  [risk({ severities: { major: '9999.99' } }), 'liability.severities.major'],
  [risk({ severities: { critical: '1'.repeat(16) } }), 'liability.severities.critical'],
  [bench({ loss_rate: 0 }), 'liability.benchmarks.refund.loss_rate'],
  [bench({ loss_rate: 1 }), 'liability.benchmarks.refund.loss_rate'],
  [bench({ source: '' }), 'liability.benchmarks.refund.source'],
  [bench({ source: 'x'.repeat(501) }), 'liability.benchmarks.refund.source'],
  [bench({ as_of: '2025-02-29' }), 'liability.benchmarks.refund.as_of'],
  [bench({ as_of: '2025-12' }), 'liability.benchmarks.refund.as_of'],
  [bench({ as_of: '2206-01-01' }), 'liability.benchmarks.refund.as_of'],
  [bench({ note: 'x' }), 'liability.benchmarks.refund.note'],
  [risk({ response_cost: '1e3' }), 'liability.response_cost'],
  [risk({ exposure_alert_threshold: '-5' }), 'liability.exposure_alert_threshold'],
  [prices({ currency: 'XXY' }), 'model_prices[0].currency'],
  [prices({ input: '-1' }), 'model_prices[0].input'],
  [prices({ output: 3 }), 'model_prices[0].output'],
  [prices({ from: '2026-02-30' }), 'model_prices[0].from'],
  [prices({ model: '' }), 'model_prices[0].model'],
  [{ model_prices: [price(), price({ currency: 'EUR' })] }, 'model_prices[1]'],
  [budget({ period: undefined }), 'budgets[0].period'],
  [budget({ measure: 'open_exposure' }), 'budgets[0].period'],
  [budget({ period: 'week' }), 'budgets[0].period'],
  [budget({ amount: '-1' }), 'budgets[0].amount'],
  [budget({ amount: '1e3' }), 'budgets[0].amount'],
  [budget({ id: 'a b' }), 'budgets[0].id'],
  [budget({ agent_id: '' }), 'budgets[0].agent_id'],
  [budget({ measure: 'profit' }), 'budgets[0].measure'],
  [{ budgets: [...budget().budgets, ...budget().budgets] }, 'budgets[1].id'],
  [risk({ credibility: 0 }), 'liability.credibility'],
  [risk({ severity_credibility: 1_000_001 }), 'liability.severity_credibility'],
  [risk({ benchmark_floor: 1.1 }), 'liability.benchmark_floor'],
  [risk({ severity_spread: -0.1 }), 'liability.severity_spread'],
  [risk({ confidence: { halving: 0 } }), 'liability.confidence.halving'],
  [risk({ confidence: { least: 1.01 } }), 'liability.confidence.least'],
  [risk({ confidence: { most: 0.99 } }), 'liability.confidence.most'],
  [risk({ oversight: { reviewer: 0.9 } }), 'liability.oversight.reviewer'],
  [risk({ oversight: { human_in_loop: 0.29 } }), 'liability.oversight.human_in_loop'],
  [risk({ loss_maturity_days: 0 }), 'liability.loss_maturity_days'],
  [risk({ loss_maturity_days: 1.5 }), 'liability.loss_maturity_days'],
  [
    risk({ loss_horizon_days_by_action_type: { a: 0 } }),
    'liability.loss_horizon_days_by_action_type.a',
  ],
  [
    { attribution: { half_life_hours_by_action_type: { 'a\nb': 'x' } } },
    'attribution.half_life_hours_by_action_type.a\nb',
  ],
];

describe('Invalid patches', () => {
  it.for(WRONG)('The invalid patch %j changes nothing', async ([body, ...fields]) => {
    const before = await contents(bed);
    expectRefusal(await patch(org.live, body), 'validation_error', ...fields);
    expect(await contents(bed)).toBe(before);
  });
});

// Last, because every comparison of contents reads what is stored here.
describe('Large settings', () => {
  it('Settings hold at most 10,000 exchange rates', async () => {
    const days = Array.from({ length: 10_001 }, (_, day) =>
      rate({ date: new Date(day * 86_400_000).toISOString().slice(0, 10), rate: '1' }),
    );
    const answer = await patch(org.live, { exchange_rates: days.slice(0, 10_000) });
    expect(dataOf(answer, Settings).exchange_rates).toHaveLength(10_000);
    expectRefusal(
      await patch(org.live, { exchange_rates: days }),
      'validation_error',
      'exchange_rates',
    );
  });

  it('A risk matrix holds at most 1,000 action types', async () => {
    const matrixOf = (size: number) => {
      const cell = { likelihood: 'rare', severity: 'minor' };
      return Object.fromEntries(Array.from({ length: size }, (_, at) => [`type-${at}`, cell]));
    };
    const refused = await patch(org.live, risk({ matrix: matrixOf(1001) }));
    expectRefusal(refused, 'validation_error', 'liability.matrix');
    const answer = await patch(org.live, risk({ matrix: matrixOf(1000) }));
    expect(Object.keys(dataOf(answer, Settings).liability.matrix)).toHaveLength(1000);
  });
});
