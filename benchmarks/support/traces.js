// Requests of an agent's traces, as an OpenTelemetry collector sends them.
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';
import { decisions } from './decisions.js';

/** Spans of a request: the usual batch of an exporter. */
export const SPANS = 500;

const TRACE_ID = randomBytes(16);
const ZIPPED = { level: 1 };

/**
 * A request whose spans are new every time it is sent.
 * @param {number} every each such span is a tool call, the others are turns of a model
 */
export function traceRequest(every) {
  const body = encode(every);
  const places = placesOf(body, TRACE_ID);
  const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
  return {
    method: /** @type {const} */ ('POST'),
    path: '/v1/traces',
    setupRequest: (/** @type {{ headers: object }} */ request) => {
      const id = randomBytes(16);
      for (const at of places) id.copy(body, at);
      const all = { ...request.headers, ...headers };
      return { ...request, headers: all, body: gzipSync(body, ZIPPED) };
    },
  };
}

/** @param {number} every */
function encode(every) {
  const now = BigInt(Date.now()) * 1_000_000n;
  const spans = decisions(SPANS).map((decision, index) =>
    message([
      [1, TRACE_ID],
      [2, randomBytes(8)],
      [5, Buffer.from(index % every === 0 ? 'execute_tool' : 'chat')],
      ...attributes(index % every === 0 ? toolCall(decision) : turn(decision)).map(
        (/** @type {Uint8Array} */ one) => /** @type {const} */ ([9, one]),
      ),
      [7, now],
      [8, now + 250_000_000n],
    ]),
  );
  const scope = message(spans.map((span) => /** @type {const} */ ([2, span])));
  return Buffer.from(message([[1, message([[2, scope]])]]));
}

/** @param {any} decision */
function toolCall(decision) {
  return {
    ...common(decision, 'execute_tool'),
    'gen_ai.tool.name': decision.action_type,
    'gen_ai.tool.call.id': 'call_7Qm2',
    'gen_ai.tool.call.arguments': JSON.stringify(decision.inputs),
    'gen_ai.tool.call.result': JSON.stringify(decision.outputs),
    'decision_ledger.confidence': String(decision.confidence),
  };
}

/** @param {any} decision */
function turn(decision) {
  return {
    ...common(decision, 'chat'),
    'gen_ai.response.finish_reasons': 'stop',
    'gen_ai.input.messages': JSON.stringify(decision.inputs),
    'gen_ai.output.messages': JSON.stringify(decision.outputs),
  };
}

/**
 * @param {any} decision
 * @param {string} operation
 */
function common({ agent_id }, operation) {
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-5',
    'gen_ai.agent.name': agent_id,
    'gen_ai.conversation.id': 'conv_5j66UpCpwteGg4YSxUnt7lPY',
  };
}

/** @param {{ [name: string]: string }} values */
function attributes(values) {
  return Object.entries(values).map(([name, value]) =>
    message([
      [1, Buffer.from(name)],
      [2, message([[1, Buffer.from(value)]])],
    ]),
  );
}

/** @param {readonly (readonly [number, Uint8Array | bigint])[]} fields bytes, or a fixed 64-bit integer */
function message(fields) {
  const writer = protobuf.Writer.create();
  for (const [field, value] of fields) {
    if (typeof value !== 'bigint') writer.uint32((field << 3) | 2).bytes(value);
    else {
      writer.uint32((field << 3) | 1).fixed32(Number(value & 0xffff_ffffn));
      writer.fixed32(Number(value >> 32n));
    }
  }
  return writer.finish();
}

/**
 * @param {Buffer} body
 * @param {Buffer} part
 */
function placesOf(body, part) {
  const places = [];
  for (let at = body.indexOf(part); at >= 0; at = body.indexOf(part, at + 1)) places.push(at);
  return places;
}
