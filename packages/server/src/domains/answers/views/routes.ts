import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { LiabilityHistory, LiabilityHistoryQuery } from '@decision-ledger/contract/liability';
import { IdParams } from '@decision-ledger/contract/shared';
import { type EndpointTools, list, read } from '../../../http/endpoints.js';
import { byNumber, byPlace, readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import {
  describeDetail,
  viewDecision,
  viewEstimates,
  viewLiability,
  viewLinks,
  viewNeighbours,
  viewOutcome,
} from './decision.js';

export function viewRoutes(app: Http, tools: EndpointTools): void {
  read(app, tools, {
    path: '/decisions/:id',
    tag: 'decisions',
    operationId: 'getDecision',
    summary: 'Get a decision with its liability estimate and links',
    params: IdParams,
    data: DecisionInDetail,
    answer: async ({ ledger, params }) => {
      const decision = await viewDecision(ledger, params.id);
      const [neighbours, outcome, liability, links] = await Promise.all([
        viewNeighbours(ledger, decision.seq),
        viewOutcome(ledger, decision),
        viewLiability(ledger, decision.seq),
        readPage(tools.cursors, { ...viewLinks(ledger, decision.decision_id), key: byPlace }),
      ]);
      return describeDetail(decision, { ...neighbours, outcome }, liability, links);
    },
  });
  list(app, tools, {
    path: '/decisions/:id/liability',
    tag: 'decisions',
    operationId: 'listLiabilityEstimates',
    summary: 'List the liability estimates of a decision, newest first',
    params: IdParams,
    query: LiabilityHistoryQuery,
    data: LiabilityHistory,
    key: byNumber,
    fetch: ({ ledger, params }, slice) => viewEstimates(ledger, params.id, slice),
    keyOf: ({ revision }) => revision,
    show: ({ items, next_cursor }) => ({ estimates: items, next_cursor }),
  });
}
