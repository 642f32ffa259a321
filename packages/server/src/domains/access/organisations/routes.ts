import { Me } from '@decision-ledger/contract/access';
import type { Settings } from '@decision-ledger/contract/settings';
import { type EndpointTools, read } from '../../../http/endpoints.js';
import type { Http } from '../../../http/types.js';
import type { Scope } from '../../../platform/principal.js';
import { describeCaller } from './me.js';

export interface OrganisationRouteTools extends EndpointTools {
  readonly settings: { get(scope: Scope): Promise<Settings> };
}

export function organisationRoutes(app: Http, tools: OrganisationRouteTools): void {
  read(app, tools, {
    path: '/me',
    config: { permission: 'any' },
    tag: 'keys',
    operationId: 'getMe',
    summary: 'Get the organisation, mode, permissions, limits and session of the caller',
    data: Me,
    answer: async ({ ledger, principal }) =>
      describeCaller(ledger, principal, await tools.settings.get(principal.scope)),
  });
}
