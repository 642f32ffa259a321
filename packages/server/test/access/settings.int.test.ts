import { KeyPage } from '@decision-ledger/contract/access';
import { DEFAULT_ACTION_WORDS, DEFAULT_AMOUNT_WORDS } from '@decision-ledger/contract/amount-words';
import {
  type Activity,
  ActivityChainVerification,
  ActivityPage,
} from '@decision-ledger/contract/chain';
import { DEFAULT_SETTINGS, Settings } from '@decision-ledger/contract/settings';
import { SHIPPED_PROFILES } from '@decision-ledger/contract/shipped-profiles';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Client, dataOf, expectRefusal } from '../support/client.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation('default');
});
afterAll(() => bed.close());

const DEFAULTS = DEFAULT_SETTINGS.rate_limits;
const patch = (client: Client, body: unknown) => client.patch('/settings', body);
const limitsOf = (answer: Answer) => dataOf(answer, Settings).rate_limits;
const limits = async (client: Client) => limitsOf(await client.get('/settings'));

describe('Changes of settings that others may have changed', () => {
  const rate = (from: string) => ({ from, to: 'USD', date: '2026-01-02', rate: '1.1' });
  const current = async () => (await org.live.get('/settings')).header('etag') ?? '';

  it('A change for settings that have changed since is refused, and nothing changes', async () => {
    const seen = await current();
    expect(seen).toMatch(/^"[0-9a-f]{32}"$/);
    const first = await org.live.patch(
      '/settings',
      { exchange_rates: [rate('EUR')] },
      { 'if-match': seen },
    );
    expect(first.status).toBe(200);
    expect(first.header('etag')).toBe(await current());
    const late = { exchange_rates: [rate('GBP')] };
    for (const path of ['/settings', '/settings?dry_run=true']) {
      const refused = await org.live.patch(path, late, { 'if-match': seen });
      expectRefusal(refused, 'precondition_failed');
      expect(refused.text).toContain('get them again with GET /settings');
      expect(refused.header('etag')).toBe(first.header('etag'));
    }
    const after = dataOf(await org.live.get('/settings'), Settings);
    expect(after.exchange_rates).toEqual([rate('EUR')]);
    const again = await org.live.patch('/settings', late, { 'if-match': await current() });
    expect(again.status).toBe(200);
  });

  it('A dry run shows secrets as masks, as the change itself does', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const change = { alerts: { url: 'https://alerts.example/hook', secret } };
    const tried = await org.live.patch('/settings?dry_run=true', change);
    expect(tried.status, tried.text).toBe(200);
    expect(tried.text).not.toContain(secret);
    expect(tried.text).toMatch(/"secret":"\*+[0-9a-f]{8}"/);
  });

  it('Of two concurrent changes for the same settings, one applies', async () => {
    const seen = await current();
    const answers = await Promise.all(
      ['EUR', 'GBP', 'CHF'].map((from) =>
        org.live.patch('/settings', { exchange_rates: [rate(from)] }, { 'if-match': seen }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect(await changes(org.live)).toHaveLength(1);
  });

  it('A replaced secret gives another tag, although only its mask is shown', async () => {
    await patch(org.live, { stripe: { signing_secrets: ['whsec_one'] } });
    const one = await current();
    await patch(org.live, { stripe: { signing_secrets: ['whsec_two'] } });
    expect(await current()).not.toBe(one);
  });

  it.each(['*', 'W/TAG', '"other", TAG'])('If-Match: %s is accepted', async (form) => {
    const header = form.replace('TAG', await current());
    const answer = await org.live.patch(
      '/settings',
      { base_currency: 'EUR' },
      { 'if-match': header },
    );
    expect(answer.status).toBe(200);
  });

  it.each(['abc', '', '"a" "b"', `"${'a'.repeat(2000)}"`])(
    'If-Match: %s is refused',
    async (text) => {
      const answer = await org.live.patch('/settings', {}, { 'if-match': text });
      expectRefusal(answer, 'malformed_request');
    },
  );
});

async function changes(client: Client): Promise<Activity[]> {
  const answer = await client.get('/activity?type=settings.changed&limit=500');
  return dataOf(answer, ActivityPage).activity;
}

/** A few of the rows, the first and the last among them. */
const LINK_TYPES = [
  { words: ['dispute', 'won'], link_type: 'loss', reversal: true },
  { words: ['refund', 'reversal'], link_type: 'refund', reversal: true },
  { words: ['fee', 'refund'], link_type: 'cost', reversal: true },
  { words: ['chargeback'], link_type: 'loss', reversal: false },
  { words: ['saving'], link_type: 'saving', reversal: false },
  { words: ['refund'], link_type: 'refund', reversal: false },
  { words: ['fee'], link_type: 'cost', reversal: false },
  { words: ['payment'], link_type: 'revenue', reversal: false },
  { words: ['sales'], link_type: 'refund', reversal: false },
];

const outputs = (...names: string[]) => names.map((name) => `outputs.${name}`);
const TOOL_RESULT = 'gen_ai.tool.call.result';
const STATUSES = outputs(
  ...['status', 'decision', 'outcome', 'state', 'result', 'value', 'content', TOOL_RESULT],
);
const OUTCOMES = {
  values: [
    {
      outcome: 'denied',
      paths: outputs('approved', 'accepted', 'allowed', 'authorized'),
      values: [false],
    },
    {
      outcome: 'denied',
      paths: outputs('denied', 'declined', 'rejected', 'refused'),
      values: [true],
    },
    {
      outcome: 'denied',
      paths: STATUSES,
      values: ['denied', 'declined', 'rejected', 'refused', 'blocked', 'unauthorized'],
    },
    {
      ...{ outcome: 'denied', paths: STATUSES, values: ['cancelled', 'canceled'] },
      unless_action: 'cancel',
    },
    { outcome: 'failed', paths: outputs('success', 'succeeded', 'ok'), values: [false] },
    { outcome: 'failed', paths: outputs('failed', 'isError', 'is_error'), values: [true] },
    {
      outcome: 'failed',
      paths: STATUSES,
      values: ['failed', 'failure', 'fail', 'error', 'aborted', 'not_found', 'invalid'],
    },
    {
      outcome: 'unknown',
      paths: STATUSES,
      values: ['partial', 'pending', 'processing', 'in_progress', 'queued', 'timeout', 'timed_out'],
    },
    {
      outcome: 'done',
      paths: outputs('approved', 'accepted', 'allowed', 'success', 'succeeded', 'ok'),
      values: [true],
    },
    {
      outcome: 'done',
      paths: STATUSES,
      values: ['done', 'ok', 'success', 'succeeded', 'completed', 'approved', 'accepted'],
    },
  ],
  errors: outputs('error', 'exception'),
  http_statuses: outputs('status', 'status_code', 'statusCode', 'http_status', 'httpStatus'),
  results: outputs(
    ...['result', 'value', 'output', 'response', 'content'],
    ...['structuredContent', 'structured_content', TOOL_RESULT],
  ),
};

describe('Organisation settings', () => {
  it('Settings have the specified defaults until they are changed', async () => {
    const specified = {
      ingest_per_second: 100,
      batch_per_second: 10,
      read_per_second: 1000,
      record_per_second: 100,
      handshakes_per_minute: 30,
      exports_per_hour: 1,
    };
    for (const client of [org.live, org.test]) {
      const settings = dataOf(await client.get('/settings'), Settings);
      expect(settings).toEqual({
        rate_limits: specified,
        base_currency: 'USD',
        exchange_rates: [],
        model_prices: [],
        stripe: { signing_secrets: [] },
        accounting: [],
        alerts: { url: null, secret: null, backlog_seconds: 300 },
        budgets: [],
        analytics: { customer_key: 'customer_id', close_after_days: 10 },
        transparency: { name: 'decision-ledger', interval_seconds: 300, public: 'none' },
        otlp: { version: 1, preset: 'none', rules: [], mask: [] },
        recording: { max_lateness_seconds: null, max_upload_bytes: 67_108_864 },
        cors: { origins: [] },
        attribution: {
          weights: { temporal: 0.35, metadata: 0.3, agent_pattern: 0.2, amount: 0.15 },
          ...{ half_life_hours: 72, half_life_hours_by_action_type: {} },
          ...{ suggest_share: 0.35, suggest_probability: 0.5, suggest_recorded: 0.7 },
          suggest_from_timing: false,
          time_zone: 'UTC',
          ...{ link_types: [], unsigned_sources: [] },
          default_link_types: expect.arrayContaining(LINK_TYPES),
          ...{ profiles: [], default_profiles: SHIPPED_PROFILES },
        },
        liability: {
          ...{ matrix: {}, default_cell: { likelihood: 'possible', severity: 'moderate' } },
          likelihoods: {
            ...{ rare: 0.0005, unlikely: 0.002, possible: 0.01, likely: 0.05, near_certain: 0.2 },
          },
          severities: {
            ...{ minor: '100', moderate: '1000', serious: '10000' },
            ...{ major: '100000', critical: '1000000' },
          },
          ...{ benchmarks: {}, response_cost: '0', exposure_alert_threshold: null },
          ...{ amount_paths: ['outputs'], claim_paths: ['inputs'], minor_unit_paths: [] },
          ...{ amount_words: DEFAULT_AMOUNT_WORDS, action_words: DEFAULT_ACTION_WORDS },
          outcomes: OUTCOMES,
          version_keys: ['version', 'prompt_version', 'model'],
          ...{ credibility: 20, severity_credibility: 4 },
          ...{ benchmark_floor: 0, severity_spread: 0.8 },
          confidence: { neutral: 0.8, halving: 0.2, least: 0.5, most: 4 },
          oversight: { human_in_loop: 0.85, reviewer: 0.7 },
          ...{ loss_maturity_days: 90, loss_maturity_days_by_action_type: {} },
          ...{ loss_horizon_days: 365, loss_horizon_days_by_action_type: {} },
        },
        stream: { max_connections: 100 },
      });
      const { default_link_types } = settings.attribution;
      expect(default_link_types).toHaveLength(176);
      expect(default_link_types[0]).toEqual(LINK_TYPES[0]);
      expect(default_link_types.at(-1)).toEqual(LINK_TYPES.at(-1));
    }
  });

  it.for(['application/json', 'application/merge-patch+json'])(
    'A patch of type %s is merged into the settings',
    async (type) => {
      const headers = { 'content-type': type };
      const first = { rate_limits: { ingest_per_second: 7, exports_per_hour: 2 } };
      const changed = limitsOf(await org.live.patch('/settings', first, headers));
      expect(changed).toEqual({ ...DEFAULTS, ingest_per_second: 7, exports_per_hour: 2 });
      const second = { rate_limits: { exports_per_hour: 3 } };
      await org.live.patch('/settings', second, headers);
      expect(await limits(org.live)).toEqual({ ...changed, exports_per_hour: 3 });
    },
  );

  it('Null restores the default of one limit or of all', async () => {
    const two = { ingest_per_second: 7, batch_per_second: 8 };
    await patch(org.live, { rate_limits: two });
    const one = limitsOf(await patch(org.live, { rate_limits: { ingest_per_second: null } }));
    expect(one).toEqual({ ...DEFAULTS, batch_per_second: 8 });
    const none = limitsOf(await patch(org.live, { rate_limits: null }));
    expect(none).toEqual(DEFAULTS);
  });

  it('Limits may range from 1 to 1,000,000', async () => {
    const extremes = { ingest_per_second: 1_000_000, exports_per_hour: 1 };
    const changed = limitsOf(await patch(org.live, { rate_limits: extremes }));
    expect(changed).toMatchObject(extremes);
  });

  it('Six concurrent changes are all kept', async () => {
    const names = Object.keys(DEFAULTS);
    const answers = await Promise.all(
      names.map((name) => patch(org.live, { rate_limits: { [name]: 500 } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const all = Object.fromEntries(names.map((name) => [name, 500]));
    expect(await limits(org.live)).toEqual(all);
    expect(await changes(org.live)).toHaveLength(6);
  });
});

const WRONG: [patch: unknown, ...fields: string[]][] = [
  [{ rate_limits: { ingest_per_second: 0 } }, 'rate_limits.ingest_per_second'],
  [{ rate_limits: { read_per_second: 1_000_001 } }, 'rate_limits.read_per_second'],
  [{ rate_limits: { batch_per_second: -1 } }, 'rate_limits.batch_per_second'],
  [{ rate_limits: { batch_per_second: 1.5 } }, 'rate_limits.batch_per_second'],
  [{ rate_limits: { exports_per_hour: '5' } }, 'rate_limits.exports_per_hour'],
  [{ rate_limits: { exports_per_hour: true } }, 'rate_limits.exports_per_hour'],
  [{ rate_limits: { exports_per_hour: [] } }, 'rate_limits.exports_per_hour'],
  [{ rate_limits: { exports_per_hour: { x: 1 } } }, 'rate_limits.exports_per_hour'],
  [{ rate_limits: { per_second: 5 } }, 'rate_limits.per_second'],
  [{ rate_limits: 5 }, 'rate_limits'],
  [{ stream: { max_connections: 0 } }, 'stream.max_connections'],
  [{ stream: { max_connections: 100_001 } }, 'stream.max_connections'],
  [{ stream: { max_connections: '5' } }, 'stream.max_connections'],
  [{ stream: { connections: 5 } }, 'stream.connections'],
  [{ rate_limits: [] }, 'rate_limits'],
  [{ rate_limits: { ingest_per_second: 7 }, colour: 'red' }, 'colour'],
  [
    { rate_limits: { ingest_per_second: 7, batch_per_second: 0, read_per_second: 0 } },
    'rate_limits.batch_per_second',
    'rate_limits.read_per_second',
  ],
  [{ cors: { origins: ['*'] } }, 'cors.origins[0]'],
  [{ cors: { origins: ['https://a.example', 'https://a.example'] } }, 'cors.origins[1]'],
  [{ cors: { origins: 'https://a.example' } }, 'cors.origins'],
  [{ cors: { origin: [] } }, 'cors.origin'],
  [[], 'body'],
  [null, 'body'],
  ['text', 'body'],
  ['{"rate_limits":{"read_per_second":5,"read_per_second":6}}', 'rate_limits.read_per_second'],
  ['{"__proto__":{"rate_limits":5}}', '__proto__'],
];

describe('Invalid patches', () => {
  it.for(WRONG)('The invalid patch %j changes nothing', async ([body, ...fields]) => {
    await patch(org.live, { rate_limits: { exports_per_hour: 9 } });
    const before = await contents(bed);
    const text = body === 'text' ? '"text"' : body;
    expectRefusal(await patch(org.live, text), 'validation_error', ...fields);
    expect(await contents(bed)).toBe(before);
  });

  it('A patch with another content type is refused with 415', async () => {
    const headers = { 'content-type': 'application/json-patch+json' };
    const answer = await org.live.patch('/settings', [], headers);
    expectRefusal(answer, 'unsupported_media_type');
  });
});

describe('Test keys', () => {
  it('A test key can read the limits of the organisation but not change them', async () => {
    await patch(org.live, { rate_limits: { read_per_second: 77 } });
    expect((await limits(org.test)).read_per_second).toBe(77);
    const before = await contents(bed);
    for (const body of [{ rate_limits: { read_per_second: 5 } }, { rate_limits: null }]) {
      expectRefusal(await patch(org.test, body), 'forbidden');
    }
    expect(await contents(bed)).toBe(before);
  });

  it('A test key can read the maximum number of connections but not change it', async () => {
    const most = async (client: Client) =>
      dataOf(await client.get('/settings'), Settings).stream.max_connections;
    for (const max_connections of [100_000, 7]) {
      dataOf(await patch(org.live, { stream: { max_connections } }), Settings);
      expect([await most(org.live), await most(org.test)]).toEqual(Array(2).fill(max_connections));
    }
    expectRefusal(await patch(org.test, { stream: { max_connections: 8 } }), 'forbidden');
    expect(await most(org.test)).toBe(7);
  });
});

describe('Activity of settings', () => {
  it('The activity chain records each change with its actor, ledger and patch', async () => {
    const first = { rate_limits: { read_per_second: 77 } };
    const second = { rate_limits: { read_per_second: null, batch_per_second: 3 } };
    await patch(org.live, first);
    await patch(org.live, second);
    const { keys } = dataOf(await org.live.get('/keys'), KeyPage);
    const recorded = await changes(org.live);
    const document_digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(recorded.map(({ data }) => data)).toEqual([
      { patch: second, document_digest },
      { patch: first, document_digest },
    ]);
    const [latest, earlier] = recorded.map(({ data }) => data?.document_digest);
    expect(latest).not.toBe(earlier);
    for (const { actor, subject } of recorded) {
      expect(actor).toBe(keys[0]?.key_id);
      expect(subject).toMatch(/^led_[0-9a-z]{26}$/);
    }
    const verified = await org.live.get('/activity/chain/verify');
    expect(dataOf(verified, ActivityChainVerification)).toMatchObject({
      is_valid: true,
      records_checked: 3,
    });
    expect(await changes(org.test)).toEqual([]);
  });

  it.for([
    [{}],
    [{ rate_limits: {} }],
    [{ rate_limits: null }],
    [{ rate_limits: { exports_per_hour: null } }],
    [{ unknown: null }],
  ])('The patch %j changes nothing and is not recorded', async ([body]) => {
    await patch(org.live, { rate_limits: { read_per_second: 500 } });
    await patch(org.live, { rate_limits: { read_per_second: null } });
    const before = await contents(bed);
    expect(limitsOf(await patch(org.live, body))).toEqual(DEFAULTS);
    expect(await contents(bed)).toBe(before);
  });

  it('A patch that sets the stored values again is not recorded', async () => {
    const body = { rate_limits: { read_per_second: 77 } };
    await patch(org.live, body);
    const before = await contents(bed);
    await patch(org.live, body);
    expect(await contents(bed)).toBe(before);
  });
});
