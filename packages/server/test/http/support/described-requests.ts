import { type Static, Type } from 'typebox';
import { Parse } from 'typebox/value';
import type { Http } from '#server/http/types';
import { request } from '../../support/client.js';

const Parameter = Type.Object({
  name: Type.String(),
  in: Type.String(),
  required: Type.Optional(Type.Boolean()),
});
const Operation = Type.Object({
  operationId: Type.String(),
  parameters: Type.Optional(Type.Array(Parameter)),
});
const Description = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});

export interface DescribedRequest {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

/**
 * A request for every operation of the description, and a HEAD for every GET.
 * @param values by the name of a parameter, or by the segment before it and its name (`decisions/id`)
 */
export async function describedRequests(
  http: Http,
  values: Readonly<Record<string, string>>,
): Promise<DescribedRequest[]> {
  const { text } = await request(http, 'GET', '/openapi.json');
  const { paths } = Parse(Description, JSON.parse(text));
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([name, operation]) => {
      const path = pathOf(template, operation, values);
      const one = { operation: operation.operationId, method: name.toUpperCase(), path };
      return one.method === 'GET' ? [one, { ...one, method: 'HEAD' }] : [one];
    }),
  );
}

function pathOf(
  template: string,
  { parameters = [] }: Static<typeof Operation>,
  values: Readonly<Record<string, string>>,
): string {
  const filling = (...names: string[]) => {
    const value = names.map((name) => values[name]).find((one) => one !== undefined);
    if (value === undefined) throw new Error(`${template} needs a value for ${names.join(' or ')}`);
    return value;
  };
  const path = template.replaceAll(
    /([^/]+)\/\{(\w+)\}/g,
    (_, before: string, name: string) => `${before}/${filling(`${before}/${name}`, name)}`,
  );
  // A parameter that follows another one.
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => filling(name));
  const query = parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name }) => `${name}=${encodeURIComponent(filling(name))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}
