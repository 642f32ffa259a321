import { gzipSync } from 'node:zlib';
import { DecisionPage } from '@decision-ledger/contract/decision';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../proof/test/support/cpu-time.js';
import { dataOf } from '../../support/client.js';
import { type Organisation, openTestService, type TestService } from '../../support/service.js';
import {
  expectStatus,
  JSON_TYPE,
  jsonRequest,
  jsonSpan,
  nested,
  PROTOBUF,
  postTraces,
  requestWith,
  text,
} from './support/otlp-request.js';

let test: TestService;
let organisation: Organisation;

beforeAll(async () => {
  test = await openTestService('embedded');
  organisation = await test.organisation();
  const recording = { max_upload_bytes: 262_144 };
  await organisation.live.patch('/settings', { otlp: { preset: 'gen_ai_1.45' }, recording });
});
afterAll(() => test.close());

const post = (body: string | Buffer, type = PROTOBUF, headers: Record<string, string> = {}) =>
  postTraces(test.http, organisation.live.key, body, { 'content-type': type, ...headers });
const posted = (...spans: readonly unknown[]) => post(jsonRequest(...spans), JSON_TYPE);
/** The answer, and the CPU time until it came. */
async function measured(body: Buffer) {
  let answer: Awaited<ReturnType<typeof post>> | undefined;
  const spent = await cpuMs(async () => {
    answer = await post(body);
  });
  if (answer === undefined) throw new Error('nothing was answered');
  return { answer, spent };
}
const gzipped = { 'content-encoding': 'gzip' };

async function count(): Promise<number> {
  const page = dataOf(await organisation.live.get('/decisions?limit=500'), DecisionPage);
  return page.decisions.length;
}

const MIB = 1024 * 1024;
const attribute = (value: Uint8Array) =>
  nested(9, Buffer.concat([nested(1, text('a')), nested(2, value)]));

/** An attribute whose value is a list in a list and so on. */
function deep(levels: number): Uint8Array {
  let value: Uint8Array = nested(1, text('x'));
  for (let level = 0; level < levels; level += 1) value = nested(5, nested(1, value));
  return attribute(value);
}

describe('A hostile request in protobuf', () => {
  it.for<readonly [what: string, body: Buffer, message: RegExp]>([
    [
      'random text',
      Buffer.from('{"resourceSpans":[]}'),
      /not an ExportTraceServiceRequest in protobuf/,
    ],
    [
      'a cut message',
      requestWith(nested(5, text('name'))).subarray(0, -2),
      /longer than its message/,
    ],
    [
      'a length beyond the body',
      Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x07]),
      /longer than its message/,
    ],
    [
      'a length that is no integer',
      Buffer.from([0x0a, ...Array.from({ length: 10 }, () => 0xff)]),
      /in protobuf/,
    ],
    ['a varint in place of a span', Buffer.from([0x08, 0x01]), /wire type 0 does not fit/],
    [
      'a varint in place of a name',
      requestWith(Buffer.from([0x28, 0x01])),
      /wire type 0 does not fit/,
    ],
    ['a text in place of a time', requestWith(nested(7, text('now'))), /wire type 2 does not fit/],
    [
      'a text in place of a number',
      requestWith(attribute(nested(4, text('1')))),
      /wire type 2 does not fit/,
    ],
    ['field number 0', Buffer.from([0x02, 0x00]), /in protobuf/],
    ['groups in groups', Buffer.alloc(100_000, 0x1b), /in protobuf/],
    ['a group without an end', Buffer.from([0x1b, 0x08]), /in protobuf/],
  ])('With %s it is refused with 400, naming the place', async ([, body, message]) => {
    expectStatus(await post(body), 400, 3, message);
  });

  it.for<readonly [what: string, body: Buffer]>([
    ['empty groups of spans', Buffer.alloc(2 * MIB, Buffer.from([0x0a, 0x00]))],
    [
      'empty spans',
      Buffer.from(nested(1, nested(2, Buffer.alloc(2 * MIB, Buffer.from([0x12, 0x00]))))),
    ],
    ['unknown fields', Buffer.alloc(2 * MIB, Buffer.from([0x18, 0x01]))],
    ['unknown fields of a span', requestWith(Buffer.alloc(2 * MIB, Buffer.from([0x18, 0x01])))],
  ])('A million %s in two bytes each are refused with 413, quickly', async ([, body]) => {
    const { answer, spent } = await measured(body);
    expectStatus(answer, 413, 8, /more than \d+ (spans|attributes|unknown fields)/);
    expect(spent).toBeLessThan(2000);
  });

  it.for<readonly [what: string, body: Buffer]>([
    ['empty attributes', requestWith(Buffer.alloc(2 * MIB, Buffer.from([0x4a, 0x00])))],
    ['empty events', requestWith(Buffer.alloc(2 * MIB, Buffer.from([0x5a, 0x00])))],
    [
      'empty elements',
      requestWith(attribute(nested(5, Buffer.alloc(2 * MIB, Buffer.from([0x0a, 0x00]))))),
    ],
  ])('A span with a million %s in two bytes each is refused, quickly', async ([, body]) => {
    const { answer, spent } = await measured(body);
    expect(answer.status).toBe(200);
    expect(answer.bytes.toString()).toContain('more than 20000 attributes and elements');
    expect(spent).toBeLessThan(2000);
  });

  it('A span with a deep attribute or a broken text is read', async () => {
    const bodies = [
      requestWith(deep(17)),
      requestWith(deep(5000)),
      requestWith(nested(5, Buffer.from([0xff]))),
    ];
    for (const body of bodies) {
      const answer = await post(body);
      expect(answer.status).toBe(200);
      expect(answer.bytes.toString()).toContain('no rule applies to 1');
    }
  });

  it('Any change of any byte is answered with 200, 400 or 413', async () => {
    const span = [
      nested(1, Buffer.alloc(16, 7)),
      nested(2, Buffer.alloc(8, 9)),
      nested(5, text('execute_tool refund')),
      deep(3),
      nested(11, nested(2, text('event'))),
      nested(15, nested(2, text('failed'))),
    ];
    const valid = requestWith(...span);
    expect((await post(valid)).status).toBe(200);
    const change = fc.tuple(
      fc.nat(valid.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.nat(valid.length),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([at, byte, end]) => {
        const changed = Buffer.from(valid);
        changed[at] = byte;
        expect([200, 400, 413]).toContain((await post(changed.subarray(0, end))).status);
      }),
      { numRuns: 300 },
    );
  });
});

describe('A hostile request in JSON', () => {
  it.for<readonly [body: string, message: RegExp]>([
    ['', /the body: The text is empty/],
    ['{"resourceSpans":', /the body: /],
    ['[]', /the body must be an object/],
    ['{"resourceSpans":{}}', /^resourceSpans must be an array$/],
    ['{"resourceSpans":[1]}', /^resourceSpans\[0\] must be an object$/],
    [
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":5}]}]}]}',
      /spans\[0\]\.name must be a string$/,
    ],
    ['{"resourceSpans":[],"resourceSpans":[]}', /^the body repeats a member$/],
    [
      jsonRequest(jsonSpan({ a: { intValue: 'many' } })),
      /intValue must be an integer, written as a string$/,
    ],
    [jsonRequest(jsonSpan({ a: { intValue: 1.5 } })), /intValue must be an integer/],
    [jsonRequest(jsonSpan({ a: { doubleValue: 'one' } })), /doubleValue must be a number$/],
    [jsonRequest(jsonSpan({ a: { boolValue: 1 } })), /boolValue must be true or false$/],
    [jsonRequest(jsonSpan({ a: { arrayValue: [] } })), /arrayValue must be an object$/],
    [
      jsonRequest(jsonSpan({}, { status: { code: 'STATUS_CODE_ERROR' } })),
      /status\.code must be a number/,
    ],
    [
      jsonRequest(jsonSpan({}, { startTimeUnixNano: '2026-04-16' })),
      /startTimeUnixNano must be an integer/,
    ],
    ['['.repeat(20_000), /^(\[0\]){20}.{0,200}: /],
    [
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a","name":"b"}]}]}]}',
      /repeats a member$/,
    ],
  ])('%s is refused with 400, naming the member', async ([body, message]) => {
    expectStatus(await post(body, JSON_TYPE), 400, 3, message);
  });

  it('A text that is not UTF-8 is refused with 400', async () => {
    expectStatus(await post(Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE), 400, 3, /not UTF-8/);
  });

  it.for<readonly [what: string, span: unknown, message: RegExp]>([
    [
      'a trace id in base64',
      jsonSpan({}, { traceId: 'S/kvNXezTaajzpKdDg5HNg==' }),
      /its trace id must be 32/,
    ],
    ['a span id of zeros', jsonSpan({}, { spanId: '0000000000000000' }), /its span id must be 16/],
    ['no start', jsonSpan({}, { startTimeUnixNano: '0' }), /start time is missing/],
    [
      'a start that is near',
      jsonSpan({}, { startTimeUnixNano: '1876331800000000000' }),
      /5 minutes in the future/,
    ],
    [
      'a long name',
      jsonSpan({ 'gen_ai.tool.name': { stringValue: 'x'.repeat(201) } }),
      /longer than 200/,
    ],
  ])('Only the span with %s is refused, and the message says why', async ([, span, message]) => {
    const before = await count();
    const other = jsonSpan({}, { spanId: (before + 1).toString(16).padStart(16, '0') });
    const answer = await posted(span, other);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.bytes.toString())).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringMatching(message) },
    });
    expect(await count()).toBe(before + 1);
  });
});

describe('The packing of a request', () => {
  it('A body that unpacks to more than 8 MiB is refused, however small it is', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MIB));
    expect(bomb.length).toBeLessThan(MIB);
    const before = process.memoryUsage().rss;
    expectStatus(await post(bomb, PROTOBUF, gzipped), 413, 8, /unpacks to, more than 8 MiB/);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
    const twice = gzipSync(gzipSync(Buffer.alloc(20 * MIB)));
    expectStatus(await post(twice, PROTOBUF, gzipped), 400, 3, /in protobuf/);
  });

  it.for([1_900_000, 2_600_000])(
    'A small body that unpacks to %d empty objects is refused for good',
    async (objects) => {
      const bomb = gzipSync(`{"resourceSpans":[${'{},'.repeat(objects - 1)}{}]}`);
      expect(bomb.length).toBeLessThan(10_000);
      expectStatus(await post(bomb, JSON_TYPE, gzipped), 413, 8, /more than/);
    },
  );

  it('A body that is larger than the largest upload allows is refused', async () => {
    const body = Buffer.alloc(8 * MIB + 262_145);
    expectStatus(await post(body), 413, 8, /more than 8 MiB/);
  });

  it('A body that is cut, not gzip, or in another packing is refused', async () => {
    const body = gzipSync(jsonRequest(jsonSpan()));
    const cut = body.subarray(0, -10);
    expectStatus(
      await post(cut, JSON_TYPE, gzipped),
      400,
      3,
      /not in the gzip format, or is truncated/,
    );
    expectStatus(await post('{}', JSON_TYPE, gzipped), 400, 3, /not in the gzip format/);
    expectStatus(
      await post('{}', JSON_TYPE, { 'content-encoding': 'br' }),
      415,
      3,
      /gzip or uncompressed/,
    );
  });

  it('Another content type is refused with 415', async () => {
    for (const type of ['text/plain', 'application/grpc', 'application/xml; charset=utf-8']) {
      expectStatus(await post('{}', type), 415, 3, /application\/x-protobuf or application\/json/);
    }
  });
});
