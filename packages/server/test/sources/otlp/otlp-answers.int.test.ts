import { IssuedKey } from '@decision-ledger/contract/access';
import { DecisionPage } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf } from '../../support/client.js';
import { type Organisation, openTestService, type TestService } from '../../support/service.js';
import { JSON_TYPE, jsonRequest, jsonSpan, PROTOBUF, postTraces } from './support/otlp-request.js';

let test: TestService;
let organisation: Organisation;

beforeAll(async () => {
  test = await openTestService('embedded');
});
afterAll(() => test.close());
beforeEach(async () => {
  organisation = await test.organisation();
  await organisation.live.patch('/settings', { otlp: { preset: 'detect_1' } });
});

async function answerTo(body: string | Buffer, type = JSON_TYPE) {
  const headers = { 'content-type': type };
  const { status, bytes } = await postTraces(test.http, organisation.live.key, body, headers);
  expect(status, bytes.toString()).toBe(200);
  return bytes;
}

const toldOf = async (body: unknown): Promise<unknown> =>
  JSON.parse((await answerTo(JSON.stringify(body))).toString()).partialSuccess;

describe('The answer to a request that recorded nothing', () => {
  it.for<readonly [body: unknown, told: string]>([
    [
      { resource_spans: [{}] },
      'the request has no spans, but resource_spans where resourceSpans is expected',
    ],
    [
      { resourceSpans: [{ resource: {}, scope_spans: [] }] },
      'scope_spans where scopeSpans is expected',
    ],
    [
      { resourceSpans: [{ instrumentationLibrarySpans: [] }] },
      'instrumentationLibrarySpans where scopeSpans',
    ],
    [
      { resourceSpans: [{ scopeSpans: [{ scope: {}, span: [] }] }] },
      'span where spans is expected',
    ],
    [{ resourceLogs: [{}] }, 'the request has no spans, but logs, which are not recorded'],
    [{ resourceMetrics: [] }, 'the request has no spans, but metrics, which are not recorded'],
    [{ ['x'.repeat(5000)]: 1 }, `but ${'x'.repeat(60)} where`],
  ])('The answer names what is wrong: %o', async ([body, told]) => {
    const partial = await toldOf(body);
    expect(partial).toEqual({ rejectedSpans: '0', errorMessage: expect.stringContaining(told) });
  });

  it.for([
    {},
    { resourceSpans: [] },
    { resourceSpans: [{ resource: {} }] },
    { resourceSpans: [{ scopeSpans: [{}] }] },
  ])('%o is empty, and says nothing', async (body) => {
    expect(await toldOf(body)).toBeUndefined();
  });

  it('Spans that are no decisions are counted by reason', async () => {
    const chat = jsonSpan({ 'gen_ai.operation.name': { stringValue: 'chat' } });
    const untold = jsonSpan({ 'gen_ai.tool.call.arguments': undefined });
    expect(await toldOf(JSON.parse(jsonRequest(chat, chat, untold)))).toEqual({
      rejectedSpans: '0',
      errorMessage:
        'no span was recorded: no rule applies to 2; 1 of tools have neither inputs nor outputs: let the ' +
        'instrumentation capture content, or set without_content in a rule',
    });
  });

  it('Beside a decision they are not worth a word, in either encoding', async () => {
    const chat = jsonSpan({ 'gen_ai.operation.name': { stringValue: 'chat' } });
    expect(await toldOf(JSON.parse(jsonRequest(jsonSpan(), chat)))).toBeUndefined();
    expect((await answerTo('', PROTOBUF)).length).toBe(0);
  });

  it('In protobuf, too', async () => {
    const unknown = Buffer.from([0x12, 0x01, 0x00]);
    expect((await answerTo(unknown, PROTOBUF)).toString()).toContain('the request has no spans');
  });
});

describe('Integers that are JSON numbers', () => {
  const recordedAt = async (start: string, more = '') => {
    const span = JSON.stringify(jsonSpan({}, { startTimeUnixNano: 'HERE', endTimeUnixNano: 'END' }))
      .replace('"HERE"', start)
      .replace('"END"', start)
      .replace('"attributes":[', `"attributes":[${more}`);
    await answerTo(`{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`);
    const { decisions } = dataOf(await organisation.live.get('/decisions'), DecisionPage);
    return decisions[0];
  };

  it.for(['1776331800123456789', '1776331800123456789 ', '"1776331800123456789"'])(
    'The nanoseconds %s are read',
    async (start) => {
      expect((await recordedAt(start))?.timestamp).toBe('2026-04-16T09:30:00.123Z');
    },
  );

  it('No digit of an attribute is lost, and no text is changed', async () => {
    const text = String.raw`{"key":"gen_ai.tool.call.result","value":{"stringValue":"{\"startTimeUnixNano\": 7}"}},`;
    const wide = '{"key":"decision_ledger.metadata.id","value":{"intValue": 9007199254740993}},';
    const decision = await recordedAt('1776331800000000000', text + wide);
    expect(decision?.metadata?.id).toBe('9007199254740993');
    expect(decision?.outputs).toEqual({ startTimeUnixNano: 7 });
  });
});

describe('Metrics and logs', () => {
  const send = (path: string, key: string, type = JSON_TYPE) =>
    test.http.inject({
      method: 'POST',
      url: path,
      headers: { 'x-ledger-key': key, 'content-type': type },
      payload: '{"resourceMetrics":[]}',
    });

  it('They are answered like spans, counted, and said once in the log', async () => {
    const lines = () =>
      test.logLines.filter((line) => line.includes('which are not recorded')).length;
    for (const path of ['/v1/metrics', '/v1/logs']) {
      const before = lines();
      for (const type of [JSON_TYPE, PROTOBUF, JSON_TYPE]) {
        const answer = await send(path, organisation.live.key, type);
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type]);
        expect(answer.body).toBe(type === JSON_TYPE ? '{}' : '');
      }
      expect(lines() - before).toBe(1);
    }
    const { body } = await test.http.inject('/metrics');
    expect(body).toContain('ledger_otlp_dropped_requests_total{signal="metrics"} 3');
    expect(body).toContain('ledger_otlp_dropped_requests_total{signal="logs"} 3');
  });

  it('They need the permission of spans, and an encoding of OTLP', async () => {
    const body = { name: 'reader', permissions: ['read'] };
    const { key } = dataOf(await organisation.live.post('/keys', body), IssuedKey, 201);
    for (const path of ['/v1/metrics', '/v1/logs']) {
      expect((await send(path, 'lg_live_nonsense')).statusCode).toBe(401);
      expect((await send(path, key)).statusCode).toBe(403);
      expect((await send(path, organisation.live.key, 'text/plain')).statusCode).toBe(415);
    }
  });
});
