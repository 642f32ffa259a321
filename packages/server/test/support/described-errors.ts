import '@fastify/swagger';
import { type Static, Type } from 'typebox';
import { Check, Parse } from 'typebox/value';
import { expect } from 'vitest';
import type { Http } from '#server/http/types';

const Refusal = Type.Object({ error: Type.Object({ code: Type.String() }) });
/** A failure in OTLP. */
const Status = Type.Object({ code: Type.Integer(), message: Type.String() });
const Content = Type.Object({
  examples: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const StatusExample = Type.Object({ value: Status });
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

/** To write and read it takes a third of a second, and it is the same for every server of a release. */
let description: readonly Described[] | undefined;

/**
 * Expects that the API description lists the error of an answer for its operation. Nothing is expected of a
 * server without a description, or of a path that is no operation.
 */
export function expectDescribed(http: Http, method: string, url: string, answer: string): void {
  if (!http.hasDecorator('swagger')) return;
  const refusal: unknown = JSON.parse(answer);
  const isFailure = Check(Status, refusal)
    ? (_: string, example: unknown) =>
        Check(StatusExample, example) && example.value.code === refusal.code
    : (name: string) => name === Parse(Refusal, refusal).error.code;
  expect(isDescribed(http, method, url, isFailure), `${method} ${url} describes ${answer}`).toBe(
    true,
  );
}

/** Whether an example of an error, with its name, is that of the failure. */
type IsFailure = (name: string, example: unknown) => boolean;

function isDescribed(http: Http, method: string, url: string, isFailure: IsFailure): boolean {
  const [path = ''] = url.split('?');
  const described = readDescription(http).find((one) => one.path.test(path));
  const operation = described?.operations[method.toLowerCase()];
  if (operation === undefined) return true;
  return Object.values(operation.responses).some(({ content = {} }) =>
    Object.entries(content['application/json']?.examples ?? {}).some(([name, example]) =>
      isFailure(name, example),
    ),
  );
}

function readDescription(http: Http): readonly Described[] {
  description ??= describedIn(Parse(Description, http.swagger()));
  return description;
}

function describedIn({ paths }: Static<typeof Description>): Described[] {
  return (
    Object.entries(paths)
      .map(([path, operations]) => ({
        path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        depth: path.split('{').length,
        operations,
      }))
      // A fixed segment is more exact than a parameter.
      .sort((a, b) => a.depth - b.depth)
  );
}
