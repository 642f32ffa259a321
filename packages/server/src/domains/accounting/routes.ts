import { ConnectionStates } from '@decision-ledger/contract/accounting';
import { success } from '@decision-ledger/contract/envelope';
import { principalOf, type Wrap } from '../../http/envelope.js';
import type { Http } from '../../http/types.js';
import type { Database } from '../../platform/database.js';
import { listConnections } from './list.js';

export interface AccountingRouteTools {
  readonly db: Database;
  readonly wrap: Wrap;
}

export function accountingRoutes(app: Http, { db, wrap }: AccountingRouteTools): void {
  app.get(
    '/accounting/connections',
    {
      config: { permission: 'admin', bucket: 'read' },
      schema: {
        tags: ['accounting'],
        summary: 'How the last poll of each accounting connection went',
        response: { 200: success(ConnectionStates) },
      },
    },
    async (request) =>
      wrap(request, { connections: await listConnections(db, principalOf(request).scope) }),
  );
}
