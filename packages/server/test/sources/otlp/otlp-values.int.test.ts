import { DecisionPage } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldOf, valueCasesOf } from '../../../../contract/test/support/value-cases.js';
import { dataOf } from '../../support/client.js';
import { type Organisation, openTestService, type TestService } from '../../support/service.js';
import {
  JSON_TYPE,
  jsonRequest,
  jsonSpan,
  nested,
  PROTOBUF,
  postTraces,
  requestWith,
  text,
} from './support/otlp-request.js';
import { type AnyValue, keyValueOf, members, OTLP_VALUES } from './support/otlp-values.js';

let test: TestService;
let organisation: Organisation;

beforeAll(async () => {
  test = await openTestService('embedded');
  organisation = await test.organisation();
  await organisation.live.patch('/settings', { otlp: { preset: 'gen_ai_1.45' } });
});
afterAll(() => test.close());

let spans = 0;
const newId = () => {
  spans += 1;
  return spans.toString(16).padStart(16, '0');
};

async function recorded(body: string | Buffer, type: string) {
  const { status, bytes } = await postTraces(test.http, organisation.live.key, body, {
    'content-type': type,
  });
  expect([status, bytes.toString()]).toEqual([200, type === PROTOBUF ? '' : '{}']);
  const { decisions } = dataOf(await organisation.live.get('/decisions?limit=1'), DecisionPage);
  return decisions[0];
}

const ARGUMENTS = 'gen_ai.tool.call.arguments';
const recordedJson = (attributes: Record<string, unknown>) =>
  recorded(jsonRequest(jsonSpan(attributes, { spanId: newId() })), JSON_TYPE);

/** A span in protobuf that the preset records. */
function protobufRequest(input: AnyValue): Buffer {
  const attributes = {
    'gen_ai.operation.name': { stringValue: 'execute_tool' },
    'gen_ai.tool.name': { stringValue: 'refund' },
    'gen_ai.agent.name': { stringValue: 'refund-bot' },
    [ARGUMENTS]: input,
  };
  return requestWith(
    nested(1, Buffer.alloc(16, 7)),
    nested(2, Buffer.from(newId(), 'hex')),
    nested(5, text('execute_tool refund')),
    Buffer.concat([Buffer.from([0x39]), Buffer.from(timeOf(1_776_331_800_000_000_000n))]),
    nested(9, ...Object.entries(attributes).map(([key, value]) => keyValueOf(key, value))),
  );
}

function timeOf(nanoseconds: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(nanoseconds);
  return bytes;
}

const CASES = valueCasesOf('otlp').map((one) => [one.name, one] as const);
/** Protobuf has UTF-8, which has no half of a pair. */
const IN_UTF8 = CASES.filter(([, { becomes }]) => !/\ufffd/.test(JSON.stringify(becomes)));
const TEXTS = valueCasesOf('json-text').map((one) => [one.name, one] as const);
const oddOf = (name: string): AnyValue => {
  const odd = OTLP_VALUES[name];
  if (odd === undefined) throw new Error(`no value for ${name}`);
  return members(['kept', { stringValue: '49.00' }], ['odd', odd]);
};

describe('An odd value degrades alone', () => {
  it.for(CASES)('In an attribute as JSON: %s', async ([name, { inputs, degraded }]) => {
    const found = await recordedJson({ [ARGUMENTS]: oddOf(name) });
    expect(found && heldOf(found)).toEqual({ inputs, degraded });
  });

  it.for(IN_UTF8)('In an attribute as protobuf: %s', async ([name, { inputs, degraded }]) => {
    const found = await recorded(protobufRequest(oddOf(name)), PROTOBUF);
    expect(found && heldOf(found)).toEqual({ inputs, degraded });
  });

  it.for(TEXTS)('In a JSON text: %s', async ([, one]) => {
    const stringValue = `{"kept":"49.00","odd":${one.text}}`;
    const found = await recordedJson({ [ARGUMENTS]: { stringValue } });
    expect(found && heldOf(found)).toEqual({ inputs: one.inputs, degraded: one.degraded });
  });

  it('In a text that is not UTF-8', async () => {
    const request = protobufRequest(members(['odd', { stringValue: 'a?b' }]));
    request[request.indexOf('a?b') + 1] = 0xff;
    const found = await recorded(request, PROTOBUF);
    expect(found && heldOf(found)).toEqual({
      ...{ inputs: { odd: 'a\ufffdb' }, degraded: ['/inputs/odd'] },
    });
  });

  it('In the message of a failure, and in a number of JSON', async () => {
    const span = jsonSpan(
      { 'decision_ledger.metadata.order': { intValue: 0 } },
      { spanId: newId(), status: { code: 2, message: 'no\u0000' } },
    );
    const body = jsonRequest(span).replace('"intValue":0', '"intValue":9007199254740993');
    expect(await recorded(body, JSON_TYPE)).toMatchObject({
      outputs: { error: { type: 'error', message: 'no\ufffd' } },
      metadata: {
        order: '9007199254740993',
        degraded: ['/metadata/order', '/outputs/error/message'],
      },
    });
  });
});

describe('A mask', () => {
  it('It hides what a text repeats, and texts that are no JSON', async () => {
    const mask = ['inputs.card', 'outputs.card'];
    const masked = await test.organisation();
    const otlp = { version: 2, preset: 'gen_ai_1.45', mask };
    await masked.live.patch('/settings', { otlp });
    const span = jsonSpan({
      [ARGUMENTS]: { stringValue: '{"card":"4111","card":"4222","n":12345678901234567890}' },
      'gen_ai.tool.call.result': { stringValue: 'card 4333' },
    });
    await postTraces(test.http, masked.live.key, jsonRequest(span));
    const { decisions } = dataOf(await masked.live.get('/decisions'), DecisionPage);
    expect(decisions).toMatchObject([
      {
        inputs: { card: '[masked]', 'card (2)': '[masked]', n: '12345678901234567890' },
        outputs: { 'gen_ai.tool.call.result': '[masked]' },
      },
    ]);
  });
});
