import { NAMED_SCHEMAS } from '@decision-ledger/contract/named-schemas';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import {
  exampleOf,
  isObjectNode,
  type Members,
  mapMembers,
  membersOf,
  type Named,
  type Node,
  nameSchemas,
  plainJson,
  refTo,
  withExample,
} from './components.js';
import { errorExamples, errorSchemas } from './errors.js';
import { HEADERS, header, SECURITY_SCHEMES } from './header.js';
import { describeOperation, factsOf, type RouteFacts } from './operation.js';
import { portable } from './portable.js';

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
        ? membersOf(portable(describe(document.openapiObject, namedSchemas().schemas, facts)))
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

/** Stands for the reference to a named schema until the plugin is done. */
const REFERENCE = 'x-reference';

/**
 * Completes the generated description: named schemas, errors, headers, security, webhooks and examples.
 *
 * @param schemas the named schemas
 * @param facts by operation id
 */
function describe(
  generated: object,
  schemas: Members,
  facts: ReadonlyMap<string, RouteFacts>,
): Members {
  const { Alert: alert = null, ...named } = schemas;
  const { paths, components: _, ...rest } = membersOf(resolved(plainJson(generated)));
  const describeOne = (operation: Node) => {
    const { operationId } = membersOf(operation);
    const known = facts.get(String(operationId));
    if (known === undefined) throw new Error('every route needs an operationId');
    return describeOperation(membersOf(operation), known);
  };
  const errors = [...new Set([...facts.values()].flatMap((one) => one.errors))].sort();
  return {
    ...rest,
    paths: mapMembers(paths, (operations) => mapMembers(operations, describeOne)),
    webhooks: webhooks(alert),
    components: {
      schemas: {
        ...mapMembers(named, (schema, name) => withExample(membersOf(schema), exampleOf(name))),
        ...errorSchemas(errors),
      },
      examples: errorExamples(errors),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function resolved(node: Node): Node {
  if (Array.isArray(node)) return node.map(resolved);
  if (!isObjectNode(node)) return node;
  const name = node[REFERENCE];
  return typeof name === 'string' ? refTo(name) : mapMembers(node, resolved);
}

const webhookHeader = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/**
 * The request that the service sends to `alerts.url`.
 * @param alert written out: generators of clients leave out what no path refers to
 */
function webhooks(alert: Node): Members {
  return {
    alert: {
      post: {
        operationId: 'receiveAlert',
        tags: ['alerts'],
        summary: 'Receive an alert signed with Standard Webhooks',
        security: [],
        parameters: [
          webhookHeader(
            'webhook-id',
            'Identifies the alert; a retry has the same.',
            'msg_01h455vb4pex5vsknk084sn02q',
          ),
          webhookHeader('webhook-timestamp', 'Seconds since 1970.', '1776331800'),
          webhookHeader(
            'webhook-signature',
            'Versioned HMAC-SHA256 of `id.timestamp.body`, in base64.',
            'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          ),
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: alert, example: exampleOf('Alert') ?? null } },
        },
        responses: {
          '2XX': { description: 'The alert is delivered.' },
          '4XX': { description: 'The delivery failed and is repeated for a day.' },
          '5XX': { description: 'The delivery failed and is repeated for a day.' },
        },
      },
    },
  };
}
