import { ConnectionState, ConnectionStates } from '@decision-ledger/contract/accounting';
import { IdParams, success } from '@decision-ledger/contract/shared';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import type { Http } from '../../../http/types.js';
import { listConnections, type RequestPollTools, requestPoll } from './poll.js';

const tags = ['accounting'];

export interface AccountingRouteTools extends RequestPollTools {
  readonly wrap: Wrap;
}

export function accountingRoutes(app: Http, tools: AccountingRouteTools): void {
  const { db, wrap } = tools;
  app.get(
    '/accounting/connections',
    {
      config: { permission: 'admin', bucket: 'read' },
      schema: {
        tags,
        operationId: 'listAccountingConnections',
        summary: 'List accounting connections with the result of their last poll',
        response: { 200: success(ConnectionStates) },
      },
    },
    async (request) =>
      wrap(request, { connections: await listConnections(db.ledger(callerOf(request).scope)) }),
  );
  app.post(
    '/accounting/connections/:id/poll',
    {
      config: { permission: 'admin', bucket: 'ingest' },
      schema: {
        tags,
        operationId: 'pollAccountingConnection',
        summary: 'Poll an accounting connection now',
        params: IdParams,
        response: { 202: success(ConnectionState) },
      },
    },
    async (request, reply) => {
      const ledger = tools.db.ledger(callerOf(request).scope);
      const connection = await requestPoll(ledger, tools, request.params.id);
      return reply.code(202).send(wrap(request, connection));
    },
  );
}
