import {
  ExperimentAnalysis,
  ExperimentListQuery,
  ExperimentPage,
  ExperimentQuery,
} from '@decision-ledger/contract/experiment';
import { IdParams } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import { tableAnswerer, withTable } from '../../../http/table.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { experimentReader } from './analyse.js';
import { countUnreadable, listExperiments } from './list.js';
import { EXPERIMENT_TABLES } from './tables.js';

export interface ExperimentRouteTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly wrap: Wrap;
}

const config = { permission: 'read', bucket: 'read' } as const;
const tags = ['analytics'];

export function experimentRoutes(
  app: Http,
  { db, clock, cursors, wrap }: ExperimentRouteTools,
): void {
  const analyse = experimentReader(clock);
  const answer = tableAnswerer(wrap);
  app.get(
    '/analytics/experiments',
    {
      config,
      schema: {
        tags,
        operationId: 'listExperiments',
        summary: 'List experiments',
        querystring: ExperimentListQuery,
        response: { 200: withTable(ExperimentPage) },
      },
    },
    async (request, reply) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const page = await readPage(cursors, {
        list: 'analytics/experiments',
        scope,
        query: request.query,
        fetch: (after, limit) => listExperiments(ledger, after?.[0] ?? null, limit),
        position: ({ experiment_id }) => [experiment_id],
      });
      const unreadable = await countUnreadable(ledger);
      const { items, nextCursor } = page;
      const listed = { experiments: [...items], unreadable, next_cursor: nextCursor };
      return answer(request, reply, listed, EXPERIMENT_TABLES.list);
    },
  );
  app.get(
    '/analytics/experiments/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getExperiment',
        summary: 'Compare the financial effect of the arms of an experiment',
        params: IdParams,
        querystring: ExperimentQuery,
        response: { 200: withTable(ExperimentAnalysis) },
      },
    },
    async (request, reply) => {
      const ledger = db.ledger(callerOf(request).scope);
      const analysis = await analyse(ledger, request.params.id, request.query);
      return answer(request, reply, analysis, EXPERIMENT_TABLES.analysis);
    },
  );
}
