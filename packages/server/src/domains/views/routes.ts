import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { success } from '@decision-ledger/contract/envelope';
import { IdParams } from '@decision-ledger/contract/shared';
import { principalOf, type Wrap } from '../../http/envelope.js';
import type { Http } from '../../http/types.js';
import type { Database } from '../../platform/database.js';
import { viewDecision } from './decision.js';

export interface ViewRouteTools {
  readonly db: Database;
  readonly wrap: Wrap;
}

export function viewRoutes(app: Http, { db, wrap }: ViewRouteTools): void {
  app.get(
    '/decisions/:id',
    {
      config: { permission: 'read', bucket: 'read' },
      schema: {
        tags: ['decisions'],
        summary: 'Read a decision, with its links',
        params: IdParams,
        response: { 200: success(DecisionInDetail) },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      return wrap(request, await viewDecision(db, scope, request.params.id));
    },
  );
}
