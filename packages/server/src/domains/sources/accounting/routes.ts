import {
  ConnectionState,
  ConnectionStates,
  PlanRelease,
} from '@decision-ledger/contract/accounting';
import { IdParams } from '@decision-ledger/contract/shared';
import { change, type EndpointTools, read } from '../../../http/endpoints.js';
import type { Http } from '../../../http/types.js';
import { listConnections, type RequestPollTools, releaseWithheld, requestPoll } from './poll.js';

export type AccountingRouteTools = EndpointTools & RequestPollTools;

export function accountingRoutes(app: Http, tools: AccountingRouteTools): void {
  read(app, tools, {
    path: '/accounting/connections',
    config: { permission: 'admin' },
    tag: 'accounting',
    operationId: 'listAccountingConnections',
    summary: 'List accounting connections and the result of their last poll',
    data: ConnectionStates,
    answer: async ({ ledger }) => ({ connections: await listConnections(ledger) }),
  });
  change(app, tools, {
    method: 'POST',
    path: '/accounting/connections/:id/poll',
    config: { permission: 'admin', bucket: 'ingest' },
    tag: 'accounting',
    operationId: 'pollAccountingConnection',
    summary: 'Poll an accounting connection now',
    params: IdParams,
    data: ConnectionState,
    status: 202,
    answer: ({ ledger, params }) => requestPoll(ledger, tools, params.id),
  });
  change(app, tools, {
    method: 'POST',
    path: '/accounting/connections/:id/release',
    config: { permission: 'admin', bucket: 'ingest', errors: ['conflict'] },
    tag: 'accounting',
    operationId: 'releaseAccountingPlan',
    summary: 'Release deletions and changes that are withheld',
    params: IdParams,
    body: PlanRelease,
    data: ConnectionState,
    status: 202,
    answer: ({ ledger, principal, params, body }) =>
      releaseWithheld(ledger, tools, principal, { connectionId: params.id, plan: body.plan }),
  });
}
