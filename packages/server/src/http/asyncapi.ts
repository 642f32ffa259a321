import { LIMITS } from '@decision-ledger/contract/limits';
import {
  CLOSE_CODES,
  STREAM_PATH,
  StreamQuery,
  streamEvent,
} from '@decision-ledger/contract/stream';
import { STREAM_EVENTS, STREAM_TYPES } from '@decision-ledger/contract/stream-events';
import type { FastifyContextConfig } from 'fastify';
import { exampleOf, pascalCase, plainJson, refTo } from './openapi/components.js';
import { asyncApiScheme, securityOf } from './openapi/header.js';

const CHANNEL = 'stream';

/** What the route of the stream asks of a handshake. */
export const STREAM_ACCESS = {
  permission: 'stream',
  handshake: true,
  keyInQuery: 'any',
} as const satisfies FastifyContextConfig;

const WAYS = securityOf(STREAM_ACCESS);

const toChannel = { $ref: `#/channels/${CHANNEL}` };

/**
 * The AsyncAPI 3.0 description of the stream, generated from its schemas.
 * @param path below which a proxy makes the service public
 */
export function asyncApi(version: string, path: string) {
  const codes = Object.values(CLOSE_CODES).join(', ');
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Decision Ledger stream',
      version,
      description: 'Live events of a ledger. The HTTP API is described in /openapi.json.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      [CHANNEL]: {
        address: `${path}${STREAM_PATH}`,
        title: 'The live stream of one ledger',
        description:
          `Each text frame holds one event. The service closes the connection with one of the codes ` +
          `${codes}; more than ${LIMITS.streamPingsPerMinute} pings and pongs a minute close it with ` +
          `${CLOSE_CODES.policyViolation}.`,
        messages: Object.fromEntries(
          STREAM_TYPES.map((type) => [type, { $ref: `#/components/messages/${type}` }]),
        ),
        bindings: { ws: { method: 'GET', query: StreamQuery, bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      sendEvents: {
        action: 'send',
        channel: toChannel,
        summary: 'Events are sent in the order of their logs. Clients send no messages.',
        security: WAYS.map((name) => ({
          $ref: `#/components/securitySchemes/${name}`,
        })),
        messages: STREAM_TYPES.map((type) => ({ $ref: `${toChannel.$ref}/messages/${type}` })),
      },
    },
    components: {
      messages: Object.fromEntries(
        STREAM_TYPES.map((type) => [
          type,
          {
            name: type,
            title: type,
            contentType: 'application/json',
            payload: refTo(pascalCase(type)),
            examples: [{ payload: exampleOf(pascalCase(type)) }],
          },
        ]),
      ),
      schemas: Object.fromEntries(
        STREAM_EVENTS.map(({ type, schema }) => [
          pascalCase(type),
          plainJson(streamEvent(type, schema)),
        ]),
      ),
      securitySchemes: Object.fromEntries(WAYS.map((name) => [name, asyncApiScheme(name)])),
    },
  };
}
