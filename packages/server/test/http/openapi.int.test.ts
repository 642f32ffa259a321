import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { NAMED_SCHEMAS } from '@decision-ledger/contract/named-schemas';
import { BaseResolver, createConfig, lintDocument, Source } from '@redocly/openapi-core';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { type TSchema, Type } from 'typebox';
import { Check, Parse } from 'typebox/value';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUARANTEES } from '#server/http/openapi/guarantees';
import { request } from '../support/client.js';
import { SERVER } from '../support/paths.js';
import { openTestService, type TestService } from '../support/service.js';
import { breakingChanges } from './support/breaking-changes.js';

const Media = Type.Object({ schema: Type.Unknown(), example: Type.Optional(Type.Unknown()) });
const Answer = Type.Object({
  headers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  content: Type.Optional(Type.Record(Type.String(), Media)),
});
const Operation = Type.Object({
  operationId: Type.String({ pattern: '^[a-z][A-Za-z]+$' }),
  tags: Type.Array(Type.String(), { minItems: 1, maxItems: 1 }),
  requestBody: Type.Optional(Type.Object({ content: Type.Record(Type.String(), Media) })),
  responses: Type.Record(Type.String(), Answer),
  security: Type.Array(Type.Record(Type.String(), Type.Array(Type.String()))),
});
const Description = Type.Object({
  servers: Type.Array(Type.Object({ url: Type.String() }), { minItems: 1 }),
  tags: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});

let bed: TestService;
let text: string;

beforeAll(async () => {
  bed = await openTestService('embedded');
  text = (await request(bed.http, 'GET', '/openapi.json')).text;
});
afterAll(() => bed.close());

function operations() {
  const { paths } = Parse(Description, JSON.parse(text));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, name: `${method} ${path}` })),
  );
}

describe('API description for generators', () => {
  it('A linter with the recommended rules finds nothing', async () => {
    const problems = await lintDocument({
      document: { source: new Source('openapi.json', text), parsed: JSON.parse(text) },
      config: await createConfig({ extends: ['recommended'] }),
      externalRefResolver: new BaseResolver(),
    });
    expect(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([]);
  });

  it('Every operation has its own id, a described tag, and examples of what it takes and answers', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const { tags } = Parse(Description, JSON.parse(text));
    const described = tags.map(({ name }) => name);
    for (const { name, requestBody, responses, tags: own } of operations()) {
      expect(described, name).toContain(own[0]);
      const media = [requestBody, ...Object.values(responses)]
        .flatMap((part) => Object.entries(part?.content ?? {}))
        .filter(([type, one]) => type === 'application/json' && !('examples' in one));
      for (const [, one] of media) expect(one.example, name).toBeDefined();
    }
  });

  it('Every text about an operation belongs to one', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(Object.keys(GUARANTEES).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('Every answer names its request, and every refusal to retry says when', () => {
    for (const { name, responses } of operations()) {
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        expect(Object.keys(headers), `${name} ${status}`).toContain('X-Request-ID');
        if (status === '429' || status === '503') expect(headers).toHaveProperty('Retry-After');
      }
    }
  });

  it('Every operation lists the ways to authenticate that it accepts', () => {
    const ways = new Map(
      operations().map(({ operationId, security }) => [
        operationId,
        security.map((way) => Object.keys(way).join()),
      ]),
    );
    expect(ways.get('openStream')).toEqual(['key', 'session', 'keyInQuery', 'ticket']);
    expect(ways.get('downloadExport')).toEqual(['key', 'session', 'signature']);
    expect(ways.get('receiveStripeEvent')).toEqual(['key', 'session', 'keyInQuery']);
    expect(ways.get('getVersion')).toEqual([]);
    expect(ways.get('recordDecision')).toEqual(['key', 'session']);
    expect(ways.get('openSession')).toEqual(['key']);
  });

  const examples = Parse(
    Type.Record(Type.String(), Type.Unknown()),
    JSON.parse(readFileSync(resolve(SERVER, 'openapi/examples.json'), 'utf8')),
  );
  const named: Readonly<Record<string, TSchema>> = NAMED_SCHEMAS;

  it.for(Object.keys(named))('The example of %s fits its schema', (name) => {
    expect(examples, 'record it with scripts/openapi-examples.js').toHaveProperty(name);
    expect(Check(named[name] ?? Type.Never(), examples[name])).toBe(true);
  });
});

/** Compiles against the generated types only if filters, answers and errors have the types that callers need. */
const CALLER = `
import type { components, operations } from './generated.js';
type Filters = NonNullable<operations['listDecisions']['parameters']['query']>;
export const filters: Filters = { agent_id: 'refund-bot', metadata: { 'metadata.order_id': 'A-1001' } };
type Answer = operations['getDecision']['responses'][200]['content']['application/json'];
export const hashOf = (answer: Answer): string => answer.data.hash;
export const hashOfDecision = (decision: components['schemas']['Decision']): string => decision.hash;
type Refusal = operations['confirmLink']['responses'][409]['content']['application/json'];
export const codeOf = (refusal: Refusal): 'conflict' | 'invalid_state' => refusal.error.code;
// @ts-expect-error a limit is a number
export const wrong: Filters = { limit: 'many' };
`;

describe('Types generated from the API description', () => {
  it('A caller with filters by metadata, answers and error codes compiles', async () => {
    const generated = astToString(await openapiTypeScript(JSON.parse(text)));
    const files = new Map([
      ['/generated.ts', generated],
      ['/caller.ts', CALLER],
    ]);
    const options: ts.CompilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
      ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 },
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists, readFile } = host;
    host.fileExists = (path) => files.has(path) || fileExists(path);
    host.readFile = (path) => files.get(path) ?? readFile(path);
    host.getSourceFile = (path, version, ...rest) => {
      const own = files.get(path);
      return own === undefined
        ? getSourceFile(path, version, ...rest)
        : ts.createSourceFile(path, own, version);
    };
    const program = ts.createProgram(['/caller.ts'], options, host);
    const problems = ts.getPreEmitDiagnostics(program);
    expect(
      problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ).toEqual([]);
  });
});

const PROSE = new Set(['description', 'summary', 'example', 'examples']);
/** A member of an object with such a name describes it; a property with such a name is an object. */
const withoutProse = (name: string, value: unknown) =>
  PROSE.has(name) && (typeof value === 'string' || name.startsWith('example')) ? undefined : value;

describe('Compatibility', () => {
  const path = resolve(import.meta.dirname, 'released-openapi.json');

  it('Nothing that clients of the released description rely on has changed', () => {
    // A release sets it: the description without its prose becomes that of the last release.
    if (process.env.UPDATE_RELEASED === '1') {
      writeFileSync(path, `${JSON.stringify(JSON.parse(text, withoutProse), null, 1)}\n`);
    }
    const released = JSON.parse(readFileSync(path, 'utf8'));
    expect(breakingChanges(released, JSON.parse(text))).toEqual([]);
  });

  type Document = { [key: string]: Document };
  const BREAKING: Readonly<Record<string, (document: Document) => void>> = {
    'A removed operation': ({ paths }) => {
      Reflect.deleteProperty(paths?.['/api/v1/decisions'] ?? {}, 'post');
    },
    'A renamed operation': ({ paths }) => {
      Object.assign(paths?.['/api/v1/decisions']?.post ?? {}, { operationId: 'createDecision' });
    },
    'A new required member of a body': ({ components }) => {
      const { DecisionBody } = components?.schemas ?? {};
      Object.assign(DecisionBody ?? {}, { required: ['agent_id', 'action_type', 'metadata'] });
    },
    'A member that answers lack': ({ components }) => {
      Reflect.deleteProperty(components?.schemas?.Decision?.properties ?? {}, 'hash');
    },
    'A member that answers may lack': ({ components }) => {
      Object.assign(components?.schemas?.Decision ?? {}, { required: [] });
    },
    'A member of another type': ({ components }) => {
      Object.assign(components?.schemas?.Decision?.properties?.seq ?? {}, { type: 'string' });
    },
    'A tighter limit of the input': ({ components }) => {
      const { agent_id } = components?.schemas?.DecisionBody?.properties ?? {};
      Object.assign(agent_id ?? {}, { maxLength: 20 });
    },
    'A value that is no longer accepted': ({ components }) => {
      const { link_type } = components?.schemas?.LinkBody?.properties ?? {};
      Object.assign(link_type ?? {}, { enum: ['revenue'] });
    },
    'A value of a list that is no longer accepted': ({ paths }) => {
      const parameters: unknown = paths?.['/ws/v1/stream']?.get?.parameters;
      for (const { name, schema } of Array.isArray(parameters) ? parameters : []) {
        if (name === 'types') schema.pattern = schema.pattern.replaceAll('link\\.created|', '');
      }
    },
    'A way to authenticate that is gone': ({ paths }) => {
      Object.assign(paths?.['/ws/v1/stream']?.get ?? {}, { security: [{ key: [] }] });
    },
    'A parameter that is gone': ({ paths }) => {
      Object.assign(paths?.['/api/v1/decisions']?.get ?? {}, { parameters: [] });
    },
  };

  it.for(Object.keys(BREAKING))('%s is reported as breaking', (name) => {
    const changed: Document = JSON.parse(text);
    BREAKING[name]?.(changed);
    expect(breakingChanges(JSON.parse(text), changed)).not.toEqual([]);
  });
});
