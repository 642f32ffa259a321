import {
  ActivityChainVerification,
  ActivityPage,
  ActivityQuery,
  ChainVerificationQuery,
} from '@decision-ledger/contract/chain';
import { success } from '@decision-ledger/contract/shared';
import { readRange } from '@decision-ledger/contract/time';
import {
  type ChainVerifier,
  describeVerification,
  type Reconciler,
  readVerifyRequest,
} from '../../../http/chain-verification.js';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { listActivity } from './list.js';

export interface ActivityRouteTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly verifier: ChainVerifier & Reconciler;
  readonly wrap: Wrap;
}

const READ = { permission: 'read', bucket: 'read' } as const;

export function activityRoutes(app: Http, tools: ActivityRouteTools): void {
  addList(app, tools);
  addVerification(app, tools);
}

function addVerification(app: Http, { verifier, clock, wrap }: ActivityRouteTools): void {
  app.get(
    '/activity/chain/verify',
    {
      config: READ,
      schema: {
        tags: ['activity'],
        operationId: 'verifyActivityChain',
        summary: 'Verify the activity chain',
        querystring: ChainVerificationQuery,
        response: { 200: success(ActivityChainVerification) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const verifyRequest = readVerifyRequest(request.query);
      const verification = await verifier.verify(scope, 'activity', verifyRequest);
      const { start, end } = verifyRequest.range;
      const isWhole = start === undefined && end === undefined;
      const isComparable = isWhole && verification.finding === null;
      return wrap(request, {
        ...describeVerification(verification, 'activity', clock.now()),
        reconciliation: isComparable ? await verifier.reconcile(scope) : null,
      });
    },
  );
}

function addList(app: Http, { db, cursors, wrap }: ActivityRouteTools): void {
  app.get(
    '/activity',
    {
      config: READ,
      schema: {
        tags: ['activity'],
        operationId: 'listActivity',
        summary: 'List the records of the activity chain, newest first',
        querystring: ActivityQuery,
        response: { 200: success(ActivityPage) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const { type, subject, start, end } = request.query;
      const filter = { type, subject, ...readRange(start, end) };
      const page = await readPage(cursors, {
        list: 'activity',
        scope,
        query: request.query,
        fetch: (after, limit) =>
          listActivity(ledger, filter, after === null ? null : Number(after[0]), limit),
        position: ({ seq }) => [String(seq)],
      });
      return wrap(request, { activity: [...page.items], next_cursor: page.nextCursor });
    },
  );
}
