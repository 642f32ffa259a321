import '@fastify/swagger';
import { type Static, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { expect } from 'vitest';
import type { Http } from '#server/http/types';

const Refusal = Type.Object({ error: Type.Object({ code: Type.String() }) });
const Content = Type.Object({
  examples: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const Operation = Type.Object({
  responses: Type.Record(
    Type.String(),
    Type.Object({ content: Type.Optional(Type.Record(Type.String(), Content)) }),
  ),
});
const Description = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});

interface Described {
  readonly path: RegExp;
  readonly depth: number;
  readonly operations: Static<typeof Description>['paths'][string];
}

const descriptions = new WeakMap<Http, readonly Described[]>();

/**
 * Expects that the API description lists the error of an answer for its operation. Nothing is expected of a
 * server without a description, or of a path that is no operation.
 */
export function expectDescribed(http: Http, method: string, url: string, answer: string): void {
  if (!http.hasDecorator('swagger')) return;
  const { code } = Parse(Refusal, JSON.parse(answer)).error;
  expect(isDescribed(http, method, url, code), `${method} ${url} describes ${code}`).toBe(true);
}

function isDescribed(http: Http, method: string, url: string, code: string): boolean {
  const [path = ''] = url.split('?');
  const described = readDescription(http).find((one) => one.path.test(path));
  const operation = described?.operations[method.toLowerCase()];
  if (operation === undefined) return true;
  return Object.values(operation.responses).some(({ content = {} }) =>
    Object.hasOwn(content['application/json']?.examples ?? {}, code),
  );
}

function readDescription(http: Http): readonly Described[] {
  const known = descriptions.get(http);
  if (known !== undefined) return known;
  const { paths } = Parse(Description, http.swagger());
  const described = Object.entries(paths)
    .map(([path, operations]) => ({
      path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      depth: path.split('{').length,
      operations,
    }))
    // A fixed segment is more exact than a parameter.
    .sort((a, b) => a.depth - b.depth);
  descriptions.set(http, described);
  return described;
}
