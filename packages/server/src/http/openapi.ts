import { Failure } from '@decision-ledger/contract/envelope';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { Permission } from '@decision-ledger/contract/permissions';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { Type } from 'typebox';

const IDEMPOTENCY = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.idempotencyKeyChars,
      description: 'Makes it safe to repeat the request: it takes effect once.',
    }),
  ),
});

function needs(permission: Permission | 'any'): string {
  return permission === 'any' ? 'Any key will do.' : `Needs the permission \`${permission}\`.`;
}

/** The header of the OpenAPI 3.1 description. The paths are generated from the routes' schemas. */
export function openApi(version: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Decision Ledger',
        description: 'A tamper-evident record of what AI agents decide.',
        version,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'decisions', description: 'Recording, finding and verifying decisions' },
        { name: 'financial events', description: 'Money that moved' },
        { name: 'links', description: 'Which decision caused which financial event' },
        { name: 'activity', description: 'All other changes that evidence depends on' },
        { name: 'keys', description: 'API keys' },
        { name: 'sessions', description: 'Sessions of people' },
        { name: 'settings', description: 'Settings of the organisation' },
        { name: 'accounting', description: 'Connections to accounting systems' },
        { name: 'stream', description: 'Live events of a ledger' },
        { name: 'jobs', description: 'Failed background jobs' },
        { name: 'service', description: 'Health and description of the service' },
      ],
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-Ledger-Key' },
          session: { type: 'http', scheme: 'bearer', description: 'The token of a session.' },
        },
      },
      security: [{ key: [] }, { session: [] }],
    },
    transform: ({ schema, url, route }) => {
      const { permission } = route.config ?? {};
      const hide = route.onRequest !== undefined || route.method === 'HEAD';
      if (permission === undefined) return { schema: { ...schema, hide, security: [] }, url };
      const creates = route.method === 'POST' && '201' in Object(schema?.response);
      const takesKey = route.config?.takesIdempotencyKey ?? creates;
      const described = {
        ...schema,
        hide,
        description: [schema?.description, needs(permission)].filter(Boolean).join(' '),
        response: { ...Object(schema?.response), '4XX': Failure, '5XX': Failure },
        ...(takesKey && { headers: IDEMPOTENCY }),
      };
      return { schema: described, url };
    },
  };
}
