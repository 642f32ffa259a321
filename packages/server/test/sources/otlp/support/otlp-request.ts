import protobuf from 'protobufjs/minimal.js';
import { expect } from 'vitest';
import type { Http } from '#server/http/types';
import { expectDescribed } from '../../../support/described-errors.js';

export const PROTOBUF = 'application/x-protobuf';
export const JSON_TYPE = 'application/json';

export interface OtlpAnswer {
  readonly status: number;
  readonly type: string;
  readonly retryAfter: string | undefined;
  readonly bytes: Buffer;
}

type Headers = Readonly<Record<string, string>>;

/** One request with nothing added but the key. A failure must be described by the API description. */
export async function postTraces(
  http: Http,
  key: string,
  payload: string | Buffer,
  headers: Headers = { 'content-type': JSON_TYPE },
): Promise<OtlpAnswer> {
  const answer = await http.inject({
    method: 'POST',
    url: '/v1/traces',
    headers: { 'x-ledger-key': key, ...headers },
    payload,
  });
  const type = String(answer.headers['content-type']);
  const retryAfter = answer.headers['retry-after'];
  const bytes = answer.rawPayload;
  if (answer.statusCode >= 400) {
    const status = type === PROTOBUF ? statusIn(bytes) : JSON.parse(bytes.toString());
    expectDescribed(http, 'POST', '/v1/traces', JSON.stringify(status));
  }
  return {
    status: answer.statusCode,
    type,
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
    bytes,
  };
}

/** A google.rpc.Status in protobuf. */
function statusIn(bytes: Buffer): { code: number; message: string } {
  const reader = protobuf.Reader.create(bytes);
  let [code, message] = [0, ''];
  while (reader.pos < reader.len) {
    const field = reader.uint32() >>> 3;
    if (field === 1) code = reader.int32();
    else message = reader.string();
  }
  return { code, message };
}

/** Refuses with this status of HTTP and gRPC, in JSON. */
export function expectStatus(answer: OtlpAnswer, status: number, code: number, text: RegExp): void {
  const content: unknown =
    answer.type === PROTOBUF ? statusIn(answer.bytes) : JSON.parse(answer.bytes.toString());
  expect({ status: answer.status, content }).toEqual({
    status,
    content: { code, message: expect.stringMatching(text) },
  });
}

/** A message of protobuf that holds others in one field. */
export function nested(field: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const writer = protobuf.Writer.create();
  for (const content of contents) writer.uint32((field << 3) | 2).bytes(content);
  return writer.finish();
}

/** A request with one span that has these fields, in protobuf. */
export function requestWith(...spanFields: readonly Uint8Array[]): Buffer {
  const span = Buffer.concat(spanFields);
  return Buffer.from(nested(1, nested(2, nested(2, span))));
}

export const text = (value: string): Uint8Array => Buffer.from(value, 'utf8');

/** A span in OTLP/JSON that the preset records. */
export function jsonSpan(attributes: Readonly<Record<string, unknown>> = {}, rest: object = {}) {
  const all: Record<string, unknown> = {
    'gen_ai.operation.name': { stringValue: 'execute_tool' },
    'gen_ai.tool.name': { stringValue: 'refund' },
    'gen_ai.agent.name': { stringValue: 'refund-bot' },
    'decision_ledger.confidence': { doubleValue: 0.9 },
    'gen_ai.tool.call.arguments': { stringValue: '{}' },
    ...attributes,
  };
  return {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    name: 'execute_tool refund',
    startTimeUnixNano: '1776331800000000000',
    attributes: Object.entries(all)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ({ key, value })),
    ...rest,
  };
}

export const jsonRequest = (...spans: readonly unknown[]): string =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
