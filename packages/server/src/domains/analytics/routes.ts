import { Pnl, PnlQuery } from '@decision-ledger/contract/analytics';
import { success } from '@decision-ledger/contract/envelope';
import { principalOf, type Wrap } from '../../http/envelope.js';
import type { Http } from '../../http/types.js';
import type { Database } from '../../platform/database.js';
import { readPnl } from './pnl.js';

export interface AnalyticsRouteTools {
  readonly db: Database;
  readonly wrap: Wrap;
}

export function analyticsRoutes(app: Http, { db, wrap }: AnalyticsRouteTools): void {
  app.get(
    '/analytics/ai-pnl',
    {
      config: { permission: 'read', bucket: 'read' },
      schema: {
        tags: ['analytics'],
        summary: 'Profit and loss of what decisions moved',
        querystring: PnlQuery,
        response: { 200: success(Pnl) },
      },
    },
    async (request) => wrap(request, await readPnl(db, principalOf(request).scope, request.query)),
  );
}
