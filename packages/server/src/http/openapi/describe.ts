import {
  isObjectNode,
  type Members,
  mapMembers,
  membersOf,
  type Node,
  plainJson,
  refTo,
} from './components.js';
import { errorExamples, errorSchemas } from './error-answers.js';
import { exampleOf, withExample } from './examples.js';
import { HEADERS } from './header.js';
import { describeOperation } from './operation.js';
import type { RouteFacts } from './route-facts.js';
import { SECURITY_SCHEMES } from './security.js';
import { webhooks } from './webhooks.js';

/** Stands for the reference to a named schema until the plugin is done. */
export const REFERENCE = 'x-reference';

/**
 * Completes the generated description: named schemas, errors, headers, security, webhooks and examples.
 *
 * @param schemas the named schemas
 * @param facts by operation id
 */
export function describe(
  generated: object,
  schemas: Members,
  facts: ReadonlyMap<string, RouteFacts>,
): object {
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
    webhooks: webhooks(),
    components: {
      schemas: {
        ...mapMembers(schemas, (schema, name) => withExample(membersOf(schema), exampleOf(name))),
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
