import { success } from '@decision-ledger/contract/envelope';
import {
  ExperimentAnalysis,
  ExperimentListQuery,
  ExperimentPage,
  ExperimentQuery,
} from '@decision-ledger/contract/experiment';
import { IdParams } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { principalOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { experimentReader } from './analyse.js';
import { countUnreadable, listExperiments } from './list.js';

export interface ExperimentRouteTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly cursors: CursorCodec;
  readonly wrap: Wrap;
}

const config = { permission: 'read', bucket: 'read' } as const;
const tags = ['analytics'];

export function experimentRoutes(
  app: Http,
  { db, clock, cursors, wrap }: ExperimentRouteTools,
): void {
  const analyse = experimentReader(db, clock);
  app.get(
    '/analytics/experiments',
    {
      config,
      schema: {
        tags,
        operationId: 'listExperiments',
        summary: 'List the experiments that decisions were assigned in',
        querystring: ExperimentListQuery,
        response: { 200: success(ExperimentPage) },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const page = await readPage(cursors, {
        list: 'analytics/experiments',
        scope,
        query: request.query,
        fetch: (after, limit) => listExperiments(db, scope, after?.[0] ?? null, limit),
        position: ({ experiment_id }) => [experiment_id],
      });
      const unreadable = await countUnreadable(db, scope);
      return wrap(request, {
        experiments: [...page.items],
        unreadable,
        next_cursor: page.nextCursor,
      });
    },
  );
  app.get(
    '/analytics/experiments/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getExperiment',
        summary: 'Compare the money of the arms of an experiment',
        params: IdParams,
        querystring: ExperimentQuery,
        response: { 200: success(ExperimentAnalysis) },
      },
    },
    async (request) =>
      wrap(request, await analyse(principalOf(request).scope, request.params.id, request.query)),
  );
}
