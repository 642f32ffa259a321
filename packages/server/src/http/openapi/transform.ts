import { NAMED_SCHEMAS } from '@decision-ledger/contract/named-schemas';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { type Named, nameSchemas, plainJson } from './components.js';
import { describe, REFERENCE } from './describe.js';
import { header } from './header.js';
import { factsOf, type RouteFacts } from './route-facts.js';

let made: Named | undefined;

/** Made when the description is first read: no start of the service waits for it. */
export function namedSchemas(): Named {
  made ??= nameSchemas(NAMED_SCHEMAS);
  return made;
}

/** The options of the plugin that generates the OpenAPI 3.1 description from the routes' schemas. */
export function openApi(version: string): FastifyDynamicSwaggerOptions {
  const facts = new Map<string, RouteFacts>();
  return {
    openapi: header(version),
    transform({ schema = {}, url, route }) {
      const { operationId = '', body, params, querystring, response } = schema;
      const config = route.config ?? {};
      // The routes for operators are described once, although they have two paths.
      const isOpen = config.permission === undefined && config.isPublic !== true;
      const isAlias = isOpen && url.startsWith('/api/v1/');
      const method = String(route.method);
      facts.set(operationId, factsOf(config, { url, method, body, querystring, response }));
      const described = {
        ...schema,
        hide: route.onRequest !== undefined || route.method === 'HEAD' || isAlias,
        ...(params !== undefined && { params: withNamedRest(params) }),
        ...(body !== undefined && { body: withReferences(body) }),
        ...(response !== undefined && { response: withReferences(response) }),
      };
      return { schema: described, url: url.replace(REST, `:${REST_NAME}`) };
    },
    transformObject: (document) =>
      'openapiObject' in document
        ? describe(document.openapiObject, namedSchemas().schemas, facts)
        : document.swaggerObject,
  };
}

/** The rest of a path, which OpenAPI cannot describe: it is described as one parameter. */
const REST = '*';
const REST_NAME = 'path';

function withNamedRest(params: unknown): object {
  const { properties, required, ...rest } = Object(plainJson(params));
  const rename = (name: string) => (name === REST ? REST_NAME : name);
  const renamed = Object.entries(Object(properties)).map(([name, value]) => [rename(name), value]);
  return {
    ...rest,
    properties: Object.fromEntries(renamed),
    ...(Array.isArray(required) && { required: required.map(rename) }),
  };
}

/** The plugin resolves references itself, so they are inserted when it is done. */
function withReferences(schema: unknown): object {
  return Object(namedSchemas().replace(plainJson(schema), (name) => ({ [REFERENCE]: name })));
}
