import {
  ActivityChainVerification,
  ActivityPage,
  ActivityQuery,
  ChainVerificationQuery,
} from '@decision-ledger/contract/chain';
import { readRange } from '@decision-ledger/contract/time';
import {
  type ChainVerifier,
  describeVerification,
  IN_THREAD,
  type Reconciler,
  readVerifyRequest,
} from '../../../http/chain-verification.js';
import { type EndpointTools, list, read } from '../../../http/endpoints.js';
import { byNumber } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import { listActivity } from './records.js';

export interface ActivityRouteTools extends EndpointTools {
  readonly verifier: ChainVerifier & Reconciler;
}

export function activityRoutes(app: Http, tools: ActivityRouteTools): void {
  list(app, tools, {
    path: '/activity',
    tag: 'activity',
    operationId: 'listActivity',
    summary: 'List the records of the activity chain, newest first',
    query: ActivityQuery,
    data: ActivityPage,
    key: byNumber,
    fetch: ({ ledger, query: { type, subject, start, end } }, slice) =>
      listActivity(ledger, { type, subject, ...readRange(start, end) }, slice),
    keyOf: ({ seq }) => seq,
    show: ({ items, next_cursor }) => ({ activity: items, next_cursor }),
  });
  read(app, tools, {
    path: '/activity/chain/verify',
    tag: 'activity',
    operationId: 'verifyActivityChain',
    summary: 'Verify the activity chain',
    query: ChainVerificationQuery,
    data: ActivityChainVerification,
    config: IN_THREAD,
    answer: async ({ ledger: { scope, clock }, query }) => {
      const verifyRequest = readVerifyRequest(query);
      const verification = await tools.verifier.verify(scope, 'activity', verifyRequest);
      const { start, end } = verifyRequest.range;
      const isWhole = start === undefined && end === undefined;
      const isComparable = isWhole && verification.finding === null;
      return {
        ...describeVerification(verification, 'activity', clock.now()),
        reconciliation: isComparable ? await tools.verifier.reconcile(scope) : null,
      };
    },
  });
}
