import { type Members, mapMembers, membersOf, type Node, plainJson } from './components.js';
import { envelopeContent, errorResponses, statusContent } from './error-answers.js';
import { exampleOfContent } from './examples.js';
import { GUARANTEES } from './guarantees.js';
import { IDEMPOTENCY_KEY, IF_MATCH, PREFER } from './header.js';
import type { RouteFacts } from './route-facts.js';

/** Completes a generated operation: its errors, headers, security, parameters and examples. */
export function describeOperation(generated: Members, facts: RouteFacts): Members {
  const { parameters, requestBody, responses, ...operation } = generated;
  const listed = [
    ...(Array.isArray(parameters) ? parameters : []),
    ...(facts.openFilter === null ? [] : [describeOpenFilter(facts.openFilter)]),
    ...(facts.takesIdempotencyKey ? [plainJson(IDEMPOTENCY_KEY)] : []),
    ...(facts.signsReceipts ? [plainJson(PREFER)] : []),
    ...(facts.takesIfMatch ? [plainJson(IF_MATCH)] : []),
  ];
  const text = [GUARANTEES[String(operation.operationId)], permissionText(facts.permission)]
    .filter(Boolean)
    .join(' ');
  return {
    ...operation,
    ...(text !== '' && { description: text }),
    ...(listed.length > 0 && { parameters: listed }),
    ...(requestBody !== undefined && { requestBody: describeBody(membersOf(requestBody), facts) }),
    responses: {
      ...mapMembers(responses, (response, status) =>
        describeAnswer(membersOf(response), status, facts),
      ),
      ...errorResponses(facts.errors, facts.answersStatus ? statusContent : envelopeContent),
      ...('101' in membersOf(responses) && { default: UNSWITCHED }),
    },
    security: facts.security.map((scheme) => ({ [scheme]: [] })),
  };
}

/** Parameters whose names are not known beforehand, such as `metadata.order_id=A-1001`. */
function describeOpenFilter(pattern: string): Node {
  return {
    name: 'metadata',
    in: 'query',
    required: false,
    description: 'Filters by members of the metadata: `metadata.<key>=<JSON text of the scalar>`.',
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      propertyNames: { pattern },
      additionalProperties: { type: 'string', maxLength: 1000 },
    },
    example: { 'metadata.order_id': 'A-1001' },
  };
}

function permissionText(permission: string | null): string {
  if (permission === null) return '';
  return permission === 'any' ? 'Any key will do.' : `Needs the permission \`${permission}\`.`;
}

function describeBody(body: Members, { isBodyOptional }: RouteFacts): Members {
  return {
    ...body,
    required: !isBodyOptional,
    content: mapMembers(body.content, (media) => exampleOfContent(membersOf(media))),
  };
}

/** A client that does not switch protocols has no other answer to expect. */
const UNSWITCHED: Node = {
  description: 'The connection did not become a WebSocket.',
  headers: { 'X-Request-ID': { $ref: '#/components/headers/RequestId' } },
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  101: 'The connection is now a WebSocket.',
  200: 'The answer.',
  201: 'It was created.',
  202: 'It was accepted and is processed in the background.',
};

function describeAnswer(response: Members, status: string, facts: RouteFacts): Members {
  const { description, content } = response;
  const isGiven = typeof description === 'string' && description !== 'Default Response';
  const types = Object.keys(membersOf(content));
  return {
    ...response,
    description: isGiven ? description : (DESCRIPTIONS[status] ?? 'The answer.'),
    headers: { ...membersOf(response.headers), ...headersOf(facts, types) },
    ...(content !== undefined && {
      content: mapMembers(content, (media) => exampleOfContent(membersOf(media))),
    }),
  };
}

function headersOf(facts: RouteFacts, types: readonly string[]): Members {
  const header = (name: string): Node => ({ $ref: `#/components/headers/${name}` });
  return {
    'X-Request-ID': header('RequestId'),
    ...(facts.isLimited && {
      RateLimit: header('RateLimit'),
      'RateLimit-Policy': header('RateLimitPolicy'),
    }),
    ...(facts.takesIdempotencyKey && { 'Idempotency-Replayed': header('IdempotencyReplayed') }),
    ...(facts.signsReceipts && { 'Preference-Applied': header('PreferenceApplied') }),
    ...(facts.isTagged && { ETag: header('ETag') }),
    ...(types.includes('text/csv') && { 'X-Next-Cursor': header('NextCursor') }),
  };
}
