import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { LiabilityHistory, LiabilityHistoryQuery } from '@decision-ledger/contract/liability';
import { IdParams, success } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import {
  describeDetail,
  viewDecision,
  viewEstimates,
  viewLiability,
  viewLinks,
  viewNeighbours,
} from './decision.js';

export interface ViewRouteTools {
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly wrap: Wrap;
}

const config = { permission: 'read', bucket: 'read' } as const;
const tags = ['decisions'];

export function viewRoutes(app: Http, { db, cursors, wrap }: ViewRouteTools): void {
  app.get(
    '/decisions/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getDecision',
        summary: 'Get a decision with its liability estimate and links',
        params: IdParams,
        response: { 200: success(DecisionInDetail) },
      },
    },
    async (request) => {
      const ledger = db.ledger(callerOf(request).scope);
      const decision = await viewDecision(ledger, request.params.id);
      const [neighbours, liability, links] = await Promise.all([
        viewNeighbours(ledger, decision.seq),
        viewLiability(ledger, decision.seq),
        readPage(cursors, viewLinks(ledger, decision.decision_id)),
      ]);
      return wrap(request, describeDetail(decision, neighbours, liability, links));
    },
  );
  app.get(
    '/decisions/:id/liability',
    {
      config,
      schema: {
        tags,
        operationId: 'listLiabilityEstimates',
        summary: 'List the liability estimates of a decision, newest first',
        params: IdParams,
        querystring: LiabilityHistoryQuery,
        response: { 200: success(LiabilityHistory) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const { id } = request.params;
      const page = await readPage(cursors, {
        list: `liability ${id}`,
        scope,
        query: request.query,
        fetch: (after, limit) => viewEstimates(ledger, id, readRevision(after), limit),
        position: ({ revision }) => [String(revision)],
      });
      return wrap(request, { estimates: [...page.items], next_cursor: page.nextCursor });
    },
  );
}

function readRevision(after: readonly string[] | null): number | null {
  const [revision] = after ?? [];
  return revision === undefined ? null : Number(revision);
}
