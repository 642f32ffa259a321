import { Me } from '@decision-ledger/contract/access';
import type { Settings } from '@decision-ledger/contract/settings';
import { success } from '@decision-ledger/contract/shared';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { describeCaller } from './me.js';

export interface OrganisationRouteTools {
  readonly db: Database;
  readonly settings: { get(scope: Scope): Promise<Settings> };
  readonly wrap: Wrap;
}

export function organisationRoutes(
  app: Http,
  { db, settings, wrap }: OrganisationRouteTools,
): void {
  app.get(
    '/me',
    {
      config: { permission: 'any', bucket: 'read' },
      schema: {
        tags: ['keys'],
        operationId: 'getMe',
        summary: 'Get the caller: organisation, mode, permissions, limits and session',
        response: { 200: success(Me) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const current = await settings.get(principal.scope);
      return wrap(request, await describeCaller(db.ledger(principal.scope), principal, current));
    },
  );
}
