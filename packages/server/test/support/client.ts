import { ERROR_STATUS, type ErrorCode } from '@decision-ledger/contract/errors';
import { parseJson } from '@decision-ledger/proof/gate';
import { type Static, type TSchema, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { expect } from 'vitest';
import type { Http } from '#server/http/types';
import { expectDescribed } from './described-errors.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headerNames: readonly string[];
  header(name: string): string | undefined;
}

/** A caller of the API with one key. Paths are below `/api/v1`. */
export interface Client {
  readonly key: string;
  get(path: string, headers?: Headers): Promise<Answer>;
  /** @param body sent as it is if it is text or bytes, as JSON otherwise */
  post(path: string, body: unknown, headers?: Headers): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Headers): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

export function clientOf(http: Http, key = ''): Client {
  const own = key === '' ? {} : { 'x-ledger-key': key };
  const call = (method: Method, path: string, headers: Headers = {}, payload?: string | Buffer) =>
    request(http, method, `/api/v1${path}`, { ...own, ...headers }, payload);
  const json = { 'content-type': 'application/json' };
  return {
    key,
    get: (path, headers) => call('GET', path, headers),
    post: (path, body, headers) => call('POST', path, { ...json, ...headers }, payloadOf(body)),
    patch: (path, body, headers) => call('PATCH', path, { ...json, ...headers }, payloadOf(body)),
    delete: (path) => call('DELETE', path),
  };
}

function payloadOf(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

/** One request with nothing added. */
export async function request(
  http: Http,
  method: Method,
  url: string,
  headers: Headers = {},
  payload?: string | Buffer,
): Promise<Answer> {
  const options = { method, url, headers: { ...headers } };
  const answer = await http.inject(payload === undefined ? options : { ...options, payload });
  if (answer.statusCode >= 400) expectDescribed(http, method, url, answer.body);
  return {
    status: answer.statusCode,
    text: answer.body,
    headerNames: Object.keys(answer.headers),
    header: (name) => {
      const value = answer.headers[name.toLowerCase()];
      return value === undefined ? undefined : String(value);
    },
  };
}

/** The data of a successful answer, checked against its schema. */
export function dataOf<Schema extends TSchema>(
  answer: Answer,
  schema: Schema,
  status = 200,
): Static<Schema> {
  expect(answer, answer.text).toMatchObject({ status });
  const { data, meta } = Parse(Success, parseJson(answer.text, 80));
  expect(answer.header('x-request-id')).toBe(meta.request_id);
  return Parse(schema, data);
}

const Closed = { additionalProperties: false };
const Meta = Type.Object({ request_id: Type.String(), timestamp: Type.String() }, Closed);
const Success = Type.Object({ data: Type.Unknown(), meta: Meta }, Closed);
const Fields = Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1 }));
const Failure = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Enum([...typedKeys(ERROR_STATUS)]),
        message: Type.String({ minLength: 1 }),
        details: Type.Optional(
          Type.Object(
            { fields: Fields, refused: Type.Optional(Type.Array(Type.Unknown())) },
            Closed,
          ),
        ),
      },
      Closed,
    ),
  },
  Closed,
);

function typedKeys(table: typeof ERROR_STATUS): ErrorCode[] {
  return Object.keys(table).filter((name): name is ErrorCode => name in table);
}

/** The error of an envelope whose status matches its code. */
export function errorOf(answer: Answer): Static<typeof Failure>['error'] {
  expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.header('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  const { error } = Parse(Failure, JSON.parse(answer.text));
  expect(answer.status).toBe(ERROR_STATUS[error.code]);
  return error;
}

/** Expects a refusal with this code; a validation error must name exactly these fields. */
export function expectRefusal(answer: Answer, code: ErrorCode, ...fields: string[]): void {
  const error = errorOf(answer);
  expect(
    { code: error.code, fields: Object.keys(error.details?.fields ?? {}) },
    answer.text,
  ).toEqual({ code, fields });
}

/** A valid body of POST /decisions. */
export function decision(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    agent_id: 'agent',
    action_type: 'refund',
    inputs: { order: 1 },
    outputs: { approved: true },
    confidence: 0.9,
    ...fields,
  };
}
