import { createRequire } from 'node:module';
import { STREAM_PATH } from '@decision-ledger/contract/stream';
import { STREAM_EVENTS } from '@decision-ledger/contract/stream-events';
import { BaseResolver, createConfig, lintDocument, Source } from '@redocly/openapi-core';
import { Ajv } from 'ajv';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';

/** The schema that the specification publishes for its documents. */
const official: unknown = createRequire(import.meta.url)(
  '@asyncapi/specs/schemas/3.0.0-without-$id.json',
);

const Described = Type.Object({
  asyncapi: Type.Literal('3.0.0'),
  channels: Type.Record(Type.String(), Type.Object({ address: Type.String() })),
  components: Type.Object({
    messages: Type.Record(
      Type.String(),
      Type.Object({
        name: Type.String(),
        payload: Type.Object({ $ref: Type.String() }),
        examples: Type.Array(Type.Object({ payload: Type.Unknown() }), { minItems: 1 }),
      }),
    ),
    schemas: Type.Record(Type.String(), Type.Object({})),
  }),
});

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

it('The description of the stream is valid AsyncAPI 3.0', async () => {
  const { status, text } = await request(bed.http, 'GET', '/asyncapi.json');
  expect(status).toBe(200);
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile(Object(official));
  validate(JSON.parse(text));
  expect(validate.errors ?? []).toEqual([]);
  // The check itself detects errors.
  expect(validate({ ...JSON.parse(text), channels: { stream: { address: 5 } } })).toBe(false);
});

it('A linter with the recommended rules finds nothing in the description of the stream', async () => {
  const { text } = await request(bed.http, 'GET', '/asyncapi.json');
  const problems = await lintDocument({
    document: { source: new Source('asyncapi.json', text), parsed: JSON.parse(text) },
    config: await createConfig({ extends: ['recommended'] }),
    externalRefResolver: new BaseResolver(),
  });
  expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
});

it('The description has a message for each type, and frames match its schema', async () => {
  const described = Parse(
    Described,
    JSON.parse((await request(bed.http, 'GET', '/api/v1/asyncapi.json')).text),
  );
  expect(described.channels.stream?.address).toBe(STREAM_PATH);
  const { messages, schemas } = described.components;
  expect(Object.keys(messages)).toEqual(STREAM_EVENTS.map(({ type }) => type));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const { type, schema } of STREAM_EVENTS) {
    const name = messages[type]?.payload.$ref.replace('#/components/schemas/', '') ?? '';
    const payload = Object(schemas[name]);
    expect(Object.keys(payload.properties.data.properties)).toEqual(Object.keys(schema.properties));
    expect(ajv.validate(payload, { type })).toBe(false);
    for (const example of messages[type]?.examples ?? [])
      expect(ajv.validate(payload, example.payload), ajv.errorsText()).toBe(true);
  }
});

it('Both descriptions state the same ways to open the stream', async () => {
  const read = async (path: string) => JSON.parse((await request(bed.http, 'GET', path)).text);
  const [http, stream] = [await read('/openapi.json'), await read('/asyncapi.json')];
  const ways = http.paths[STREAM_PATH].get.security.flatMap(Object.keys);
  const { security } = stream.operations.sendEvents;
  const refs = ways.map((way: string) => ({ $ref: `#/components/securitySchemes/${way}` }));
  expect(security).toEqual(refs);
  expect(stream.components.securitySchemes.key).toEqual({
    ...http.components.securitySchemes.key,
    type: 'httpApiKey',
  });
});
