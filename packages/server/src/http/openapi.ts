import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

/** The head of the OpenAPI 3.1 description; the paths follow from the routes' schemas. */
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
        { name: 'activity', description: 'Every other change that evidence depends on' },
        { name: 'keys', description: 'API keys' },
        { name: 'settings', description: 'Settings of the organisation' },
        { name: 'service', description: 'Health and description of the service' },
      ],
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-Ledger-Key' },
        },
      },
      security: [{ key: [] }],
    },
    transform: ({ schema, url, route }) => {
      const isOpen = route.config?.permission === undefined;
      const hidden = route.onRequest !== undefined || route.method === 'HEAD';
      return { schema: { ...schema, hide: hidden, ...(isOpen && { security: [] }) }, url };
    },
  };
}
