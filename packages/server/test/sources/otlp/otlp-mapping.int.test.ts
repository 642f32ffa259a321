import { IssuedKey } from '@decision-ledger/contract/access';
import { DecisionPage } from '@decision-ledger/contract/decision';
import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../../support/client.js';
import { type Organisation, openTestService, type TestService } from '../../support/service.js';
import {
  expectStatus,
  JSON_TYPE,
  jsonRequest,
  jsonSpan,
  PROTOBUF,
  postTraces,
} from './support/otlp-request.js';

let test: TestService;
let organisation: Organisation;

beforeAll(async () => {
  test = await openTestService('embedded');
});
afterAll(() => test.close());
beforeEach(async () => {
  organisation = await test.organisation();
});

const set = (otlp: object | null, client = organisation.live) =>
  client.patch('/settings', { otlp });
const post = (body: string, key = organisation.live.key) => postTraces(test.http, key, body);

async function recorded(client = organisation.live) {
  return dataOf(await client.get('/decisions?limit=500'), DecisionPage).decisions.toReversed();
}

/** Exports spans under a mapping; returns why spans were refused, and what was recorded. */
async function mapped(otlp: object, ...spans: readonly unknown[]) {
  const answer = await set({ preset: 'gen_ai_1.45', ...otlp });
  expect(answer.status, answer.text).toBe(200);
  const { status, bytes } = await post(jsonRequest(...spans));
  expect(status, bytes.toString()).toBe(200);
  return { problem: messageIn(bytes), decisions: await recorded() };
}

function messageIn(bytes: Buffer): string | undefined {
  return JSON.parse(bytes.toString()).partialSuccess?.errorMessage;
}

const string = (stringValue: string) => ({ stringValue });
/** Reads a confidence that the span states, and nothing else. */
const STATED = { rules: [{ operation: 'execute_tool' }] };
const NONE = { 'decision_ledger.confidence': undefined };

describe('The confidence of a span', () => {
  it('A span without one is refused, with the line to add', async () => {
    const { problem, decisions } = await mapped(STATED, jsonSpan(NONE));
    expect(decisions).toEqual([]);
    expect(problem).toBe(
      'span 00f067aa0ba902b7 (execute_tool refund): it states no confidence: add ' +
        "span.setAttribute('decision_ledger.confidence', 0.9) with what the agent knows, or the " +
        'setting "confidence": ["fixed:0.8"] to its rule',
    );
  });

  it.for([{ doubleValue: 1.01 }, { doubleValue: -0.1 }, { doubleValue: 'NaN' }, string('high')])(
    '%o is refused',
    async (value) => {
      const { problem, decisions } = await mapped(
        {},
        jsonSpan({ 'decision_ledger.confidence': value }),
      );
      expect(decisions).toEqual([]);
      expect(problem).toContain('a confidence is a number from 0 to 1');
    },
  );

  const score = (name: string, value: unknown) => ({
    name: 'gen_ai.evaluation.result',
    attributes: [
      { key: 'gen_ai.evaluation.name', value: string(name) },
      { key: 'gen_ai.evaluation.score.value', value },
    ],
  });

  it.for([
    ...[{ doubleValue: 1.01 }, { doubleValue: -0.1 }, { doubleValue: 'NaN' }, { intValue: '5' }],
    ...[{ doubleValue: 'Infinity' }, string('0.9'), { boolValue: true }, { arrayValue: {} }],
  ])(
    'The score %o of an evaluation is refused, and no later source stands in for it',
    async (value) => {
      const confidence = ['evaluation:certainty', 'decision_ledger.confidence', 'fixed:0.8'];
      const { problem, decisions } = await mapped(
        { rules: [{ operation: 'execute_tool', confidence }] },
        jsonSpan({}, { events: [score('certainty', value)] }),
      );
      expect(decisions).toEqual([]);
      expect(problem).toContain('evaluation:certainty is ');
      expect(problem).toContain('a confidence is a number from 0 to 1');
    },
  );

  it('The score may stand on the span itself, and the last event comes before it', async () => {
    const own = {
      ...NONE,
      'gen_ai.evaluation.name': string('certainty'),
      'gen_ai.evaluation.score.value': { doubleValue: 0.3 },
    };
    const events = [
      score('certainty', { doubleValue: 0.4 }),
      score('certainty', { intValue: '1' }),
    ];
    const { problem, decisions } = await mapped(
      { rules: [{ operation: 'execute_tool', confidence: ['evaluation:certainty'] }] },
      jsonSpan(own),
      jsonSpan(own, { spanId: 'b'.repeat(16), events }),
    );
    expect(problem).toBeUndefined();
    expect(
      decisions.map(({ confidence, metadata }) => [confidence, metadata?.confidence_source]),
    ).toEqual([
      [0.3, 'evaluation'],
      [1, 'evaluation'],
    ]);
  });

  it('The first source that is present decides, and the metadata say which it was', async () => {
    const confidence = ['decision_ledger.confidence', 'evaluation:certainty', 'fixed:0.8'];
    const { problem, decisions } = await mapped(
      { rules: [{ operation: 'execute_tool', confidence }] },
      jsonSpan({}, { events: [score('certainty', { doubleValue: 0.4 })] }),
      jsonSpan(NONE, {
        spanId: 'b'.repeat(16),
        events: [score('tone', { doubleValue: 0.1 }), score('certainty', { doubleValue: 0.4 })],
      }),
      jsonSpan(NONE, { spanId: 'c'.repeat(16), events: [score('tone', { doubleValue: 0.1 })] }),
    );
    expect(problem).toBeUndefined();
    expect(
      decisions.map(({ confidence: value, metadata }) => [value, metadata?.confidence_source]),
    ).toEqual([
      [0.9, 'attribute'],
      [0.4, 'evaluation'],
      [0.8, 'fixed'],
    ]);
  });
});

describe('The metric of spans', () => {
  it('Counts what became of each span', async () => {
    const before = await spansCounted();
    const turn = jsonSpan({ 'gen_ai.operation.name': string('chat') });
    const untold = jsonSpan(
      { 'gen_ai.tool.call.arguments': undefined },
      { spanId: 'c'.repeat(16) },
    );
    await mapped(
      STATED,
      jsonSpan(),
      jsonSpan(NONE, { spanId: 'b'.repeat(16) }),
      turn,
      turn,
      untold,
    );
    const after = await spansCounted();
    expect(after.map((count, place) => count - (before[place] ?? 0))).toEqual([1, 1, 2, 1]);
  });
});

/** Spans that were decisions, were refused, and were none by each reason. */
async function spansCounted(): Promise<number[]> {
  const { body } = await test.http.inject('/metrics');
  return ['decision', 'refused', 'no_rule', 'no_content'].map((outcome) => {
    const line = new RegExp(`^ledger_otlp_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm');
    return Number(line.exec(body)?.[1] ?? 0);
  });
}

describe('A fixed confidence', () => {
  it('Neither raises nor lowers the estimate of the exposure, whatever its number', async () => {
    const { decisions } = await mapped(
      {
        rules: [
          { attribute: 'high', confidence: ['fixed:0.99'] },
          { attribute: 'low', confidence: ['fixed:0.01'] },
        ],
      },
      ...['high', 'low', 'stated'].map((name, index) =>
        jsonSpan({ [name]: string('x') }, { spanId: `${index + 1}`.padStart(16, '0') }),
      ),
    );
    const factors: number[] = [];
    for (const { decision_id } of decisions) {
      const answer = await organisation.live.get(`/decisions/${decision_id}`);
      const { liability } = dataOf(answer, DecisionInDetail);
      factors.push(liability?.parts.confidence_factor ?? Number.NaN);
    }
    expect(decisions.map(({ confidence }) => confidence)).toEqual([0.99, 0.01, 0.9]);
    expect(factors).toEqual([1, 1, expect.closeTo(2 ** -0.5, 3)]);
  });
});

describe('What a decision is read from', () => {
  it('Without an agent on the span, the service of the resource is the agent', async () => {
    await set({ preset: 'gen_ai_1.45' });
    const span = jsonSpan({
      'gen_ai.agent.name': undefined,
      'decision_ledger.human_in_loop': { boolValue: true },
    });
    const resource = { attributes: [{ key: 'service.name', value: string('shop') }] };
    await post(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }], resource }] }));
    await post(jsonRequest({ ...span, spanId: 'b'.repeat(16) }));
    expect(await recorded()).toMatchObject([
      { agent_id: 'shop', human_in_loop: true, inputs: {}, outputs: {} },
    ]);
  });

  it('A failed tool is recorded with its error', async () => {
    const { decisions } = await mapped(
      {},
      jsonSpan({ 'error.type': string('timeout') }, { status: { code: 2, message: 'no answer' } }),
    );
    expect(decisions).toMatchObject([
      { outputs: { error: { type: 'timeout', message: 'no answer' } } },
    ]);
  });

  it('Own rules come first, read other attributes, and fill the metadata', async () => {
    const rule = {
      ...{ span_name: 'handoff *', attribute: 'app.kind', value: '7' },
      agent_id: ['resource:service.name', 'app.agent'],
      action_type: ['fixed:handoff'],
      inputs: ['app.question', 'app.history'],
      outputs: ['app.answer'],
      human_in_loop: ['app.approved'],
      metadata: { customer_id: 'app.customer' },
    };
    const attributes = {
      'app.kind': { intValue: '7' },
      'app.agent': string('router'),
      'app.question': string('{"text":"who?"}'),
      'app.history': { arrayValue: { values: [{ intValue: '9007199254740993' }] } },
      'app.answer': string('billing'),
      'app.approved': string('true'),
      'app.customer': string('C-1'),
      'decision_ledger.metadata.order_id': string('A-1001'),
      'decision_ledger.reviewer_id': string('ada'),
      'gen_ai.conversation.id': string('conv_1'),
    };
    const other = jsonSpan(
      { ...attributes, 'app.kind': { intValue: '8' } },
      { spanId: 'd'.repeat(16) },
    );
    const { decisions } = await mapped(
      { rules: [rule] },
      jsonSpan(attributes, { name: 'handoff to billing' }),
      jsonSpan(
        { ...attributes, 'gen_ai.operation.name': string('chat') },
        { spanId: 'c'.repeat(16) },
      ),
      other,
    );
    expect(decisions).toMatchObject([
      {
        agent_id: 'router',
        action_type: 'handoff',
        inputs: { 'app.question': { text: 'who?' }, 'app.history': ['9007199254740993'] },
        outputs: { 'app.answer': 'billing' },
        human_in_loop: true,
        metadata: {
          customer_id: 'C-1',
          order_id: 'A-1001',
          reviewer_id: 'ada',
          conversation_id: 'conv_1',
        },
      },
      { agent_id: 'refund-bot', action_type: 'refund', metadata: { span_id: 'd'.repeat(16) } },
    ]);
  });

  it('The span with the same ids and other content is refused, and the first record stays', async () => {
    await mapped({}, jsonSpan());
    const others = Array.from({ length: 45 }, (_, index) =>
      jsonSpan({}, { spanId: (index + 1).toString(16).padStart(16, '0') }),
    );
    await post(jsonRequest(...others.slice(0, 30)));
    const changed = others.map((span) => ({ ...span, startTimeUnixNano: '1776331801000000000' }));
    const { problem, decisions } = await mapped({}, jsonSpan({ a: string('x') }), ...changed);
    expect(problem).toContain('already recorded with different content');
    expect(problem).toContain('and 25 more');
    expect(decisions).toHaveLength(46);
  });
});

describe('The mask', () => {
  it('Masked values are nowhere in the database', async () => {
    const { decisions } = await mapped(
      {
        mask: ['inputs.card.number', 'inputs.people.*.email', 'outputs.x', 'metadata.customer.id'],
      },
      jsonSpan({
        'gen_ai.tool.call.arguments': string(
          '{"card":{"number":"4111SECRET","brand":"v"},"people":[{"email":"SECRET@a"},{"email":"SECRET@b"}]}',
        ),
        'gen_ai.tool.call.result': string('SECRET {not json'),
        'decision_ledger.metadata.customer.id': string('SECRET-9'),
      }),
    );
    expect(decisions).toMatchObject([
      {
        inputs: {
          card: { number: '[masked]', brand: 'v' },
          people: [{ email: '[masked]' }, { email: '[masked]' }],
        },
        outputs: { 'gen_ai.tool.call.result': '[masked]' },
        metadata: { 'customer.id': '[masked]' },
      },
    ]);
    const [row] = await test.service.db.query<{ all: string }>({
      text: 'select json_agg(d)::text as all from decisions d',
      values: [],
    });
    expect(row?.all).toContain('[masked]');
    expect(row?.all).not.toContain('SECRET');
    expect(test.logLines.join('')).not.toContain('SECRET');
  });
});

describe('The mapping in the settings', () => {
  it('Without one, spans are refused and nothing is recorded', async () => {
    expectStatus(
      await post(jsonRequest(jsonSpan())),
      409,
      9,
      /PATCH \/api\/v1\/settings .*detect_1/,
    );
    await set({ preset: 'gen_ai_1.45' });
    await post(jsonRequest(jsonSpan()));
    await set(null);
    expectStatus(await post(jsonRequest(jsonSpan())), 409, 9, /no mapping is set/);
    expect(await recorded()).toHaveLength(1);
  });

  it('A change of it needs a higher version, which decisions name', async () => {
    await mapped({ version: 3 }, jsonSpan());
    expectRefusal(await set({ mask: ['inputs.a'] }), 'validation_error', 'otlp.version');
    expectRefusal(
      await set({ version: 2, mask: ['inputs.a'] }),
      'validation_error',
      'otlp.version',
    );
    const { decisions } = await mapped(
      { version: 4, mask: ['inputs.a'] },
      jsonSpan({}, { spanId: 'b'.repeat(16) }),
    );
    expect(decisions.map(({ metadata }) => metadata?.otlp_mapping)).toEqual([3, 4]);
    expect((await set({ version: 4, mask: ['inputs.a'] })).status).toBe(200);
    expect(
      (await organisation.live.patch('/settings?dry_run=true', { otlp: { version: 5 } })).status,
    ).toBe(200);
    expect((await organisation.live.get('/settings')).text).toContain('"version":4');
  });

  it.for<readonly [otlp: object, field: string]>([
    [{ rules: [{}] }, 'otlp.rules[0]'],
    [{ rules: [{ operation: 'x', value: 'y' }] }, 'otlp.rules[0].value'],
    [{ rules: [{ operation: 'x', confidence: ['fixed:1.1'] }] }, 'otlp.rules[0].confidence[0]'],
    [{ rules: [{ operation: 'x', confidence: ['evaluation:'] }] }, 'otlp.rules[0].confidence[0]'],
    [{ rules: [{ operation: 'x', agent_id: [] }] }, 'otlp.rules[0].agent_id'],
    [{ rules: [{ operation: 'x', confidence: ['argument:'] }] }, 'otlp.rules[0].confidence[0]'],
    [{ rules: [{ operation: 'x', agent_id: ['a', 'service.name'] }] }, 'otlp.rules[0].agent_id[1]'],
    [{ rules: [{ operation: 'x', inputs: ['a | telemetry.sdk'] }] }, 'otlp.rules[0].inputs[0]'],
    [{ rules: [{ attribute: 'service.version' }] }, 'otlp.rules[0].attribute'],
    [{ rules: [{ attribute: 'x', metadata: { a: 'service.name' } }] }, 'otlp.rules[0].metadata'],
    [{ rules: [{ operation: 'x', outputs: ['event:choice'] }] }, 'otlp.rules[0].outputs[0]'],
    [{ mask: ['agent_id'] }, 'otlp.mask[0]'],
    [{ preset: 'gen_ai_9' }, 'otlp.preset'],
  ])('%o is refused, naming the setting', async ([otlp, field]) => {
    expectRefusal(await set(otlp), 'validation_error', field);
  });
});

it('An attribute of the resource is refused with the way to write it', async () => {
  const rules = [{ operation: 'execute_tool', agent_id: ['service.name'] }];
  expect((await set({ rules })).text).toContain('write resource:service.name');
});

describe('Who may send spans', () => {
  it('A key with the permission ingest alone suffices; others are refused in the encoding of the request', async () => {
    await set({ preset: 'gen_ai_1.45' });
    const issue = async (permission: string) => {
      const body = { name: permission, permissions: [permission] };
      return dataOf(await organisation.live.post('/keys', body), IssuedKey, 201).key;
    };
    expect((await post(jsonRequest(jsonSpan()), await issue('ingest'))).status).toBe(200);
    expectStatus(await post('{}', await issue('read')), 403, 7, /lacks the permission ingest/);
    const missing = await postTraces(test.http, '', '', { 'content-type': PROTOBUF });
    const wrong = await postTraces(test.http, 'lg_live_nonsense', '', { 'content-type': PROTOBUF });
    expectStatus(missing, 401, 16, /invalid or missing api key/);
    expect([wrong.type, wrong.bytes]).toEqual([missing.type, missing.bytes]);
  });

  it('Ledgers of other organisations and of the other mode keep spans and mappings apart', async () => {
    const other = await test.organisation();
    await set({ preset: 'gen_ai_1.45' });
    await set({ preset: 'gen_ai_1.45' }, other.live);
    expectStatus(await post(jsonRequest(jsonSpan()), organisation.test.key), 409, 9, /no mapping/);
    await set({ preset: 'gen_ai_1.45', version: 9 }, organisation.test);
    for (const client of [organisation.live, organisation.test, other.live]) {
      expect((await post(jsonRequest(jsonSpan()), client.key)).status).toBe(200);
      expect(await recorded(client)).toHaveLength(1);
    }
    expect((await recorded(organisation.test))[0]?.metadata?.otlp_mapping).toBe(9);
    expect(await recorded(other.test)).toEqual([]);
  });
});

describe('The rate limit', () => {
  it('Each decision counts, and repeats of a refused request record all of them', async () => {
    await set({ preset: 'gen_ai_1.45' });
    await organisation.live.patch('/settings', { rate_limits: { ingest_per_second: 10 } });
    test.clock.advance(2000);
    const spans = Array.from({ length: 25 }, (_, index) =>
      jsonSpan({}, { spanId: (index + 1).toString(16).padStart(16, '0') }),
    );
    const lengths: number[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await post(jsonRequest(...spans));
      expectStatus(answer, 429, 8, /exceed the rate limit: send the same request again/);
      expect(answer.retryAfter).toBe('1');
      lengths.push((await recorded()).length);
      test.clock.advance(1000);
    }
    const last = await postTraces(test.http, organisation.live.key, jsonRequest(...spans), {
      'content-type': JSON_TYPE,
    });
    expect([last.status, last.bytes.toString()]).toEqual([200, '{}']);
    expect([...lengths, (await recorded()).length]).toEqual([10, 20, 25]);
    expect((await post(jsonRequest())).status).toBe(429);
  });
});
